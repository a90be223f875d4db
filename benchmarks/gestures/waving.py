"""Waving: the arm takes less effort, its elbow never bends the wrong way, and the spine stays when told to."""

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.document.edits import guide
from inbetweener.guidance import GuideRequest, Report
from inbetweener.motion import Motion

JOINTS = ("chest", "upper_arm_l", "forearm_l", "upper_arm_r", "forearm_r")
STIFF_SPINE = {"chest": 30.0}


def worked() -> Worked:
    """Eight keys: guided, and guided with the spine told to stay."""
    before = example("waving")
    guided, report = after(before)
    kept, steady = after(before, STIFF_SPINE)
    now = before.motion()
    figures = [
        Figure("torque left guided", 100 + report.terms[0].percent, "%", at_most=25),
        Figure("torque left with a stiff spine", 100 + steady.terms[0].percent, "%", at_most=25),
        *(
            Figure(f"{joint} turned from its keys' motion {name}", turned(now, document.motion(), joint), "°")
            for joint in ("chest", "forearm_r")
            for name, document in (("guided", guided), ("with a stiff spine", kept))
        ),
        *(
            Figure(f"elbow beyond its stop {name}", beyond(document.motion()), "°", at_most=1e-6)
            for name, document in (("guided", guided), ("with a stiff spine", kept))
        ),
    ]
    return Worked({"before": before, "guided": guided, "with a stiff spine": kept}, figures, ("hand_r",))


def request(motion: Motion, joints: dict[str, float] | None = None) -> GuideRequest:
    """Arms and chest, by default with the spine as free as the rest."""
    chosen = frozenset(c.name for c in motion.rig.channels if c.name.split(".")[0] in JOINTS)
    return GuideRequest(channels=chosen, regularise=0.05, joints=joints or {})


def after(document: Document, joints: dict[str, float] | None = None) -> tuple[Document, Report]:
    """The wave guided, and what changed."""
    wish = request(document.motion(), joints)
    result = guide(document, channels=wish.channels, regularise=wish.regularise, joints=wish.joints)
    return result.document, result.report


def turned(before: Motion, after: Motion, joint: str) -> float:
    """The largest change of a joint's angles, in degrees."""
    times = np.linspace(before.clip.start, before.clip.end, 400)
    columns = [i for i, c in enumerate(before.rig.channels) if c.name.split(".")[0] == joint]
    return float(np.degrees(np.abs((after.channels(times) - before.channels(times))[:, columns]).max()))


def beyond(motion: Motion) -> float:
    """How far an elbow goes beyond its limits between frames too, in degrees; 0 where it never does."""
    values = motion.channels(np.linspace(motion.clip.start, motion.clip.end, 4001))
    elbows = [i for i, c in enumerate(motion.rig.channels) if c.name.split(".")[0] in ("forearm_l", "forearm_r")]
    lower, upper = (np.array([getattr(motion.rig.channels[i], end) for i in elbows]) for end in ("lower", "upper"))
    over = np.maximum(values[:, elbows] - upper, lower - values[:, elbows])
    return float(np.degrees(max(0.0, over.max())))
