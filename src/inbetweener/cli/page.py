"""Pages that reports are written as: one HTML file each, with its plots inside."""

from collections.abc import Iterable
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import evaluate
from inbetweener.document import Document
from inbetweener.guidance import Guide, Report, heat
from inbetweener.kinodynamics import LooseMotion, PointTarget, SoftPoint
from inbetweener.kinodynamics.solution import Solution, span
from inbetweener.motion import Clip
from inbetweener.system import replace_file

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#2a2f3a}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}svg{width:100%;height:auto}"
    "td,th{padding:.1rem .8rem .1rem 0;text-align:left}"
)


def write(path: Path, title: str, parts: Iterable[str]) -> None:
    """Parts of HTML as a page of its own, whole or not at all."""
    head = f"<!doctype html><meta charset='utf-8'><title>{escape(title)}</title><style>{_STYLE}</style>"
    replace_file(path, (head + "".join(parts)).encode())


def figure_of(height: float) -> Any:
    """An empty matplotlib figure as wide as the page."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # The same numbers give the same file.
    mpl.rcParams["svg.hashsalt"] = "inbetweener"
    return Figure(figsize=(9.0, height))


def svg(figure: Any) -> str:
    """A figure as text that stands inside a page."""
    text = StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def write_guide_page(document: Document, clip: Clip, run: Guide, report: Report, path: Path) -> None:
    """What a run did to a clip, as one HTML file."""
    rows = "".join(
        f"<tr><td>{escape(c.label or 'all')}</td><td>{escape(c.term)}</td>"
        f"<td>{c.before:.4f}</td><td>{c.after:.4f}</td><td>{c.percent:+.0f} %</td></tr>"
        for c in (*report.terms, *report.joints)
    )
    parts = [
        f"<h1>{escape(document.name)}: {escape(clip.name)}</h1><p>{escape(report.summary)}</p>",
        f"<table><tr><th>joint</th><th>term</th><th>before</th><th>after</th><th></th></tr>{rows}</table>",
        f"<h2>Cost, step by step</h2>{_costs(report)}",
        f"<h2>Cost over time, before and after</h2>{_heat(run, clip)}",
        f"<h2>Curves that changed most</h2>{_curves(run, clip)}",
    ]
    write(path, document.name, parts)


def _costs(report: Report) -> str:
    figure = figure_of(2.2)
    _axes(figure, "cost", "step").plot(report.costs, marker=".", color=LOOSE)
    return svg(figure)


def _heat(run: Guide, clip: Clip) -> str:
    problem = run.problem
    start, end = problem.parameters.span
    # Between keys, where accelerations are defined; the last few per mille of a stretch would show nothing more.
    times = np.linspace(start, end, 241)[1:-1] + 1e-6
    both = [heat(problem, x, times) for x in (problem.parameters.start, run.last.evaluation.x)]
    chosen = [i for i in range(len(both[0].terms)) if both[0].terms[i] not in ("path", "tangents")]
    chosen = [i for i in chosen if max(h.values[i].mean() for h in both) > 0.01 * both[0].values[chosen].mean()]
    most = max(float(np.quantile(h.values[chosen], 0.99)) for h in both)
    figure = figure_of(0.8 + 0.45 * len(chosen))
    for axes, each, title in zip(figure.subplots(1, 2, sharey=True), both, ("before", "after"), strict=True):
        axes.imshow(
            each.values[chosen], aspect="auto", cmap="inferno", vmin=0.0, vmax=most, interpolation="nearest",
            extent=((start - clip.start) * clip.rate, (end - clip.start) * clip.rate, len(chosen), 0),
        )  # fmt: skip
        axes.set_yticks(np.arange(len(chosen)) + 0.5, [f"{each.labels[i]} {each.terms[i]}" for i in chosen])
        axes.set(title=title, xlabel="frame")
    return svg(figure)


def _curves(run: Guide, clip: Clip) -> str:
    problem = run.problem
    start, end = problem.parameters.span
    times = np.linspace(start, end, 400)
    after = run.last.curves
    pairs = {name: (evaluate(problem.curves[name], times), evaluate(after[name], times)) for name in problem.names}
    names = sorted(pairs, key=lambda name: -float(np.abs(pairs[name][1] - pairs[name][0]).max()))[:MOST_CURVES]
    figure = figure_of(1.7 * len(names))
    grid = figure.subplots(len(names), 1, sharex=True, squeeze=False, gridspec_kw={"hspace": 0.35})[:, 0]
    for axes, name in zip(grid, names, strict=True):
        turns = problem.motion.rig.channel(name).kind == "rotation"
        factor, unit = (180.0 / np.pi, "°") if turns else (1.0, "")
        frames = (times - clip.start) * clip.rate
        axes.plot(frames, factor * pairs[name][0], color=KEYED, label="before")
        axes.plot(frames, factor * pairs[name][1], color=LOOSE, label="after")
        keys = problem.curves[name].times
        inside = (keys >= start) & (keys <= end)
        axes.plot((keys[inside] - clip.start) * clip.rate, factor * problem.curves[name].values[inside], "k.")
        axes.set_title(f"{name} {unit}".strip(), loc="left", fontsize=9)
        axes.grid(color="#dfe2ea")
    grid[0].legend(loc="upper right")
    grid[-1].set_xlabel("frame")
    return svg(figure)


MOST_PATHS, MOST_CURVES = 5, 6
KEYED, LOOSE, MARK = "#9aa3b2", "#e07b00", "#c9a400"


def write_loosen_page(document: Document, clip: str, solution: Solution, path: Path) -> None:
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


def _said(motion: LooseMotion, loose: Floats, keyed: Floats) -> str:
    springs = motion.loosened.looseness.springs
    strays = np.linalg.norm(loose - keyed, axis=-1)
    at, joint = np.unravel_index(int(strays.argmax()), strays.shape)
    name, frame = motion.rig.joints[joint].name, int(at)
    return f"{len(springs)} springs; {escape(name)} strays furthest, {100 * strays.max():.1f} cm at frame {frame}."


def _targets(solution: Solution) -> str:
    rows = "".join(
        f"<tr><td>{escape(o.name)}</td><td>{span(o.target).removeprefix('at ')}</td>"
        f"<td>{_centimetres(o.before.distance)}</td>"
        f"<td>{_centimetres(o.after.distance)}</td><td>{'hit' if o.reached else 'out of reach'}</td></tr>"
        for o in solution.outcomes
    )
    head = "<tr><th>target</th><th>at</th><th>missed by, before</th><th>now</th><th></th></tr>"
    return f"<table>{head}{rows}</table>" if rows else "<p>No targets.</p>"


def _centimetres(metres: float) -> str:
    return f"{100 * metres:.3g} cm"


def _frames(motion: LooseMotion, times: Floats) -> Floats:
    return (times - motion.clip.start) * motion.clip.rate


def _axes(figure: Any, ylabel: str, xlabel: str = "frame") -> Any:
    axes = figure.subplots()
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(color="#dfe2ea")
    return axes


def _strays(motion: LooseMotion, loose: Floats, keyed: Floats) -> str:
    strays = 100 * np.linalg.norm(loose - keyed, axis=-1)
    figure = figure_of(2.6)
    axes = _axes(figure, "cm")
    for joint in np.argsort(-strays.max(axis=0), kind="stable")[:MOST_PATHS]:
        axes.plot(_frames(motion, motion.clip.frame_times), strays[:, joint], label=motion.rig.joints[joint].name)
    axes.legend(loc="upper right")
    return svg(figure)


def _paths(motion: LooseMotion, solution: Solution, loose: Floats, keyed: Floats) -> str:
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


def _convergence(solution: Solution) -> str:
    figure = figure_of(2.4)
    axes = _axes(figure, "worst target, cm", "windows simulated")
    axes.semilogy([p.windows for p in solution.history], [100 * max(p.error, 1e-14) for p in solution.history], "o-")
    return svg(figure)


def _corrections(motion: LooseMotion, solution: Solution) -> str:
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


def _windows(motion: LooseMotion, loose: Floats) -> str:
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
