"""An exhibit: a scene that was worked over, and what a paper says about such a scene."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from benchmarks.gestures.worked import Worked
from inbetweener.document import View

Method = Literal["together", "tangents", "guidance", "looseness", "blending", "captured"]


@dataclass(frozen=True)
class Shot:
    """How an exhibit is filmed.

    poster   the frame that stands for the movie
    size     of one version, in pixels, both sides even
    columns  how many versions stand side by side; by default at most three
    view     a camera of its own, where the scene's is too far from what matters
    apart    versions are scenes of their own: each is seen by a camera of its own, and no curves are compared
    """

    poster: int = 0
    size: tuple[int, int] = (480, 270)
    columns: int | None = None
    view: View | None = None
    ground: bool = True
    apart: bool = False


@dataclass(frozen=True)
class Exhibit:
    """What the page tells of one scene.

    name    of its files, and of the built-in scene where it is one
    source  where in which paper
    claim   what is said there, in our words; nothing where there is no paper
    done    what was done here, and how that differs
    work    does it: a function that gives the versions of the scene and their figures
    seen    what an animator sees in the outcome, good or bad
    """

    name: str
    title: str
    method: Method
    source: str
    claim: str
    done: str
    work: Callable[[], Worked]
    seen: str = ""
    shot: Shot = Shot()
