"""Masses and forces: what a body weighs, and what a movement takes, with exact derivatives."""

from inbetweener.dynamics.body import Body
from inbetweener.dynamics.inverse import (
    EARTH,
    WEIGHTLESS,
    Forces,
    InverseDynamics,
    generalised_forces,
)
from inbetweener.dynamics.loads import Loads, Wrench
from inbetweener.dynamics.momentum import Momentum, momentum
from inbetweener.dynamics.movement import Movement
from inbetweener.dynamics.support import ContactForces, contact_forces, zero_moment_point

__all__ = [
    "EARTH",
    "WEIGHTLESS",
    "Body",
    "ContactForces",
    "Forces",
    "InverseDynamics",
    "Loads",
    "Momentum",
    "Movement",
    "Wrench",
    "contact_forces",
    "generalised_forces",
    "momentum",
    "zero_moment_point",
]
