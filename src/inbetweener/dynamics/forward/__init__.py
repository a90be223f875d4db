"""Forward dynamics: loose degrees of freedom on springs, simulated over many short windows at once."""

from inbetweener.dynamics.forward.simulation import Simulation, Unstable, damped, mass_matrix, turning_inertias

__all__ = ["Simulation", "Unstable", "damped", "mass_matrix", "turning_inertias"]
