"""Make the pictures of these pages from the program itself: `python docs/make_pictures.py [NAME …]`."""

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import matplotlib
import numpy as np
from PIL import Image

import inbetweener as ib
from inbetweener.builtin.characters.human import human
from inbetweener.curves import Bundle, Curve, HeightSet, Key, Tangent, evaluate, fit_curve, widths
from inbetweener.document import View, edits
from inbetweener.dynamics import EARTH, WEIGHTLESS, Body, InverseDynamics, Movement
from inbetweener.motion import Clip, Curves
from inbetweener.posing import Pin, PoseDrag, PoseRequest, Pull, State, state_of, stiffened
from inbetweener.posing.strokes import fit_stroke
from inbetweener.render import Camera, render_comparison, render_frame, save_png
from inbetweener.rig import Rig
from inbetweener.skinning import Mesh

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FOLDER = Path(__file__).parent / "pictures"
PURPLE, ORANGE, GREY = "#9b7bff", "#ff9e3d", "#8a8f9c"
plt.rcParams.update({
    "figure.facecolor": "#14161c", "axes.facecolor": "#14161c", "savefig.facecolor": "#14161c", "text.color": "#d5d8e0",
    "axes.edgecolor": "#3a3f4c", "axes.labelcolor": "#d5d8e0", "xtick.color": GREY, "ytick.color": GREY,
    "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
})  # fmt: skip


def scenes() -> None:
    size, columns = (480, 300), 3
    pictures = []
    for each in ib.examples():
        document = ib.example(each.name)
        clip = document.clip()
        pictures.append(render_frame(document, clip.start + 0.4 * (clip.end - clip.start), size=size))
    blank = np.zeros_like(pictures[0])
    pictures += [blank] * (-len(pictures) % columns)
    rows = [np.concatenate(pictures[i : i + columns], axis=1) for i in range(0, len(pictures), columns)]
    Image.fromarray(np.concatenate(rows)).save(FOLDER / "scenes.png", optimize=True)


def segment() -> None:
    curve = Curve.from_keys(
        [
            Key(0.0, 0.0, out_tangent=Tangent(0.55, 0.05)),
            Key(1.0, 1.0, in_tangent=Tangent(0.25, 0.35)),
        ]
    )
    times = np.linspace(0, 1, 200)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    left.plot(times, evaluate(curve, times), color=PURPLE, lw=2)
    for key, handle, name in (((0, 0), (0.55, 0.05), "out"), ((1, 1), (0.75, 0.65), "in")):
        left.plot(*zip(key, handle, strict=True), color=GREY, lw=1)
        left.plot(*handle, "o", color=GREY, ms=5)
        left.annotate(name, handle, xytext=(6, -12), textcoords="offset points", color=GREY)
    left.plot([0, 1], [0, 1], "o", color=ORANGE, ms=8)
    left.set(xlabel="time (s)", ylabel="value", title="a segment and its tangents")
    u = np.linspace(0, 1, 200)
    v = 1 - u
    right.plot(u, 3 * u * v**2 * 0.55 + 3 * u**2 * v * 0.75 + u**3, color=GREY, label="time T(u)")
    right.plot(u, 3 * u * v**2 * 0.05 + 3 * u**2 * v * 0.65 + u**3, color=PURPLE, label="value V(u)")
    right.set(xlabel="u", title="two cubics over the same u")
    right.legend()
    figure.savefig(FOLDER / "segment.png", dpi=110)


def admissible_widths() -> None:
    a, b = np.meshgrid(np.linspace(0, 1.4, 400), np.linspace(0, 1.4, 400))
    figure, axes = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
    axes.contourf(a, b, widths.slack(a, b), levels=[0, 10], colors=[PURPLE], alpha=0.35)
    axes.contour(a, b, widths.slack(a, b), levels=[0], colors=[PURPLE])
    axes.plot([0, 1, 1], [1, 1, 0], "--", color=GREY, lw=1)
    axes.annotate("the square of [TSO] Eq. 7", (0.06, 1.03), color=GREY)
    axes.plot(1, 1, "o", color=ORANGE)
    axes.annotate("infinite speed", (1.03, 1.03), color=ORANGE)
    axes.plot(1 / 3, 1 / 3, "o", color="white", ms=5)
    axes.annotate("a third: time is linear", (0.36, 0.31))
    axes.set(xlabel="out width a", ylabel="in width b", aspect="equal")
    figure.savefig(FOLDER / "widths.png", dpi=110)


