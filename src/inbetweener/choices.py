"""Words that callers choose from, where the command line has to name them before anything else is imported."""

from typing import Literal, get_args

Up = Literal["x", "-x", "y", "-y", "z", "-z"]
"""The axis of a file that points up."""

TermName = Literal[
    "torque", "follow-through", "jerk", "acceleration", "limits", "balance", "slide", "obstacles", "style"
]
TERMS: tuple[TermName, ...] = get_args(TermName)
