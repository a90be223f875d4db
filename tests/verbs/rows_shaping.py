"""Verbs on how motion is guided, swings and hits its marks, how poses are drawn, how skin and loops behave."""

import json
import math
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np

import inbetweener as ib
from inbetweener.builtin.characters.bar import bar
from inbetweener.document import Document, Pose, Prop, edits, write_pose
from inbetweener.kinodynamics import Bell
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Kernel
from inbetweener.posing.sketch import ViewPlane
from inbetweener.rig import Point
from inbetweener.tangents import Contact, Pin
from tests.studio.documents import arm, loose_arm, smooth
from tests.studio.pages import PageForTests, place
from tests.studio.session.test_guiding import rest
from tests.verbs.table import OUTPUT, SOURCE, Row

SWING = ("-o", OUTPUT, "--clip", "swing")
MARK = (0.45, 1.25, 0.1)
PALM = place("hand", (0.1, 0.0, 0.0), "palm")
TIME = 34 / 24
DRAWN = ("upper_arm_r", "forearm_r", "hand_r")
OWN_BELL = Bell(0.3, 0.3, drawn=((-1.0, 0.0), (-0.5, 0.25), (0.0, 1.0), (1.0, 0.0)))
ELBOW = ["elbow.rz"]
BENT = Pose.of(arm(), "bent", "swing", 0.25)
BENT_FILE = Path(mkdtemp()) / "bent.pose"
write_pose(BENT, BENT_FILE)
ACTING = ("chest", "upper_arm_l", "upper_arm_r", "forearm_r")


def pinned_arm() -> Document:
    """The arm with its elbow pinned as well, all the time."""
    return edits.add_constraint(arm(), "swing", Pin(Point("elbow")))


def obstructed() -> Document:
    """The arm with a ball in the way of its hand."""
    document = arm()
    where = document.motion("swing").states([0.25], Point("hand"))[0][0] + np.array([0.0, 0.03, 0.0])
    return edits.add_prop(document, Prop("ball", Sphere(0.05), Transform(tuple(where.tolist())), "obstacle"))


def standing() -> Document:
    """The waving figure, planted on its left foot, which is switched off: it says where to stand, and holds nothing."""
    document = ib.example("waving")
    clip = document.clip()
    document = edits.add_constraint(document, clip.name, Contact(Point("foot_l"), clip.start, clip.end))
    return edits.switch_constraint(document, "foot_l contact", False)


def aimless() -> Document:
    """The loose arm without its target, its hand planted for a while."""
    document = edits.remove_target(loose_arm(), "swing", "palm target")
    return edits.add_constraint(document, "swing", Contact(Point("hand"), 0.4, 0.6))


def kinked() -> Document:
    """A loop whose elbow ends at another slope than it starts with."""
    document = edits.set_clip_loops(edits.remove_clip(arm(), "still"), "swing", True)
    return edits.preset_tangents(document, "swing", "elbow.rz", "linear")


def swung_bar() -> Document:
    """A bar in its skin, which bends to and fro."""
    nod = Clip("nod", 1.0, curves=Curves({"bar_2.rz": smooth([0.0, 0.5, 1.0], [0.0, 0.8, -0.2])}))
    return replace(bar(), clips=(nod,))


def pose_taken(page: PageForTests, **source: Any) -> None:
    """One more pose target, which then takes a pose of its own; two steps where others take one."""
    page.session.poses = {"bent": BENT}.__getitem__
    bell = {"before": 0.3, "after": 0.3, "drawn": OWN_BELL.drawn}
    page.done("add-target", target={"kind": "pose", "time": 0.75, "bell": bell})
    page.done("take-pose", name="pose target", **source)


def guided(page: PageForTests, **settings: Any) -> None:
    """Let a run come to rest, and keep it."""
    page.begin("guide", settings=settings)
    rest(page)
    page.done("commit", gesture=1)


def gesture(page: PageForTests, kind: str, values: list[float], **fields: Any) -> None:
    page.begin(kind, **fields)
    assert page.move(*values)["reached"]
    page.done("commit", gesture=1)


def weights(**terms: float) -> list[dict[str, Any]]:
    return [{"name": name, "weight": weight} for name, weight in terms.items()]


