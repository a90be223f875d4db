"""The knight of a game strikes a gong behind a post: a real file, keyed anew from one of its own poses."""

from dataclasses import replace
from pathlib import Path

import pytest

import inbetweener as ib
from benchmarks.gestures.long_scenario import (
    Step,
    aim,
    drag,
    draw_line,
    guide,
    hurry,
    limit,
    loosen,
    plant,
    pull,
    solve,
)
from inbetweener.document import Document, Prop, edits
from inbetweener.errors import RepairWarning
from inbetweener.kinodynamics import preset
from inbetweener.maths.solids import Capsule
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip
from inbetweener.posing.sketch import ViewPlane

RATE = 24
START, WIND_UP, STRIKE, END = (frame / RATE for frame in (0, 14, 26, 44))
HAND, HIPS, FEET = "hand.r", "hips", ("toes.l", "toes.r")
TRUNK = ("spine", "chest", "head")
ARM = ("upperarm.r", "lowerarm.r", "wrist.r")
LIMBS = (
    "upperarm.l",
    "lowerarm.l",
    "wrist.l",
    *(f"{part}.{s}" for s in "lr" for part in ("upperleg", "lowerleg", "foot")),
)
SHOWN = "Knight_"
POST = Prop("post", Capsule(0.04, 0.48), Transform((-0.66, 0.49, 0.32)), "obstacle")


def turns(*joints: str) -> list[str]:
    """The channels that turn joints."""
    return [f"{joint}.{turn}" for joint in joints for turn in ("rx", "ry", "rz")]


POSED = frozenset(turns(HIPS, *TRUNK, *ARM, *LIMBS, *FEET)) | {f"{HIPS}.{shift}" for shift in ("tx", "ty", "tz")}
LEGS = tuple(joint for joint in LIMBS if "arm" not in joint and "wrist" not in joint)
GUIDED = POSED & {
    *turns(HIPS, "spine", "chest", *ARM, *LEGS, *FEET),
    *(f"{HIPS}.{shift}" for shift in ("tx", "ty", "tz")),
}


def opened(data: Path) -> Document:
    """In four key poses, all of them as it stands in its idle clip; without the arms it could carry."""
    with pytest.warns(RepairWarning, match="bones are moved along or scaled by the clips"):
        whole = ib.load(data / "gltf" / "characters" / "kaykit_Knight.glb")
    stance = whole.motion("Unarmed_Idle").channels([0.0])[0]
    meshes = tuple(mesh for mesh in whole.meshes if mesh.name.startswith(SHOWN))
    document = replace(whole, name="knight", meshes=meshes, props=(POST,), clips=(Clip("strike", end=END, rate=RATE),))
    # Other channels say where the file's own controls are, and how long its bones: one key holds them.
    others = [channel.name for channel in whole.rig.channels if channel.name not in POSED]
    document = edits.key_pose(document, "strike", START, stance, channels=others)
    for time in (START, WIND_UP, STRIKE, END):
        document = edits.key_pose(document, "strike", time, stance, channels=sorted(POSED))
    return document


def story() -> list[Step]:
    """Wind-up, strike, rest; planted, led around the post, timed, guided, loose, and on the gong."""
    side = ViewPlane.named("side")
    return [
        Step("Limit the trunk", limit(turns("spine", "chest"), 0.35)),
        Step("Limit the elbow", limit(turns("lowerarm.r"), 0.2)),
        Step("Pose the start", pull(START, {HAND: (0.12, -0.16, 0.0), HIPS: (0.0, -0.01, 0.0)}, FEET, POSED)),
        Step("Pose the wind-up", pull(WIND_UP, {HAND: (-0.25, 0.05, -0.5), HIPS: (-0.03, -0.06, -0.06)}, FEET, POSED)),
        Step("Pose the strike", pull(STRIKE, {HAND: (0.48, 0.02, 0.34), HIPS: (0.03, -0.05, 0.08)}, FEET, POSED)),
        Step("Pose the rest", pull(END, {HAND: (0.15, -0.18, -0.03), HIPS: (0.0, -0.02, 0.02)}, FEET, POSED)),
        Step("Draw the line of action", draw_line(WIND_UP, TRUNK, 0.18, side, name="arch")),
        Step("Plant the feet", plant(FEET, START, END)),
        Step("Drag the hand around the post", drag(HAND, 7 / RATE, (0.06, 0.05, -0.06))),
        Step("And over it on its way back", drag(HAND, 19 / RATE, (0.08, 0.11, 0.0))),
        Step("Hurry the swing", hurry(HAND, 20 / RATE, 0.15)),
        Step("Guide", guide(GUIDED, "lowerarm.r", STRIKE)),
        Step("Loosen trunk and arm", loosen(("spine", "chest", *ARM), preset("firm"))),
        Step("Aim at the gong", aim(HAND, STRIKE, "mark")),
        Step("Hit it", solve),
    ]
