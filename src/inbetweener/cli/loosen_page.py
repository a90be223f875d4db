"""The page that `inbetweener loosen --report` writes: what swings, what was hit, and how true the windows are."""

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inbetweener.cli.page import figure_of, svg, write
from inbetweener.kinodynamics import PointTarget, SoftPoint

if TYPE_CHECKING:
    from inbetweener.arrays import Floats
    from inbetweener.document import Document
    from inbetweener.kinodynamics import LooseMotion
    from inbetweener.kinodynamics.solution import Solution

MOST_PATHS, MOST_CURVES = 5, 6
KEYED, LOOSE, MARK = "#9aa3b2", "#e07b00", "#c9a400"


def write_page(document: "Document", clip: str, solution: "Solution", path: Path) -> None:
    """How a loosened clip moves, as one HTML file."""
    motion = document.loose_motion(clip)
    times = motion.clip.frame_times
    loose, keyed = (each.joint_positions(times) for each in (motion, motion.tight))
    parts = [
        f"<h1>{escape(document.name)}: {escape(clip)}</h1><p>{_said(motion, loose, keyed)}</p>",
        _targets(solution),
        f"<h2>How far joints stray from their keys</h2>{_strays(motion, loose, keyed)}",
        f"<h2>Paths, loose and keyed</h2>{_paths(motion, solution, loose, keyed)}",
    ]
    if solution.outcomes:
        parts += [
            f"<h2>Nearer, window by window</h2>{_convergence(solution)}",
            f"<h2>Corrections, by channel</h2>{_corrections(motion, solution)}",
        ]
    parts.append(f"<h2>Windows, against one simulation of the whole clip</h2>{_windows(motion, loose)}")
    write(path, document.name, parts)


def _said(motion: "LooseMotion", loose: "Floats", keyed: "Floats") -> str:
    springs = motion.loosened.looseness.springs
    strays = np.linalg.norm(loose - keyed, axis=-1)
    at, joint = np.unravel_index(int(strays.argmax()), strays.shape)
    name, frame = motion.rig.joints[joint].name, int(at)
    return f"{len(springs)} springs; {escape(name)} strays furthest, {100 * strays.max():.1f} cm at frame {frame}."


def _targets(solution: "Solution") -> str:
    rows = "".join(
        f"<tr><td>{escape(o.name)}</td><td>{o.target.time:.3f} s</td><td>{_centimetres(o.before.distance)}</td>"
        f"<td>{_centimetres(o.after.distance)}</td><td>{'hit' if o.reached else 'out of reach'}</td></tr>"
        for o in solution.outcomes
    )
    head = "<tr><th>target</th><th>at</th><th>missed by, before</th><th>now</th><th></th></tr>"
    return f"<table>{head}{rows}</table>" if rows else "<p>No targets.</p>"


def _centimetres(metres: float) -> str:
    return f"{100 * metres:.3g} cm"


def _frames(motion: "LooseMotion", times: "Floats") -> "Floats":
    return (times - motion.clip.start) * motion.clip.rate


def _axes(figure: Any, ylabel: str) -> Any:
    axes = figure.subplots()
    axes.set(xlabel="frame", ylabel=ylabel)
    axes.grid(color="#dfe2ea")
    return axes


def _strays(motion: "LooseMotion", loose: "Floats", keyed: "Floats") -> str:
    strays = 100 * np.linalg.norm(loose - keyed, axis=-1)
    figure = figure_of(2.6)
    axes = _axes(figure, "cm")
    for joint in np.argsort(-strays.max(axis=0), kind="stable")[:MOST_PATHS]:
        axes.plot(_frames(motion, motion.clip.frame_times), strays[:, joint], label=motion.rig.joints[joint].name)
    axes.legend(loc="upper right")
    return svg(figure)


def _paths(motion: "LooseMotion", solution: "Solution", loose: "Floats", keyed: "Floats") -> str:
    """From the front and from the side: the joint that strays most, and every point that is aimed at."""
    times = motion.clip.frame_times
    joint = int(np.linalg.norm(loose - keyed, axis=-1).max(axis=0).argmax())
    shown: dict[str, tuple[Floats, Floats, list[Floats]]] = {
        motion.rig.joints[joint].name: (loose[:, joint], keyed[:, joint], [])
    }
    for outcome in solution.outcomes:
        target = outcome.target
        if isinstance(target, PointTarget) and not isinstance(target.point, SoftPoint):
            name = str(target.point)
            if name not in shown:
                shown[name] = (motion.states(times, target.point)[0], motion.tight.states(times, target.point)[0], [])
            if isinstance(target.position, tuple):
                shown[name][2].append(np.array(target.position))
            elif target.position is not None:
                shown[name][2].append(motion.tight.states([target.time], target.point)[0][0])
    figure = figure_of(3.4)
    for axes, (across, title) in zip(figure.subplots(1, 2), ((0, "front"), (2, "side")), strict=True):
        for name, (swung, straight, marks) in shown.items():
            axes.plot(straight[:, across], straight[:, 1], color=KEYED, marker=".", markersize=3)
            axes.plot(swung[:, across], swung[:, 1], color=LOOSE, marker=".", markersize=3)
            axes.annotate(name, swung[0, [across, 1]], fontsize=8)
            for mark in marks:
                axes.plot(mark[across], mark[1], "*", color=MARK, markersize=12)
        axes.set(title=title, xlabel="metres")
        axes.set_aspect("equal", adjustable="datalim")
        axes.grid(color="#dfe2ea")
    return svg(figure)


def _convergence(solution: "Solution") -> str:
    figure = figure_of(2.4)
    axes = _axes(figure, "worst target, cm")
    axes.semilogy([p.windows for p in solution.history], [100 * max(p.error, 1e-14) for p in solution.history], "o-")
    axes.set_xlabel("windows simulated")
    return svg(figure)


def _corrections(motion: "LooseMotion", solution: "Solution") -> str:
    from inbetweener.curves import evaluate

    times = np.linspace(motion.clip.start, motion.clip.end, 400)
    found = [
        (outcome.name, name, evaluate(curve, times))
        for outcome in solution.outcomes
        for name, curve in outcome.correction.items()
    ]
    found = sorted(found, key=lambda each: -float(np.abs(each[2]).max()))[:MOST_CURVES]
    figure = figure_of(2.8)
    axes = _axes(figure, "degrees, or the channel's unit")
    for target, name, values in found:
        turns = motion.rig.channel(name).kind == "rotation"
        axes.plot(_frames(motion, times), values * (180 / np.pi if turns else 1.0), label=f"{name} for {target}")
    axes.legend(loc="upper right", fontsize=8)
    return svg(figure)


def _windows(motion: "LooseMotion", loose: "Floats") -> str:
    times = motion.clip.frame_times
    whole = motion.rig.world_from_joint(motion.simulated(times))[..., 3]
    off = 1000 * np.linalg.norm(loose - whole, axis=-1).max(axis=1)
    figure = figure_of(2.4)
    axes = _axes(figure, "furthest joint, mm")
    axes.plot(_frames(motion, times), off, color=LOOSE)
    lengths = axes.twinx()
    lengths.plot(_frames(motion, times), motion.window(times), color=KEYED, linestyle="--")
    lengths.set_ylabel("window, s")
    lengths.set_ylim(bottom=0.0)
    return f"<p>{off.max():.3g} mm at most, {off.mean():.3g} mm on average.</p>{svg(figure)}"
