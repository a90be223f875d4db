"""The drag as an edit: a point pulled to another state by tangents alone."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import curves_of, set_curves
from inbetweener.maths import quaternions
from inbetweener.motion import Motion
from inbetweener.tangents import Certificate, Drag, DragRequest, Settings

STEPS = 8
"""Into how many steps a way is cut that one leap does not manage."""


def drag_point(
    document: Document,
    clip: str,
    request: DragRequest,
    position: npt.ArrayLike | None = None,
    turn: npt.ArrayLike | None = None,
    *,
    settings: Settings | None = None,
) -> tuple[Document, Certificate]:
    """A clip in which a point moved towards a position (3,) in metres and/or an orientation (3, 3), and the proof.

    What `request` wants but is not given here stays as it is. Where one leap falls short, the way is gone in small
    steps, as a hand would, and the better answer is taken. Where the target is out of reach, the document holds the
    nearest motion found that keeps all constraints, and the certificate says what blocks.
    """
    drag = drag_towards(document.motion(clip), request, position, turn, settings=settings)
    before, after = curves_of(document, clip, request.layer), drag.commit()
    changed = {name: after[name] for name in drag.problem.names if after[name] != before[name]}
    return set_curves(document, clip, changed, layer=request.layer), drag.certificate()


def drag_towards(
    motion: Motion,
    request: DragRequest,
    position: npt.ArrayLike | None = None,
    turn: npt.ArrayLike | None = None,
    *,
    settings: Settings | None = None,
) -> Drag:
    """The drag that `drag_point` commits, before it is committed: by a leap or, where that falls short, by steps."""
    leap = Drag(motion, request, settings)
    if leap.to(position, turn).reached:
        return leap
    walk = _walked(motion, request, settings, position, turn)
    return walk if walk.solution.reached or walk.solution.target_error < leap.solution.target_error else leap


def _walked(
    motion: Motion,
    request: DragRequest,
    settings: Settings | None,
    position: npt.ArrayLike | None,
    turn: npt.ArrayLike | None,
) -> Drag:
    """A drag that came to its target by a straight way and an even turn."""
    drag = Drag(motion, request, settings)
    for share in np.arange(1, STEPS) / STEPS:
        drag.to(
            None if position is None else (1.0 - share) * drag.start_position + share * np.asarray(position),
            None if turn is None else _turned(drag.start_turn, np.asarray(turn, np.float64), share),
        )
    drag.to(position, turn)
    return drag


def _turned(start: Floats, end: Floats, share: float) -> Floats:
    """The orientation (3, 3) that is `share` of the way from one to the other."""
    both = quaternions.from_matrix(np.stack([start, end]))
    return quaternions.to_matrix(quaternions.slerp(both[:1], both[1:], np.array([share])))[0]