def stroke() -> np.ndarray:
    """Out from the right shoulder of the waving figure, as its own camera sees it."""
    document = ib.example("waving")
    view = seen(document)
    shoulder = document.motion().states([TIME], document.rig.point("upper_arm_r"))[0]
    t = np.linspace(0.0, 1.0, 40)
    return view.project(shoulder)[0] + np.stack([-0.5 * t, 0.12 * np.sin(4.0 * t)], axis=1)


def seen(document: Document) -> ViewPlane:
    assert document.view is not None
    return ViewPlane.looking(document.view.eye, document.view.target)


def view_of(plane: ViewPlane) -> dict[str, Any]:
    axes = {name: getattr(plane, name).tolist() for name in ("origin", "right", "up")}
    return {**axes, "distance": plane.distance}


def stroke_file() -> str:
    path = Path(mkdtemp()) / "stroke.json"
    path.write_text(json.dumps(stroke().tolist()))
    return str(path)


GUIDED = [
    Row(
        "guide",
        pinned_arm,
        lambda d: edits.guide(d, channels="*", terms={"torque": 1, "jerk": 0.1}, regularise=0.1, clip="swing"),
        ("guide", SOURCE, *SWING, "--term", "torque=1", "--term", "jerk=0.1", "--regularise", "0.1"),
        lambda page: guided(page, terms=weights(torque=1.0, jerk=0.1), regularise=0.1),
        about="what the document pins stays",
    ),
    Row(
        "guide",
        pinned_arm,
        lambda d: edits.guide(d, own=False, gravity=True, held_root=True, end=0.6, clip="swing"),
        ("guide", SOURCE, *SWING, "--no-own", "--gravity", "--held-root", "--to", "0.6"),
        lambda page: guided(page, terms=weights(torque=1.0), own=False, gravity=True, held_root=True, end=0.6),
        about="whatever the document pins",
    ),
    Row(
        "guide",
        standing,
        lambda d: edits.guide(
            d, channels=["hips.t*", "chest.*"], terms={"balance": 1, "acceleration": 0.1}, masses="human"
        ),
        (
            "guide", SOURCE, "-o", OUTPUT, "--channels", "hips.t*", "--channels", "chest.*", "--term", "balance=1",
            "--term", "acceleration=0.1", "--masses", "human",
        ),
        lambda page: guided(
            page,
            terms=weights(balance=1.0, acceleration=0.1),
            channels=[f"{name}{axis}" for name in ("hips.t", "chest.r") for axis in "xyz"],
            masses="human",
        ),
        about="balance on a person's masses",
    ),
    Row(
        "guide",
        obstructed,
        lambda d: edits.guide(
            d, channels="*", terms={"torque": 0.5, "follow-through": 2}, kernels=[Kernel(0.5, 0.1)], clear=True,
            clip="swing",
        ),
        (
            "guide", SOURCE, *SWING, "--term", "torque=0.5", "--term", "follow-through=2", "--kernel", "0.5:0.1",
            "--clear",
        ),
        lambda page: guided(
            page,
            terms=weights(**{"torque": 0.5, "follow-through": 2.0}),
            kernels=[{"centre": 0.5, "width": 0.1}],
            clear=True,
        ),
        about="clear of a ball, with a kernel that the clip keeps",
    ),
]  # fmt: skip

