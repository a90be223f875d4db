"""Windows: how far back the simulation of a moment must begin, and what is missed where it begins later."""

from inbetweener.kinodynamics.windows.errors import error_map, window_error
from inbetweener.kinodynamics.windows.finding import Windows, find
from inbetweener.kinodynamics.windows.settling import settled

__all__ = ["Windows", "error_map", "find", "settled", "window_error"]