def limits() -> None:
    room = HeightSet(0.0, 0.3, -0.4, 1.0)
    out, in_ = np.meshgrid(np.linspace(-4, 5, 300), np.linspace(-5, 4, 300))
    inside = np.array([room.contains((float(y), float(z))) for y, z in zip(out.ravel(), in_.ravel(), strict=True)])
    figure, axes = plt.subplots(figsize=(4.8, 4.2), layout="constrained")
    axes.contourf(out, in_, inside.reshape(out.shape).astype(float), levels=[0.5, 1.5], colors=[PURPLE], alpha=0.4)
    (low, high), (bottom, top) = HeightSet(0.0, 0.3, -0.4, 1.0).box()
    axes.add_patch(plt.Rectangle((low, bottom), high - low, top - bottom, fill=False, ec=ORANGE))
    axes.annotate("the box of Eq. 9", (low, top + 0.15), color=ORANGE)
    axes.annotate("exact set", (-1.2, -3.2), color=PURPLE)
    axes.plot(0, 0, "o", color="white", ms=4)
    axes.set(xlabel="out height", ylabel="in height", aspect="equal")
    figure.savefig(FOLDER / "limits.png", dpi=110)


def fit() -> None:
    times = np.linspace(0, 4, 241)
    swing = np.where(times < 2.6, np.sin(2.2 * times) * np.exp(-0.25 * times), 0.0)
    samples = np.where(times < 2.6, swing, swing[times < 2.6][-1]) + 0.004 * np.sin(61 * times)
    curve = fit_curve(times, samples, tolerance=0.02)
    figure, axes = plt.subplots(figsize=(9, 3), layout="constrained")
    axes.plot(times, samples, ".", color=GREY, ms=4, label=f"{len(times)} samples")
    fine = np.linspace(0, 4, 1000)
    axes.plot(fine, Bundle.of([curve]).evaluate(fine)[:, 0], color=PURPLE, lw=1.6)
    axes.plot(curve.times, curve.values, "o", color=ORANGE, ms=7, label=f"{len(curve)} keys")
    axes.set(xlabel="time (s)", ylabel="value")
    axes.legend()
    figure.savefig(FOLDER / "fit.png", dpi=110)


def posing() -> None:
    figure = human()
    rig = figure.rig
    request = PoseRequest((Pull(rig.point("palm_l")),), tuple(Pin(rig.point(f"foot_{side}"), "both") for side in "lr"))
    drag = PoseDrag(replace(rig, channels=stiffened(rig)), rig.defaults, request)
    palm = state_of(rig, rig.defaults, rig.point("palm_l")).position
    pulls = [(0.0, 0.0, 0.0), (-0.35, 0.75, 0.25), (-0.2, -0.45, 0.6)]
    size = (400, 460)
    pictures = []
    for pull in pulls:
        posed = drag.to(State(palm + np.array(pull))).channels
        curves = {channel.name: Curve.constant(float(v)) for channel, v in zip(rig.channels, posed, strict=True)}
        document = replace(figure, clips=(Clip("pose", end=0.0, curves=Curves(curves)),))
        view = View((1.4, 1.5, 4.2), (0.05, 0.93, 0.1), 0.47)
        pictures.append(render_frame(replace(document, view=view), 0.0, size=size))
    Image.fromarray(np.concatenate(pictures, axis=1)).save(FOLDER / "posing.png", optimize=True)


def drag() -> None:
    before = ib.example("flying-robot")
    after, _ = _gestures("flying_robot").after(before)
    pictures = [render_frame(each, 1.55, size=(1200, 480), points=("body",)) for each in (before, after)]
    Image.fromarray(np.concatenate(pictures)).save(FOLDER / "drag.png", optimize=True)


def flight() -> None:
    """The same two, moving, for the front page."""
    before = ib.example("flying-robot")
    after, _ = _gestures("flying_robot").after(before)
    times = np.arange(0.0, before.clip().end, 1 / 12)
    rows = [
        [render_frame(each, float(time), size=(720, 270), points=("body",)) for time in times]
        for each in (before, after)
    ]
    shown = [Image.fromarray(np.concatenate(pair)) for pair in zip(*rows, strict=True)]
    shown[0].save(
        FOLDER / "flight.webp", save_all=True, append_images=shown[1:], duration=1000 // 12, loop=0, quality=55
    )


