"""Guitarist: the elbows swing wider while the fretting fingertips stay on the neck and the strumming hand on its way.

The example keys one curl for the whole hand. So that the fingers can give way to the wrist, they are keyed first, on
the key times of that curl and as they are: the motion stays the same.
"""

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.curves import Curve, Key, tangent_presets
from inbetweener.document import Document
from inbetweener.document.edits import drag, set_curves
from inbetweener.rig import Place, Point
from inbetweener.tangents import Certificate, Pin, Settings

CLIP, RATE = "two chords", 24
LAST_BONES = {"index": 0.02, "middle": 0.021, "ring": 0.02, "pinky": 0.018}
"""Metres from each finger's last joint to its tip."""

TIPS = tuple(Point(f"{name}_3_l", (length, 0.0, 0.0), f"{name} tip") for name, length in LAST_BONES.items())
ELBOW_DRAGS = (
    ("forearm_l", 12, (0.02, 0.03, 0.0)),
    ("forearm_l", 36, (0.03, 0.03, 0.0)),
    ("forearm_r", 12, (-0.015, 0.017, 0.033)),
    ("forearm_r", 36, (-0.015, 0.017, 0.033)),
)
"""Which elbow is dragged, on which frame, and how far from where it was, in metres."""

PATIENT = Settings(tolerance=4e-4)
"""Seven tenths of a millimetre: four fingertips at every moment are much to hold for one cubic a channel."""


def worked() -> Worked:
    """Wider elbows, fingertips on the neck."""
    before = example("guitarist")
    played, certificates = after(before)
    elbows = {name: 100 * shift(before, played, before.rig.point(name)) for name in ("forearm_l", "forearm_r")}
    palm = 1e3 * shift(before, played, before.rig.point("palm_r"))
    figures = [
        Figure("drags", len(certificates), ""),
        *(Figure(f"{name}, moved", d, "cm", at_least=3) for name, d in elbows.items()),
        *(Figure(f"{tip.name}, moved on the neck", 1e3 * shift(before, played, tip), "mm", at_most=1) for tip in TIPS),
        Figure("strumming palm, moved", palm, "mm", at_most=1),
    ]
    return Worked({"before": before, "after": played}, figures, ("forearm_l", "forearm_r"))


def after(document: Document) -> tuple[Document, list[Certificate]]:
    """The bar with wider elbows, and what each drag is worth."""
    document, certificates = fingers_keyed(document), []
    for elbow, frame, offset in ELBOW_DRAGS:
        held = pins(document, left=elbow.endswith("_l"))
        dragged = drag(document, elbow, time=frame / RATE, by=offset, pins=held, settings=PATIENT)
        document = dragged.document
        certificates.append(dragged.certificate)
    return document, certificates


def pins(document: Document, left: bool) -> tuple[Pin, ...]:
    """The body and with it the guitar stay; so do the fingertips on the neck, or the hand across the strings."""
    chest = Pin(document.rig.point("chest"), "both")
    return (chest, *(Pin(tip) for tip in TIPS)) if left else (chest, Pin(document.rig.point("palm_r")))


def fingers_keyed(document: Document) -> Document:
    """The fretting fingers keyed where the curl of their hand is, as they are."""
    keyed = document.clip().curves
    times = keyed["curl_l"].times
    joints = {f"{name}_{n}_l" for name in LAST_BONES for n in (1, 2, 3)}
    curves = {
        channel.name: tangent_presets.smooth(Curve.from_keys(Key(float(t), channel.default) for t in times))
        for channel in document.rig.channels
        if channel.name.split(".")[0] in joints and channel.name not in keyed
    }
    return set_curves(document, CLIP, curves)


def on_the_neck(document: Document, place: Place) -> Floats:
    """Positions (T, 3) of a place relative to the neck of the guitar, which the chest carries, eight times a frame."""
    motion = document.motion()
    times = np.linspace(motion.clip.start, motion.clip.end, 8 * (len(motion.clip.frame_times) - 1) + 1)
    chest = motion.world_from_joint(times)[:, document.rig.joint_index("chest")]
    return np.einsum("tji,tj->ti", chest[..., :3], motion.states(times, place)[0] - chest[..., 3])


def shift(before: Document, after: Document, place: Place) -> float:
    """How far, in metres, a place is from where it was relative to the neck, at its worst moment."""
    return float(np.linalg.norm(on_the_neck(after, place) - on_the_neck(before, place), axis=1).max())
