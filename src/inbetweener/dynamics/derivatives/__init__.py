"""How generalised forces change with the channels, their velocities and their accelerations."""

from inbetweener.dynamics.derivatives.plan import Plan

__all__ = ["Plan"]
