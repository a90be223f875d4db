"""Guitarist: notes are played by fingertips that stand on their strings, and the elbows swing wider meanwhile.

The example keys one curl for the whole hand, and its fingers end beside the neck. So the fingers are keyed first, on
the key times of that curl, and every key pose puts each fingertip on its string, or over it before its note. Every
note is then an attachment of one fingertip to one string, over its own frames: between the keys of a note the chest
and with it the guitar sway, and what holds is found by tangents alone.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.curves import Curve, Key, tangent_presets
from inbetweener.document import Document
from inbetweener.document.edits import drag, hold, key_pose, set_curves
from inbetweener.motion import Attach
from inbetweener.posing import PoseRequest, Pull, State
from inbetweener.posing import Settings as PoseSettings
from inbetweener.posing.problem import build
from inbetweener.posing.solve import solve
from inbetweener.rig import Place, Point
from inbetweener.tangents import Certificate, Pin, Settings

CLIP, RATE = "two chords", 24
LAST_BONES = {"index": 0.02, "middle": 0.021, "ring": 0.02, "pinky": 0.018}
"""Metres from each finger's last joint to its tip."""

TIPS = tuple(Point(f"{name}_3_l", (length, 0.0, 0.0), f"{name} tip") for name, length in LAST_BONES.items())
FRETTING = ("clavicle_l", "upper_arm_l", "forearm_l", "hand_l", *(f"{n}_{k}_l" for n in LAST_BONES for k in (1, 2, 3)))


@dataclass(frozen=True)
class Note:
    """A finger, by its number, on a string at some way along the neck, in metres, from one frame to another."""

    finger: int
    string: int
    along: float
    start: int
    end: int

    def rule(self) -> Attach:
        """The fingertip stays on the string."""
        return Attach(TIPS[self.finger], "chest", self.start / RATE, self.end / RATE, prop=f"string_{self.string}")

    @property
    def name(self) -> str:
        """As "index tip on string 4, frames 0 to 16"."""
        return f"{TIPS[self.finger].name} on string {self.string}, frames {self.start} to {self.end}"


NOTES = (
    Note(0, 4, 0.585, 0, 16), Note(1, 3, 0.565, 0, 16), Note(2, 2, 0.545, 0, 16), Note(3, 4, 0.525, 8, 16),
    Note(0, 2, 0.485, 24, 40), Note(1, 3, 0.465, 24, 40), Note(2, 4, 0.445, 32, 40), Note(3, 4, 0.425, 24, 40),
)  # fmt: skip
CHORDS = ((0, 16), (24, 40), (48, 48))
"""Frames between which one chord is held; the bar loops."""
PRESSED, LIFTED = 0.069, 0.085
"""How far before the guitar's middle a fingertip is, in metres, on a string and over it."""

ELBOW_DRAGS = (
    ("forearm_l", 12, (0.02, 0.03, 0.0)),
    ("forearm_l", 36, (0.03, 0.03, 0.0)),
    ("forearm_r", 12, (-0.015, 0.017, 0.033)),
    ("forearm_r", 36, (-0.015, 0.017, 0.033)),
)
"""Which elbow is dragged, on which frame, and how far from where it was, in metres."""

EXACTLY = PoseSettings(iterations=300, pull=1e10, reached=1e-6)
PATIENT = Settings(tolerance=4e-4)
"""Seven tenths of a millimetre: four fingertips at every moment are much to hold for one cubic a channel."""


def worked() -> Worked:
    """Notes that stand on their strings, and wider elbows."""
    before = fretted(example("guitarist"))
    played, certificates = after(before)
    elbows = {name: 100 * shift(before, played, before.rig.point(name)) for name in ("forearm_l", "forearm_r")}
    palm = 1e3 * shift(before, played, before.rig.point("palm_r"))
    figures = [
        Figure("drags", len(certificates), ""),
        *(Figure(f"{name}, moved", d, "cm", at_least=3) for name, d in elbows.items()),
        *(
            Figure(f"{note.name}, slides {when}", 1e3 * slide(each, note), "mm", at_most=1 if when == "after" else None)
            for note in NOTES
            for when, each in (("before", before), ("after", played))
        ),
        Figure("strumming palm, moved", palm, "mm", at_most=1),
    ]
    return Worked({"before": before, "after": played}, figures, ("forearm_l", "forearm_r"))


def after(document: Document) -> tuple[Document, list[Certificate]]:
    """The bar with its notes held and wider elbows, and what each drag is worth."""
    notes, certificates = tuple(note.rule() for note in NOTES), []
    chest = Pin(document.rig.point("chest"), "both")
    document = hold(document, notes, pins=(chest,)).document
    for elbow, frame, offset in ELBOW_DRAGS:
        left = elbow.endswith("_l")
        pins = (chest,) if left else (chest, Pin(document.rig.point("palm_r")))
        dragged = drag(
            document, elbow, time=frame / RATE, by=offset, pins=pins, attachments=notes if left else (),
            settings=PATIENT,
        )  # fmt: skip
        document = dragged.document
        certificates.append(dragged.certificate)
    return document, certificates


def fretted(document: Document) -> Document:
    """Every fingertip on its string in each key pose of its note, and over it in the others of its chord."""
    document = fingers_keyed(document)
    rig = document.rig
    free = frozenset(
        channel.name
        for channel in rig.channels
        if channel.name in document.clip().curves and {drive.joint for drive in channel.drives} <= set(FRETTING)
    )
    request = PoseRequest(tuple(Pull(tip) for tip in TIPS), channels=free)
    motion, made = document.motion(), document
    for time in document.clip().curves["curl_l"].times:
        frame = round(float(time) * RATE)
        first = next(first for first, last in CHORDS if first <= frame <= last) % 48
        notes = sorted((note for note in NOTES if first <= note.start <= first + 16), key=lambda note: note.finger)
        chest = motion.world_from_joint([time])[0, rig.joint_index("chest")]
        wishes = [
            State(chest[:, :3] @ on_string(note, PRESSED if note.start <= frame % 48 else LIFTED) + chest[:, 3])
            for note in notes
        ]
        posed = solve(build(rig, motion.channels([time])[0], request, EXACTLY), *wishes)
        made = key_pose(made, CLIP, float(time), posed.channels, channels=sorted(free))
    curves = made.clip().curves
    return set_curves(made, CLIP, {name: tangent_presets.smooth(curves[name]) for name in sorted(free)})


def on_string(note: Note, forward: float) -> Floats:
    """Where a note is played, as the chest sees it."""
    across = 0.009 * (note.string - 2.5)
    return np.array(
        [
            -0.08 + 0.9397 * note.along - 0.342 * across,
            -0.3 + 0.342 * note.along + 0.9397 * across,
            0.165 + forward,
        ]
    )


def slide(document: Document, note: Note) -> float:
    """How far, in metres, a note's fingertip leaves the place where it began, as the guitar sees it."""
    places = on_the_neck(document, TIPS[note.finger])[8 * note.start : 8 * note.end + 1]
    return float(np.linalg.norm(places - places[0], axis=1).max())


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
