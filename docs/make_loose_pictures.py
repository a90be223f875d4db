"""Make the pictures of the page on looseness from our own runs: `python docs/make_loose_pictures.py [NAME …]`."""

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import matplotlib
import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))  # scenes are worked over in benchmarks/gestures

from benchmarks.kinodynamics.comparison import convergence, errors_over_places
from inbetweener.builtin import example
from inbetweener.curves import evaluate
from inbetweener.document.edits import set_looseness
from inbetweener.kinodynamics import Bell, LooseMotion, PointTarget, Window, error_map
from inbetweener.render import Camera, render_frame
from inbetweener.rig import Point

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.colors import LogNorm

FOLDER = Path(__file__).parent / "pictures"
PURPLE, ORANGE, GREY, BLUE, GREEN = "#9b7bff", "#ff9e3d", "#8a8f9c", "#4aa8ff", "#5fce8a"
plt.rcParams.update({
    "figure.facecolor": "#14161c", "axes.facecolor": "#14161c", "savefig.facecolor": "#14161c", "text.color": "#d5d8e0",
    "axes.edgecolor": "#3a3f4c", "axes.labelcolor": "#d5d8e0", "xtick.color": GREY, "ytick.color": GREY,
    "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
})  # fmt: skip

JAB = 14 / 24


def window() -> None:
    """One state from its window, and trajectories for windows of several lengths ([IKD] Fig. 1)."""
    left, right = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained", width_ratios=(1, 1.15))[1]
    motion = boxer("loose")
    palm, step = motion.rig.point("palm_l"), motion.loosened.step
    times = np.arange(0.1, 1.45, step)

    def forward(values: np.ndarray) -> np.ndarray:
        return 100 * motion.rig.states(values, palm)[0][:, 2]

    keyed, loose = forward(motion.tight.channels(times)), forward(motion.channels(times))
    left.plot(times, keyed, color=GREY, lw=1.5, ls="--", label="keyed")
    left.plot(times, loose, color=PURPLE, lw=2.2, label="loose")
    for end in (0.62, 0.8):
        counts = np.arange(0, round(0.35 / step) + 1)
        along = end - 0.35 + counts * step
        path = forward(motion.states_after(along, counts))
        left.plot(along, path, color=ORANGE, lw=1.4)
        left.plot(along[0], path[0], "o", color=GREY, ms=6)
        left.plot(along[-1], path[-1], "o", color=ORANGE, ms=7)
    left.annotate("starts as keyed …", (0.27, forward(motion.tight.channels([0.27]))[0]), (0.12, 62), color=GREY,
                  arrowprops={"arrowstyle": "-", "color": GREY})  # fmt: skip
    left.annotate("… a state", (0.62, forward(motion.channels([0.62]))[0]), (0.3, 82), color=ORANGE,
                  arrowprops={"arrowstyle": "-", "color": ORANGE})  # fmt: skip
    left.set(xlabel="time (s)", ylabel="fist, forward (cm)", title="every state has a window of its own")
    left.legend(loc="upper right")
    drunk = boxer("drunk")
    motion = drunk
    right.plot(times, forward(drunk.simulated(times)), color="#d5d8e0", lw=3, alpha=0.35, label="whole simulation")
    for length, colour in ((0.1, BLUE), (0.3, GREEN), (1.0, PURPLE)):
        counts = np.full(len(times), round(length / step))
        right.plot(
            times, forward(drunk.states_after(times, counts)), color=colour, lw=1.4, label=f"window {length:g} s"
        )
    right.plot(times, forward(drunk.tight.channels(times)), color=GREY, lw=1.2, ls="--", label="keyed")
    right.set(xlabel="time (s)", title="longer windows come nearer to a simulation")
    right.legend(loc="upper right", fontsize=8)
    save(left, "loose-window")


