"""The boxer with everything done to him: posed, drawn, planted, led around a pad, timed, guided, loose, on his mark."""

from dataclasses import replace

import numpy as np

import inbetweener as ib
from benchmarks.gestures.long_scenario import (
    Step,
    aim,
    drag,
    draw_line,
    guide,
    hurry,
    loosen,
    miss,
    plant,
    pull,
    slide,
    solve,
)
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.contacts import snap_poses
from inbetweener.document import Clearance, Document, Editor, Prop, View, edits
from inbetweener.kinodynamics import Spring
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.posing.sketch import ViewPlane
from inbetweener.tangents import Contact

RATE = 24
HAND, FEET = "palm_r", ("ball_l", "ball_r")
TRUNK, ARM = ("spine_1", "spine_2", "chest"), ("upper_arm_r", "forearm_r", "hand_r")
GUARD, WIND_UP, CROSS, END = (frame / RATE for frame in (22, 28, 34, 54))
LOOSEN = "Loosen trunk and arm"
PAD = Prop("pad", Sphere(0.05), Transform((0.03, 1.24, 0.64)), "obstacle", colour=(0.9, 0.75, 0.2))


def opened() -> Document:
    """The built-in scene, and a pad in the way of the fist that comes back."""
    boxer = ib.example("boxer")
    return replace(boxer, props=(*boxer.props, PAD), view=View((-2.7, 1.7, 2.6), (0.0, 1.0, 0.35), 0.5))


def worked() -> Worked:
    """As keyed; all but loose; and loose, on the mark. Every promise is measured on what is watched."""
    editor = Editor(opened())
    shaped = editor.document
    for step in story():
        if step.label == LOOSEN:
            shaped = editor.document
        editor.apply(step.label, step.edit)
    steps, before, after = editor.history.steps, editor.history.steps[0].document, editor.document
    undone = [editor.undo() for _ in steps[1:]][-1]
    seen = before.shown_motion(), after.shown_motion()
    feet = [max(slide(each, before.rig.point(foot), 0.0, END) for foot in FEET) for each in seen]
    times, skin = before.clip().frame_times, Clearance(before)
    pads = [float(skin.measure(each.shown_motion(), times).min()) for each in (before, after)]
    distance, speed = miss(after, "bag")
    done = len(steps) - 1
    figures = [
        Figure("steps undone to the very start", done if undone == before else 0, "", at_least=done),
        Figure("feet slide before", 1e3 * feet[0], "mm"),
        Figure("feet slide after", 1e3 * feet[1], "mm", at_most=1),
        Figure("clearance of the pad before", 100 * pads[0], "cm"),
        Figure("clearance of the pad after", 100 * pads[1], "cm", at_least=0.2),
        Figure("target missed by", 1e3 * distance, "mm", at_most=0.1),
        Figure("speed there", 1e3 * speed, "mm/s", at_most=1),
    ]
    return Worked(
        {"as keyed": before, "posed, planted, led, guided": shaped, "loose, on the mark": after}, figures, (HAND,)
    )


def break_tangents(document: Document) -> Document:
    """What the arm does before the cross and after it is shaped apart: there a punch changes its nature."""
    for name, curve in document.clip().curves.items():
        if name.startswith((*TRUNK, *ARM, "clavicle_r")):
            key = int(np.abs(curve.times - CROSS).argmin())
            document = edits.tie_tangents(document, document.clip().name, name, [key], tied=False)
    return document


def agree(document: Document) -> Document:
    """Feet in one place in all key poses, a millimetre from where they were at most."""
    clip = document.clip()
    feet = [Contact(document.rig.point(foot), 0.0, END, "both") for foot in FEET]
    return edits.replace_clip(document, clip.name, snap_poses(document.rig, clip, feet).clip)


def story() -> list[Step]:
    """Everything in the order in which an animator would do it."""
    clip = opened().clip()
    guided = frozenset(name for name in clip.curves if name.startswith((*TRUNK, *ARM)))
    return [
        Step("Pose the guard", pull(GUARD, {"hips": (0.0, -0.05, -0.03), HAND: (-0.03, 0.02, -0.04)}, FEET)),
        Step("Draw the line of action", draw_line(WIND_UP, TRUNK, 0.1, ViewPlane.named("side"), name="arch")),
        Step("Make the feet agree", agree),
        Step("Plant the feet", plant(FEET, 0.0, END)),
        Step("Break the arm's tangents on the cross", break_tangents),
        Step("Drag the hand around the pad", drag(HAND, 43 / RATE, (-0.06, 0.13, 0.02))),
        Step("Hurry the cross", hurry(HAND, 31 / RATE, 0.1)),
        Step("Guide", guide(guided, "forearm_r", CROSS, span=(GUARD, END))),
        Step(LOOSEN, loosen((*TRUNK, *ARM), Spring(9.0, 0.9))),
        Step("Aim at the bag", aim(HAND, CROSS, "bag")),
        Step("Hit it", solve),
    ]