def drag_free() -> None:
    before = ib.example("flying-robot")
    after = ib.edits.drag(before, "body", time=1.5, to=(0.0, 0.53, 0.0)).document
    old, new = (each.clip().curves["body.ty"] for each in (before, after))
    times = np.linspace(0.0, 3.0, 400)
    figure, axes = plt.subplots(figsize=(9, 3.6), layout="constrained")
    axes.axvspan(1.0, 2.0, color=PURPLE, alpha=0.22, lw=0)
    for start in (0.0, 2.0):
        axes.axvspan(start, start + 1.0, color=PURPLE, alpha=0.08, lw=0)
    for x, text in ((0.5, "turns along: its key is tied"), (1.5, "free"), (2.5, "turns along")):
        axes.text(x, 0.02, text, color=GREY, ha="center", transform=axes.get_xaxis_transform(), va="bottom")
    axes.plot(times, evaluate(old, times), color=GREY, lw=1.5, ls="--", label="before")
    axes.plot(times, evaluate(new, times), color=PURPLE, lw=2.2, label="after one drag")
    for k in (1, 2):
        t, v = new.times[k], new.values[k]
        ends = (t - new.ins[k, 0], v - new.ins[k, 1]), (t + new.outs[k, 0], v + new.outs[k, 1])
        axes.plot(*zip(*ends, strict=True), color=GREY, lw=1, marker="o", ms=4)
    axes.plot(new.times, new.values, "o", color=ORANGE, ms=8, label="keys, untouched", zorder=5)
    axes.annotate(
        "", (1.5, float(evaluate(new, [1.5])[0])), (1.5, float(evaluate(old, [1.5])[0])),
        arrowprops={"arrowstyle": "-|>", "color": ORANGE, "lw": 1.5},
    )  # fmt: skip
    axes.set(xlabel="time (s)", ylabel="height of the body (m)", xlim=(0, 3))
    axes.legend(loc="upper right")
    figure.savefig(FOLDER / "drag-free.png", dpi=110)


def dive() -> None:
    before, diver = ib.example("diver"), _gestures("diver")
    after, _ = diver.after(before)
    figure, (feet, fall) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for document, colour, name in ((before, GREY, "before"), (after, PURPLE, "after")):
        frames = np.linspace(0, 23, 400)
        ball = document.motion().states(frames / 24, document.rig.point("ball_l"))[0]
        feet.plot(frames, 1e3 * np.linalg.norm(ball - ball[0], axis=1), color=colour, lw=2, label=name)
        accelerations = diver.fall_accelerations(document)
        fall.plot(np.linspace(24, 51, len(accelerations)), accelerations, color=colour, lw=2)
    fall.axhline(-9.81, color=ORANGE, lw=1, ls="--")
    feet.set(xlabel="frame", ylabel="mm", title="how far the foot is from its place")
    fall.set(xlabel="frame", ylabel="m/s²", title="vertical acceleration of the hips in the air")
    feet.legend()
    figure.savefig(FOLDER / "dive.png", dpi=110)


def contacts() -> None:
    """What holding does to the feet of the spider and to the dinosaur's feet and tail."""
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    for axes, scene, title in zip(
        panels,
        ("spider_walk", "dino_punch"),
        ("eight feet of a spider", "a dinosaur's feet, then its tail"),
        strict=True,
    ):
        gestures = _gestures(scene)
        before = ib.example(scene.replace("_", "-"))
        after = gestures.after(before)[0]
        for document, colour, label in ((before, GREY, "as keyed"), (after, PURPLE, "held")):
            for contact in gestures.contacts(document):
                frames = np.linspace(24 * contact.start, 24 * contact.end, 400)
                place = document.motion().states(frames / 24, contact.point)[0]
                axes.plot(frames, 1e3 * np.linalg.norm(place - place[0], axis=1), color=colour, lw=1.6, label=label)
                label = "_"  # one entry in the legend is enough
        axes.set(xlabel="frame", ylabel="mm", title=title)
    panels[0].legend()
    figure.savefig(FOLDER / "contacts.png", dpi=110)