def bells() -> None:
    """Shapes of bells and their wiggles."""
    left, right = plt.subplots(1, 2, figsize=(10, 2.7), layout="constrained", sharex=True)[1]
    drawn = ((-1.0, 0.0), (-0.6, 1.0), (0.0, 1.0), (0.5, 1.0), (1.0, 0.0))
    times = np.linspace(-0.6, 0.8, 500)
    for bell, colour, label in (
        (Bell(0.5, 0.5), PURPLE, "Gaussian"),
        (Bell(0.5, 0.5, "polynomial"), BLUE, "polynomial"),
        (Bell(0.2, 0.7), GREEN, "quick there, slow back"),
        (Bell(0.5, 0.6, drawn=drawn), ORANGE, "drawn by hand"),
    ):
        for axes, curve in zip((left, right), bell.curves(0.0), strict=True):
            axes.plot(times, evaluate(curve, times), color=colour, lw=1.8, label=label)
            axes.plot(curve.times, curve.values, "o", color=colour, ms=3)
    left.set(xlabel="seconds from the target", title="bells φ: what gives way, and when")
    right.set(xlabel="seconds from the target", title="wiggles ψ: another slope, the same value")
    left.legend(fontsize=8)
    save(left, "loose-bells")


def convergence_by_width() -> None:
    """[IKD] Fig. 8, ours beside Algorithm 1, on two bodies."""
    panels = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained", sharey=True)[1]
    styles = {"published": (GREY, "-"), "published, scaled": (BLUE, "-"), "coupled": (PURPLE, "-")}
    for axes, name in zip(panels, ("relaxed", "drunk"), strict=True):
        for curve in convergence(boxer(name), PointTarget(JAB, palm_l())):
            colour, _ = styles[curve.label]
            dashed = "-" if curve.width == 1.0 else ":"
            label = {"coupled": "ours"}.get(curve.label, f"Algorithm 1{curve.label.removeprefix('published')}")
            axes.semilogy(
                curve.windows, 100 * np.maximum(curve.errors, 1e-12), dashed, color=colour, lw=2,
                marker="o", ms=3, label=f"{label}, bell {curve.width:g} s",
            )  # fmt: skip
        axes.axhline(1e-2, color=ORANGE, lw=1, ls="--")
        axes.set(xlabel="windows simulated", title=f"a {name} boxer's jab", xlim=(0, 60), ylim=(1e-9, 100))
    panels[0].annotate("where the paper stops", (59, 1.4e-2), color=ORANGE, ha="right")
    panels[0].set(ylabel="distance from the target (cm)")
    panels[0].legend(loc="lower right", fontsize=8)
    save(panels[0], "loose-convergence")


def errors_over_targets() -> None:
    """[IKD] Fig. 9: what is left after six iterations, over where the target is put."""
    motion = boxer("relaxed", window=0.6)
    target = PointTarget(JAB, palm_l(), bell=Bell(0.5, 0.5))
    middle = motion.tight.states([JAB], palm_l())[0][0]
    forward, up = np.linspace(-0.45, 0.3, 14), np.linspace(-0.5, 0.4, 15)
    grid = np.array([middle + np.array([0.0, y, z]) for y in up for z in forward])
    found = errors_over_places(motion, target, grid)
    panels = plt.subplots(1, 2, figsize=(9.4, 3.8), layout="constrained", sharey=True)[1]
    names = ("Algorithm 1, six iterations", "ours, as many windows")
    for axes, errors, name in zip(panels, (found.published, found.coupled), names, strict=True):
        shown = axes.pcolormesh(
            100 * (middle[2] + forward), 100 * (middle[1] + up), 100 * errors.reshape(len(up), -1),
            norm=LogNorm(1e-8, 30), cmap="magma", shading="nearest",
        )  # fmt: skip
        axes.plot(100 * middle[2], 100 * middle[1], "o", mfc="none", mec=GREEN, ms=8)
        axes.set(xlabel="forward (cm)", title=name, aspect="equal")
    panels[0].set(ylabel="up (cm)")
    panels[0].figure.colorbar(shown, ax=panels, label="left (cm)")
    save(panels[0], "loose-places")
    print(f"  median {100 * np.median(found.published):.2g} and {100 * np.median(found.coupled):.2g} cm")


