"""Poses of their own for targets: as keyed or seen at another moment, or kept ones; in the channels that are loose."""

from dataclasses import replace

import numpy as np

from inbetweener.document.document import Document
from inbetweener.document.edits.poses import nearest_turns
from inbetweener.document.pose import Pose
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Motion


def as_keyed(document: Document, clip: str) -> Motion:
    """A clip's keyed motion without the corrections of its targets: what "keyed" means for these."""
    shown, named = document.clip(clip), {aim.name for aim in document.loosening(clip).aims}
    return Motion(document.rig, replace(shown, layers=tuple(each for each in shown.layers if each.name not in named)))


def own_pose(
    document: Document, clip: str, time: float, source: Pose | float, *, seen: bool = False
) -> dict[str, float]:
    """Values by loose channel for a pose target at `time`: of a kept pose, or of the clip at another time.

    Of the clip as keyed or, `seen`, as it swings there. Angles come without full turns between them and the keys at
    `time`. What is not loose stays as keyed anyway: a pose of a whole body does not carry it to where it was taken.
    """
    rig, loosened = document.rig, document.loose_motion(clip).loosened
    loose = np.array(sorted({*loosened.swinging.channels.tolist(), *loosened.following.channels.tolist()}), np.int64)
    if not len(loose):
        raise InvalidEdit(f"nothing of clip {clip!r} is loose, so every pose is as keyed; loosen a joint first", "pose")
    bare = as_keyed(document, clip)
    if isinstance(source, Pose):
        values, said, _ = source.values(document)
        loose = loose[said[loose]]
        if not len(loose):
            raise InvalidEdit(
                f"pose {source.name!r} says nothing of what is loose; take another, or loosen more", "pose"
            )
    else:
        values = (document.shown_motion(clip) if seen else bare).channels([source])[0]
    near = nearest_turns(rig, loose, values[loose], bare.channels([time])[0, loose])
    return {rig.channels[c].name: float(value) for c, value in zip(loose, near, strict=True)}