LOOSE = [
    Row(
        "loosen",
        arm,
        lambda d: edits.loosen(d, "elbow", "loose", clip="swing"),
        ("loosen", SOURCE, *SWING, "--tension", "elbow=loose"),
        lambda page: page.done("loosen-as", preset="loose", joints=["elbow"]),
        about="a joint",
    ),
    Row(
        "loosen",
        pinned_arm,
        lambda d: edits.loosen(d, spring="relaxed", clip="swing"),
        ("loosen", SOURCE, *SWING, "--tension", "relaxed"),
        lambda page: page.done("loosen-as", preset="relaxed"),
        about="the body, but for what is pinned",
    ),
    Row(
        "loosen",
        arm,
        lambda d: edits.loosen(d, "elbow", "3.5..1.4", clip="swing"),
        ("loosen", SOURCE, *SWING, "--tension", "elbow=3.5..1.4"),
        lambda page: page.done("loosen-as", preset="relaxed", joints=["elbow"], tip=1.4 / 3.5),
        about="a chain",
    ),
    Row(
        "loosen",
        arm,
        lambda d: edits.loosen(d, "elbow", "3,0.4", clip="swing"),
        ("loosen", SOURCE, *SWING, "--tension", "elbow=3,0.4"),
        lambda page: gesture(page, "set-spring", [3.0, 0.4], names=["elbow"]),
        about="by a slider",
    ),
    Row(
        "loosen",
        loose_arm,
        lambda d: edits.loosen(d, tight="hand", clip="swing"),
        ("loosen", SOURCE, *SWING, "--tight", "hand", "--no-solve"),
        lambda page: page.done("tighten", joints=["hand"]),
        about="less",
    ),
    Row(
        "loosen",
        loose_arm,
        lambda d: edits.loosen(d, gravity=0.5, window=0.3, drag=0.2, clip="swing"),
        ("loosen", SOURCE, *SWING, "--gravity", "0.5", "--window", "0.3", "--drag", "0.2", "--no-solve"),
        lambda page: page.done(
            "loosen", settings={**page.known.looseness["settings"], "gravity": 0.5, "window": 0.3, "drag": 0.2}
        ),
        about="in another world",
    ),
    Row(
        "loosen",
        swung_bar,
        lambda d: edits.loosen(d, "bar_2", "2.5,0.4", masses="mesh"),
        ("loosen", SOURCE, "-o", OUTPUT, "--tension", "bar_2=2.5,0.4", "--masses", "mesh"),
        lambda page: page.done(
            "loosen", settings={"springs": [{"name": "bar_2", "frequency": 2.5, "damping": 0.4}], "masses": "mesh"}
        ),
        about="weighed by its mesh",
    ),
    Row(
        "target",
        loose_arm,
        lambda d: edits.target(d, "palm", frame=6, to=MARK, still=True, clip="swing"),
        (
            "loosen", SOURCE, *SWING, "--no-solve", "--target", f"palm@6f={','.join(map(str, MARK))}", "--still",
            "palm@6f",
        ),
        lambda page: page.done(
            "add-target",
            target={"kind": "point", "time": 0.25, "place": PALM, "position": MARK, "velocity": [0.0, 0.0, 0.0]},
        ),
        about="for a point",
    ),
    Row(
        "target",
        loose_arm,
        lambda d: edits.target(d, "palm", frame=6, until=12, to=MARK, clip="swing"),
        ("loosen", SOURCE, *SWING, "--no-solve", "--target", f"palm@6f..12f={','.join(map(str, MARK))}"),
        lambda page: page.done(
            "add-target", target={"kind": "point", "time": 0.25, "until": 0.5, "place": PALM, "position": MARK}
        ),
        about="that holds",
    ),
    Row(
        "target",
        loose_arm,
        lambda d: edits.target(d, time=0.75, clip="swing"),
        ("loosen", SOURCE, *SWING, "--no-solve", "--pose", "0.75"),
        lambda page: page.done("add-target", target={"kind": "pose", "time": 0.75}),
        about="for a pose",
    ),
    Row(
        "target",
        loose_arm,
        lambda d: edits.target(d, time=0.75, pose=0.25, bell=OWN_BELL, clip="swing"),
        ("loosen", SOURCE, *SWING, "--no-solve", "--pose", "0.75=6f", "--bell", "0.3,-0.5:0.25"),
        lambda page: pose_taken(page, time=0.25),
        about="for a pose of another time, with a drawn bell",
    ),
    Row(
        "target",
        loose_arm,
        lambda d: edits.target(d, time=0.75, pose=BENT, bell=OWN_BELL, clip="swing"),
        ("loosen", SOURCE, *SWING, "--no-solve", "--pose", f"0.75={BENT_FILE}", "--bell", "0.3,-0.5:0.25"),
        lambda page: pose_taken(page, pose="bent"),
        about="for a kept pose",
    ),
    Row(
        "target",
        loose_arm,
        lambda d: edits.target(d, "palm", frame=6, to=MARK, channels=ELBOW, clip="swing"),
        (
            "loosen", SOURCE, *SWING, "--no-solve", "--target", f"palm@6f={','.join(map(str, MARK))}", "--give",
            "elbow.rz",
        ),
        lambda page: page.done(
            "add-target",
            target={"kind": "point", "time": 0.25, "place": PALM, "position": MARK, "channels": ELBOW},
        ),
        about="by the elbow alone",
    ),
    Row(
        "solve",
        loose_arm,
        lambda d: edits.solve(d, clip="swing"),
        ("loosen", SOURCE, *SWING),
        lambda page: page.done("solve-targets"),
    ),
    Row(
        "contact_to_targets",
        aimless,
        lambda d: edits.contact_to_targets(d, "hand contact"),
        ("loosen", SOURCE, *SWING, "--hold", "hand contact"),
        lambda page: page.done("contact-to-targets", constraint="hand contact"),
    ),
    Row(
        "bake",
        aimless,
        lambda d: edits.bake(d, clip="swing"),
        ("loosen", SOURCE, *SWING, "--bake"),
        lambda page: page.done("bake-loose"),
    ),
    Row(
        "bake",
        aimless,
        lambda d: edits.bake(d, tolerance=None, clip="swing"),
        ("loosen", SOURCE, *SWING, "--bake", "--tolerance", "0"),
        lambda page: page.done("bake-loose", dense=True),
        about="on every frame",
    ),
]  # fmt: skip

