"""The page that `inbetweener guide --report` writes: one file, with its plots inside."""

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.cli.page import figure_of, svg, write

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.guidance import Guide, Report
    from inbetweener.motion import Clip

MOST_CURVES = 6


def write_page(document: "Document", clip: "Clip", run: "Guide", report: "Report", path: Path) -> None:
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


def _costs(report: "Report") -> str:
    figure = figure_of(2.2)
    axes = figure.subplots()
    axes.plot(report.costs, marker=".", color="#e07b00")
    axes.set(xlabel="step", ylabel="cost")
    axes.grid(color="#dfe2ea")
    return svg(figure)


def _heat(run: "Guide", clip: "Clip") -> str:
    from inbetweener.guidance import heat

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


def _curves(run: "Guide", clip: "Clip") -> str:
    from inbetweener.curves import evaluate

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
        axes.plot(frames, factor * pairs[name][0], color="#9aa3b2", label="before")
        axes.plot(frames, factor * pairs[name][1], color="#e07b00", label="after")
        keys = problem.curves[name].times
        inside = (keys >= start) & (keys <= end)
        axes.plot((keys[inside] - clip.start) * clip.rate, factor * problem.curves[name].values[inside], "k.")
        axes.set_title(f"{name} {unit}".strip(), loc="left", fontsize=9)
        axes.grid(color="#dfe2ea")
    grid[0].legend(loc="upper right")
    grid[-1].set_xlabel("frame")
    return svg(figure)