def skinning() -> None:
    bars = _benchmark("bars")
    rows = []
    for name, make in bars.CASES.items():
        case = make()
        clip = Clip(name, 0.0, curves=Curves(dict(_held(case.rig, case.pose))))
        document = ib.Document(name, case.rig, (_striped(case.mesh, bars.SIDES),), clips=(clip,))
        ways = {f"{name}, {letters}" if letters == "LBS" else letters: way for letters, way in bars.METHODS.items()}
        posed = case.posed("differential")
        room, middle = np.ptp(posed, axis=0), (posed.min(axis=0) + posed.max(axis=0)) / 2
        size = (400, int(np.clip(60 + 400 * room[1] / room[0], 110, 220)))
        away = 1.15 * max(room[0] * size[1] / size[0], room[1] + 0.15) / (2.0 * np.tan(0.25))
        eye = middle + away * np.array([0.0, 0.25, 0.97])
        camera = Camera(tuple(eye.tolist()), tuple(middle.tolist()), 0.5)
        rows.append(render_comparison(document, 0.0, ways, size=size, camera=camera, ground=False))
    Image.fromarray(np.concatenate(rows)).save(FOLDER / "skinning.png", optimize=True)


def curled_tail() -> None:
    gestures = _gestures("curled_tail")
    document, ways = gestures.drawn(), _benchmark("bars").METHODS
    frames = (gestures.CURLED, gestures.WOUND)
    rows = [render_comparison(document, frame / gestures.RATE, ways, size=(320, 280)) for frame in frames]
    Image.fromarray(np.concatenate(rows)).save(FOLDER / "curled-tail.png", optimize=True)


def drawn_scenes() -> None:
    """Four frames of each of the gallery's drawn scenes."""
    hose, roar = _gestures("rubber_hose"), _gestures("roar")
    shots = ((hose.swaying(), (0, 6, 12, 24)), (roar.roaring(), (10, 14, 17, 24)))
    rows = [[render_frame(document, frame / 24, size=(300, 240)) for frame in frames] for document, frames in shots]
    Image.fromarray(np.concatenate([np.concatenate(row, axis=1) for row in rows])).save(
        FOLDER / "drawn-scenes.png", optimize=True
    )


def strokes() -> None:
    shapes = _benchmark("strokes").strokes(140)
    random = np.random.default_rng(12)
    figure, axes = plt.subplots(1, 4, figsize=(11, 3.2), layout="constrained", width_ratios=(1.2, 1.1, 1, 1.1))
    for axis, name in zip(axes, ("S", "loop", "spiral", "zigzag"), strict=True):
        points = shapes[name] + random.normal(0.0, 0.004, shapes[name].shape)
        curve = fit_stroke(points)
        s = np.linspace(0.0, curve.length, 800)
        places, headings, bends = curve.positions(s), curve.headings(s), curve.curvatures(s)
        # The comb stands out on the outer side of the bend, as long as the curvature is large.
        outward = np.stack([np.sin(headings), -np.cos(headings)], axis=1)
        tips = places + 0.1 * (bends / max(np.abs(bends).max(), 3.0))[:, None] * outward
        axis.plot(*np.stack([places, tips], axis=1)[::8].transpose(2, 1, 0), color=PURPLE, lw=0.6, alpha=0.6)
        axis.plot(*tips.T, color=PURPLE, lw=1)
        axis.plot(*points.T, ".", color=GREY, ms=3.5)
        axis.plot(*places.T, color="#4aa8ff", lw=2)
        axis.plot(*curve.positions(curve.knots).T, "o", color="#d5d8e0", ms=3)
        axis.plot(*curve.positions(curve.corners).T, "D", color=ORANGE, ms=8, mfc="none", mew=1.6)
        axis.set_aspect("equal")
        axis.axis("off")
    figure.savefig(FOLDER / "strokes.png", dpi=110)


def _held(rig: Rig, pose: np.ndarray) -> list[tuple[str, Curve]]:
    return [(channel.name, Curve.constant(float(value))) for channel, value in zip(rig.channels, pose, strict=True)]


