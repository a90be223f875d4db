"""An exhibit: a scene that was worked over, and what a paper says about such a scene."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from benchmarks.gestures.worked import Worked

Method = Literal["tangents", "guidance", "looseness", "blending"]


@dataclass(frozen=True)
class Exhibit:
    """What the page tells of one scene.

    name    of its files, and of the built-in scene where it is one
    source  where in which paper
    claim   what is said there, in our words
    done    what was done here, and how that differs
    work    does it: a function that gives the versions of the scene and their figures
    seen    what an animator still sees in the outcome, good or bad
    poster  the frame that stands for the movie
    """

    name: str
    title: str
    method: Method
    source: str
    claim: str
    done: str
    work: Callable[[], Worked]
    seen: str = ""
    poster: int = 0
    ground: bool = True