def errors_over_windows() -> None:
    """[IKD] Fig. 10: what windows of each length miss of a whole simulation, frame by frame."""
    axes = plt.subplots(figsize=(9, 3.4), layout="constrained")[1]
    motion = boxer("loose")
    times = motion.clip.frame_times
    lengths = np.linspace(0.05, 1.6, 40)
    errors = 1000 * error_map(motion, times, lengths)
    shown = axes.pcolormesh(24 * times, lengths, np.maximum(errors, 1e-3), norm=LogNorm(1e-2, 300), cmap="magma",
                            shading="nearest")  # fmt: skip
    axes.contour(24 * times, lengths, errors, levels=[1.0], colors=[GREEN], linewidths=1.5)
    for kind, style in (("auto", "--"), ("adaptive", "-")):
        looseness = replace(motion.loosened.looseness, window=kind)
        found = set_looseness(example("boxer"), "jab and cross", looseness).loose_motion().window(times)
        axes.plot(24 * times, found, style, color="white", lw=1.5, label=kind)
    axes.set(xlabel="frame", ylabel="window (s)", ylim=(0.05, 1.6))
    axes.legend(loc="upper right", fontsize=8)
    axes.figure.colorbar(shown, ax=axes, label="missed (mm); green: 1 mm")
    save(axes, "loose-windows")


def scenes() -> None:
    """Every scene tight, loose and solved for, on the frame that counts; two scenes a row."""
    shots = (
        ("boxer", 34, ("tight", "drunk", "narrow bell"), Camera((2.6, 1.5, 1.9), (0.0, 1.2, 0.45), 0.5)),
        ("drummer", 36, ("tight", "loose", "on target"), Camera((1.45, 1.5, 2.1), (-0.1, 0.85, 0.35), 0.55)),
        ("control_panel", 28, ("tight", "relaxed", "tapping"), Camera((-1.5, 1.75, 0.1), (0.05, 1.15, 0.3), 0.5)),
        ("four_letters", 48, ("tight", "loose", "C struck"), Camera((0.3, 1.3, 3.1), (0.05, 1.2, 0.0), 0.55)),
        ("hat_and_door", 22, ("tight", "soft", "under the door"), Camera((1.7, 1.75, 3.2), (-0.1, 1.4, 0.0), 0.5)),
        ("talking_face", 44, ("tight", "loose", "smile"), None),
    )  # fmt: skip
    views = []
    for name, frame, versions, camera in shots:
        made = gestures(name).worked().versions
        views += [render_frame(made[version], frame / 24, size=(240, 220), camera=camera) for version in versions]
    rows = [np.concatenate(views[first : first + 6], axis=1) for first in range(0, len(views), 6)]
    Image.fromarray(np.concatenate(rows)).save(FOLDER / "loose-scenes.png", optimize=True)


def palm_l() -> Point:
    return example("boxer").rig.point("palm_l")


def boxer(name: str, window: Window = "auto") -> LooseMotion:
    """The boxer, as loose from the hips up as a preset says."""
    document = gestures("upper_body").upper_body(example("boxer"), name)
    looseness = replace(document.loosening().looseness, window=window)
    return set_looseness(document, document.clip().name, looseness).loose_motion()


def gestures(name: str) -> ModuleType:
    return import_module(f"benchmarks.gestures.{name}")


def save(axes: plt.Axes, name: str) -> None:
    axes.figure.savefig(FOLDER / f"{name}.png", dpi=110)
    plt.close(axes.figure)


PICTURES: dict[str, Callable[[], None]] = {
    each.__name__: each
    for each in (window, bells, convergence_by_width, errors_over_targets, errors_over_windows, scenes)
}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        print(name, flush=True)
        PICTURES[name]()