DRAWINGS = [
    Row(
        "sketch",
        lambda: ib.example("waving"),
        lambda d: edits.sketch(d, stroke(), DRAWN, frame=34, view="document", stretch=True),
        (
            "sketch", SOURCE, "-o", OUTPUT, "--stroke", stroke_file(), "--bones", ",".join(DRAWN), "--frame", "34",
            "--view", "document", "--stretch",
        ),
        lambda page: gesture(
            page, "sketch", stroke().ravel().tolist(), bones=[*DRAWN], time=TIME,
            view=view_of(seen(ib.example("waving"))),
            stretch=True,
        ),
        about="and blend by differentials",
    ),
    Row(
        "sketch",
        lambda: ib.example("waving"),
        lambda d: edits.sketch(d, stroke(), ACTING, frame=34, view="document", support="pose"),
        (
            "sketch", SOURCE, "-o", OUTPUT, "--stroke", stroke_file(), "--bones", ",".join(ACTING), "--frame", "34",
            "--view", "document", "--support", "pose",
        ),
        lambda page: gesture(
            page, "sketch", stroke().ravel().tolist(), bones=[*ACTING], time=TIME,
            view=view_of(seen(ib.example("waving"))),
            support="pose",
        ),
        about="along a line of action through the pose",
    ),
    Row(
        "sketch",
        lambda: ib.example("waving"),
        lambda d: edits.sketch(d, stroke(), DRAWN, frame=34, view="document", mode="outline"),
        (
            "sketch", SOURCE, "-o", OUTPUT, "--stroke", stroke_file(), "--bones", ",".join(DRAWN), "--frame", "34",
            "--view", "document", "--mode", "outline",
        ),
        lambda page: gesture(
            page, "sketch", stroke().ravel().tolist(), bones=[*DRAWN], time=TIME,
            view=view_of(seen(ib.example("waving"))),
            drawing="outline",
        ),
        about="by the outline of an arm",
    ),
    Row(
        "twist",
        lambda: edits.skin(ib.example("waving"), "dual-quaternion").document,
        lambda d: edits.twist(d, "forearm_r", 540, place=0.5, frame=34),
        ("sketch", SOURCE, "-o", OUTPUT, "--twist", "forearm_r:0.5:540", "--frame", "34"),
        lambda page: gesture(page, "twist-bones", [math.radians(540)], bones=["forearm_r"], time=TIME, place=0.5),
    ),
]  # fmt: skip

ROWS = [
    *GUIDED,
    *LOOSE,
    *DRAWINGS,
    Row(
        "mirror_clip",
        lambda: ib.example("waving"),
        edits.mirror_clip,
        ("mirror", SOURCE, "-o", OUTPUT),
        lambda page: page.done("mirror-clip"),
    ),
    Row(
        "set_speed",
        standing,
        lambda d: edits.set_speed(d, 1.5),
        ("speed", SOURCE, "1.5", "-o", OUTPUT),
        lambda page: page.done("set-speed", speed=1.5),
    ),
    Row(
        "smooth_seam",
        kinked,
        lambda d: edits.smooth_seam(d),
        ("smooth-seam", SOURCE, "-o", OUTPUT),
        lambda page: page.done("smooth-seam"),
    ),
    Row(
        "loop",
        lambda: ib.example("waving"),
        lambda d: edits.loop(d, in_place=True),
        ("loop", SOURCE, "-o", OUTPUT, "--in-place"),
        lambda page: page.done("make-loop", in_place=True),
    ),
]