def _striped(mesh: Mesh, sides: int) -> Mesh:
    """Rings and one line along a bar, by which turns can be read off it."""
    ring, side = np.divmod(np.arange(len(mesh.vertices)), sides)
    colours = np.tile([0.55, 0.33, 0.8, 1.0], (len(mesh.vertices), 1))
    colours[ring % 16 < 3] = [0.9, 0.75, 0.35, 1.0]
    colours[side < sides // 8] = [0.95, 0.4, 0.1, 1.0]
    return replace(mesh, colours=colours.astype(np.float32))


def torques() -> None:
    document = ib.example("waving")
    motion, clip = document.motion(), document.clip()
    body = Body.from_meshes(document.rig, document.meshes)
    times = np.linspace(clip.start, clip.end, 600)
    movement = Movement.at(motion, times)
    figure, axes = plt.subplots(figsize=(9, 3.4), layout="constrained")
    for name, label, colour in (
        ("upper_arm_r", "shoulder", PURPLE), ("forearm_r", "elbow", ORANGE), ("hand_r", "wrist", GREY),
    ):  # fmt: skip
        dofs = [f"{name}.{axis}" for axis in ("rx", "ry", "rz")]
        for gravity, style in ((EARTH, "-"), (WEIGHTLESS, ":")):
            forces = InverseDynamics.of(body, dofs=dofs, channels=(), gravity=gravity).forces(movement)
            said = label if style == "-" else None
            axes.plot(times, np.linalg.norm(forces, axis=1), style, color=colour, lw=1.6, label=said)
    keys = motion.key_times(document.rig.point("hand_r"))
    axes.plot(keys, np.zeros_like(keys), "o", color="#d5d8e0", ms=4, clip_on=False, label="keys")
    axes.plot([], [], ":", color="#d5d8e0", label="without gravity")
    axes.set(xlabel="time (s)", ylabel="torque (N m)", ylim=(0, None), xlim=(clip.start, clip.end))
    axes.legend(ncols=5, loc="upper center", bbox_to_anchor=(0.5, 1.16))
    figure.savefig(FOLDER / "torques.png", dpi=110)


def tail() -> None:
    """[OM] Fig. 13: the tail from above, frame by frame, on its way to the right and back."""
    fox_tail, follow_through = _gestures("fox_tail"), _gestures("follow_through")
    fox = ib.example("fox-tail")
    versions = {
        "keyed": fox,
        "naive": edits.guide(fox, channels="tail*", regularise=0.0).document,
        "regularised": fox_tail.after(fox)[0],
        "and a kernel": fox_tail.after(fox, fox_tail.FASTER)[0],
        "and follow-through": follow_through.guided(fox, follow_through.LIMP),
    }
    figure, grid = plt.subplots(2, len(versions), figsize=(10, 4.6), layout="constrained", sharex=True, sharey=True)
    joints = [fox.rig.joint_index(f"tail_{n}") for n in range(1, 10)]
    for column, (name, document) in zip(grid.T, versions.items(), strict=True):
        column[0].set_title(name, fontsize=10)
        for axes, first, way in zip(column, (0.0, 0.75), ("to its right", "back"), strict=True):
            places = document.motion().joint_positions(first + np.linspace(0.0, 0.75, 13))[:, joints]
            for n, place in enumerate(places):
                axes.plot(place[:, 0], place[:, 2], color=plt.cm.plasma(0.1 + 0.8 * n / 12), lw=1.2)
            axes.set(aspect="equal", xticks=[], yticks=[])
            axes.spines[:].set_visible(False)
            if name == "keyed":
                axes.set_ylabel(way)
    figure.savefig(FOLDER / "fox-tail-above.png", dpi=110)


def one_scene() -> None:
    scene = _gestures("one_scene")
    document = scene.opened()
    for step in scene.story():
        document = step.edit(document)
    document = replace(document, view=View((-2.3, 1.55, 2.2), (0.05, 1.0, 0.3), 0.5))
    pictures = [render_frame(document, f / 24, size=(420, 400), points=(scene.HAND,)) for f in (28, 34, 43)]
    save_png(np.concatenate(pictures, axis=1), FOLDER / "one-scene.png")


def _gestures(scene: str) -> ModuleType:
    """What benchmarks/gestures does to a scene."""
    return _benchmark(f"gestures.{scene}")


def _benchmark(name: str) -> ModuleType:
    """The benchmarks are not installed, they lie beside these pages."""
    sys.path.append(str(Path(__file__).parents[1]))
    return import_module(f"benchmarks.{name}")


PICTURES: dict[str, Callable[[], None]] = {
    "scenes": scenes,
    "segment": segment,
    "widths": admissible_widths,
    "limits": limits,
    "fit": fit,
    "drag": drag,
    "flight": flight,
    "drag-free": drag_free,
    "dive": dive,
    "posing": posing,
    "contacts": contacts,
    "skinning": skinning,
    "curled-tail": curled_tail,
    "drawn-scenes": drawn_scenes,
    "strokes": strokes,
    "torques": torques,
    "fox-tail-above": tail,
    "one-scene": one_scene,
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
        print(next(FOLDER.glob(f"{name}.*")))
