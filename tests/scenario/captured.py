"""A captured punch, fitted, cleaned, and taken further than the actor went."""

import warnings
from pathlib import Path

import inbetweener as ib
from benchmarks.gestures.long_scenario import (
    Step,
    aim,
    drag,
    draw_line,
    guide,
    hurry,
    loosen,
    plant,
    pull,
    solve,
)
from inbetweener.contacts import remove_slide
from inbetweener.document import Document, Prop, edits
from inbetweener.errors import RepairWarning
from inbetweener.kinodynamics import preset
from inbetweener.maths.solids import Capsule
from inbetweener.maths.transforms import Transform
from inbetweener.motion import fit_clip
from inbetweener.posing.sketch import ViewPlane
from inbetweener.tangents import Contact

HAND, FEET = "RightHand", ("LeftToeBase", "RightToeBase")
TRUNK, ARM = ("LowerBack", "Spine", "Spine1"), ("RightArm", "RightForeArm", "RightHand")
RATE = 1 / 0.00833330
"""Frames a second, as the file has it: CMU's clips give the time of a frame in seven digits."""
FIRST, LAST = 552, 768
"""Frames of the capture: one of its punches, from guard to guard."""
DEGREE = 0.0175
POST = Prop("post", Capsule(0.048, 0.5), Transform((0.366, 0.53, -0.098)), "obstacle")


def opened(data: Path) -> Document:
    """The punch as it was captured: a key on every frame."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RepairWarning)
        document = ib.load(data / "bvh" / "cmu" / "02_05_punch_strike.bvh")
    clip = document.clip()
    document = edits.set_clip_range(document, clip.name, FIRST / RATE, LAST / RATE)
    return edits.add_prop(document, POST)


def turns(*joints: str) -> list[str]:
    """The channels that turn joints."""
    return [f"{joint}.{turn}" for joint in joints for turn in ("rx", "ry", "rz")]


def fit(document: Document) -> Document:
    """Few keys, whole poses of them, no joint farther off than a centimetre."""
    clip = document.clip()
    return edits.replace_clip(document, clip.name, fit_clip(document.rig, clip, 0.01, "body")[0])


def clean(document: Document) -> Document:
    """Both feet brought to one place in all keys."""
    clip = document.clip()
    feet = [Contact(document.rig.point(foot), clip.start, clip.end) for foot in FEET]
    return edits.replace_clip(document, clip.name, remove_slide(document.rig, clip, feet)[0])


def keep_to_the_actor(document: Document) -> Document:
    """The elbow may turn as far as the actor turned it, and a degree."""
    clip = document.clip()
    values = document.motion().channels(clip.frame_times)
    for name in turns("RightForeArm"):
        own = values[:, document.rig.channel_index(name)]
        document = edits.set_limits(document, name, float(own.min()) - DEGREE, float(own.max()) + DEGREE)
    return document


def story() -> list[Step]:
    """Fitted, cleaned; then posed, drawn, planted, dragged, timed, guided, loose and on its mark as the knight is."""
    rate = RATE
    start, end, drawn, struck = FIRST / rate, LAST / rate, 584 / rate, 696 / rate
    return [
        Step("Fit few keys", fit),
        Step("Remove the slide", clean),
        Step("Limit the elbow", keep_to_the_actor),
        Step("Pose the guard", pull(drawn, {HAND: (0.02, 0.05, -0.05), "Hips": (0.0, -0.03, -0.02)}, FEET)),
        Step("Draw the line of action", draw_line(drawn, TRUNK, -0.06, ViewPlane.named("side"), name="arch")),
        Step("Plant the feet", plant(FEET, start, end, "position")),
        Step("Drag the hand around the post", drag(HAND, 612 / rate, (-0.048, 0.0, -0.014))),
        Step("Hurry the swing", hurry(HAND, 637 / rate, 0.15)),
        Step("Guide", guide(frozenset(turns(*TRUNK, *ARM)), "RightForeArm", struck, span=(5.1, 6.0))),
        Step("Loosen trunk and arm", loosen((*TRUNK, *ARM), preset("firm"))),
        Step("Aim at the mark", aim(HAND, struck, "mark")),
        Step("Hit it", solve),
    ]
