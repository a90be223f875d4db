"""Curves on paper: values over frames with keys, handles and limits, as SVG or PNG."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Bundle, Curve
from inbetweener.curves.key import BEZIER, CONSTANT
from inbetweener.document import Document
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.motion import Clip
from inbetweener.render.output import checked, complete
from inbetweener.rig import Channel, Rig

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Theme = Literal["dark", "light"]
MOST_PANELS = 24
MOST_KEYS_WITH_HANDLES = 60
_UNITS = {"translation": ("cm", 100.0), "rotation": ("°", 180 / np.pi), "scale": ("×", 1.0)}
_AXES = {"x": "#e5534b", "y": "#57ab5a", "z": "#539bf5"}
_OTHERS = ("#a06bff", "#2bb3a3", "#d98e2b", "#c65bb0", "#7f8fa6", "#8fae3c")


class _Ink(NamedTuple):
    paper: str
    panel: str
    text: str
    grid: str
    key: str
    shade: str


_INKS: dict[str, _Ink] = {
    "dark": _Ink("#1b1e25", "#20242c", "#c8cdd8", "#343a46", "#ff9a2e", "#e5383b"),
    "light": _Ink("#ffffff", "#fafafc", "#2a2f3a", "#dfe2ea", "#e07b00", "#e5383b"),
}


def plot_curves(
    document: Document,
    path: str | Path,
    channels: Sequence[str] | None = None,
    clip: str | None = None,
    *,
    theme: Theme = "dark",
    width: float = 9.6,
) -> None:
    """Plot the curves of a clip to `path` (.svg or .png); `channels` are names or patterns such as "arm_l.*".

    Rotations are in degrees, translations in centimetres, time in frames. Without `channels`, all that move.
    """
    path = checked(path, (".svg", ".png"), "a plot")
    if theme not in _INKS:
        raise UnknownName("theme", theme, get_args(Theme))
    shown = document.clip(clip)
    panels = _panels(document.rig, shown, channels)
    _draw(document, shown, panels, path, _INKS[theme], width)


def _panels(rig: Rig, clip: Clip, patterns: Sequence[str] | None) -> list[list[Channel]]:
    """Channels that share a plot: those of one joint and one unit."""
    if patterns is None:
        named = [c for c in rig.channels if c.name in clip.curves and len(clip.curves[c.name]) > 1]
        if not named:
            raise InbetweenerError(f"clip {clip.name!r} has no curve with more than one key; name the channels to plot")
    else:
        for pattern in patterns:
            if not any(_matches(c, pattern) for c in rig.channels):
                raise UnknownName("channel", pattern, [c.name for c in rig.channels])
        named = [c for c in rig.channels if any(_matches(c, pattern) for pattern in patterns)]
    grouped: dict[tuple[str, str], list[Channel]] = {}
    for channel in named:
        grouped.setdefault((channel.name.rpartition(".")[0], channel.kind), []).append(channel)
    return list(grouped.values())


def _matches(channel: Channel, pattern: str) -> bool:
    return channel.name == pattern or fnmatchcase(channel.name, pattern)


def _draw(document: Document, clip: Clip, panels: list[list[Channel]], path: Path, ink: _Ink, width: float) -> None:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    left_out = len(panels) - MOST_PANELS
    panels = panels[:MOST_PANELS]
    style: Any = {
        "svg.hashsalt": "inbetweener", "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 9,
        "text.color": ink.text, "axes.labelcolor": ink.text, "axes.edgecolor": ink.grid, "axes.facecolor": ink.panel,
        "xtick.color": ink.text, "ytick.color": ink.text, "figure.facecolor": ink.paper, "grid.color": ink.grid,
    }  # fmt: skip
    with matplotlib.rc_context(style):
        figure = Figure(
            figsize=(width, 0.8 + 2.1 * len(panels) + (0.8 if len(panels) == 1 else 0)), layout="constrained"
        )
        FigureCanvasAgg(figure)
        title = f"{document.name} · {clip.name}"
        if left_out > 0:
            title += f" (and {left_out} more groups of channels: name the ones to plot)"
        figure.suptitle(title, fontsize=11)
        all_axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for axes, channels in zip(all_axes, panels, strict=True):
            _panel(axes, document.rig, clip, channels, ink)
        all_axes[-1].set_xlabel("frame")
        with complete(path) as partial:
            if path.suffix.lower() == ".svg":
                figure.savefig(partial, format="svg", metadata={"Date": None, "Creator": "inbetweener"})
            else:
                figure.savefig(partial, format="png", dpi=100)


def _panel(axes: "Axes", rig: Rig, clip: Clip, channels: list[Channel], ink: _Ink) -> None:
    unit, factor = _UNITS.get(channels[0].kind, ("", 1.0))
    others = iter(_OTHERS * (len(channels) // len(_OTHERS) + 1))
    with_handles = sum(len(clip.curves[c.name]) for c in channels if c.name in clip.curves) <= MOST_KEYS_WITH_HANDLES
    for channel in channels:
        tint = _AXES.get(channel.name[-1], "") if channel.kind in _UNITS else ""
        curve = clip.curves.get(channel.name) or Curve.constant(channel.default, clip.start)
        _curve(axes, channel.name, curve, clip, factor, tint or next(others), ink, with_handles)
    _limits(axes, channels, factor, ink)
    _layered(axes, rig, clip, channels, factor, ink)
    axes.set_ylabel(f"{channels[0].name.rpartition('.')[0] or channels[0].kind} {f'({unit})' if unit else ''}".strip())
    axes.grid(visible=True, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.02, y=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper right", fontsize=8, frameon=False, ncols=min(len(channels), 6), handlelength=1.2)


def _curve(
    axes: "Axes", name: str, curve: Curve, clip: Clip, factor: float, tint: str, ink: _Ink, with_handles: bool
) -> None:
    def frames(times: Floats) -> Floats:
        return np.asarray((times - clip.start) * clip.rate)

    times, values = drawn(curve)
    label = name.rpartition(".")[2]
    (line,) = axes.plot(frames(times), factor * values, color=tint, linewidth=1.6, label=label, zorder=3)
    line.set_gid(f"curve:{name}")
    # Before its first key and after its last one a curve is held.
    for start, end, value in (
        (clip.start, curve.times[0], curve.values[0]),
        (curve.times[-1], clip.end, curve.values[-1]),
    ):
        if start < end:
            axes.plot(frames(np.array([start, end])), [factor * value] * 2, color=tint, linewidth=1, linestyle=":")
    if with_handles:
        for start, end in handles(curve):
            pair = np.stack([start, end])
            axes.plot(
                frames(pair[:, 0]), factor * pair[:, 1],
                color=ink.text, alpha=0.55, linewidth=0.8, marker="o", markersize=2.6, markevery=[1], zorder=4,
            )[0].set_gid(f"handle:{name}")  # fmt: skip
    (dots,) = axes.plot(
        frames(curve.times), factor * curve.values,
        linestyle="none", marker="D" if with_handles else ".", markersize=5 if with_handles else 2,
        color=ink.key, markeredgecolor=ink.panel, markeredgewidth=0.6 if with_handles else 0, zorder=5,
    )  # fmt: skip
    dots.set_gid(f"keys:{name}")


def _limits(axes: "Axes", channels: list[Channel], factor: float, ink: _Ink) -> None:
    """Shade what channels may not reach, without stretching the axes to show a limit that is far away."""
    low, high = bottom, top = axes.get_ylim()
    room = 0.25 * (high - low)
    beyond = 20 * room
    # Channels that share a limit share its shade, or seven of them would make it opaque.
    for limit in {factor * channel.lower for channel in channels}:
        if limit > low - room:
            axes.axhspan(limit - beyond, limit, color=ink.shade, alpha=0.08, linewidth=0)
            bottom = min(bottom, limit - 0.4 * room)
    for limit in {factor * channel.upper for channel in channels}:
        if limit < high + room:
            axes.axhspan(limit, limit + beyond, color=ink.shade, alpha=0.08, linewidth=0)
            top = max(top, limit + 0.4 * room)
    axes.set_ylim(bottom, top)


def _layered(axes: "Axes", rig: Rig, clip: Clip, channels: list[Channel], factor: float, ink: _Ink) -> None:
    """Where layers are added, what comes out of it, dashed."""
    from inbetweener.motion import Motion, heard

    if not heard(rig, clip):
        return
    times = np.linspace(clip.start, clip.end, 6 * len(clip.frame_times) + 1)
    values = Motion(rig, clip).channels(times)
    for channel in channels:
        axes.plot(
            (times - clip.start) * clip.rate, factor * values[:, rig.channel_index(channel.name)],
            color=ink.text, linewidth=1, linestyle="--", zorder=3.5,
        )  # fmt: skip


def drawn(curve: Curve, samples: int = 24) -> tuple[Floats, Floats]:
    """Times and values of a line that shows the curve, with the jumps of constant segments upright."""
    if len(curve) == 1:
        return curve.times, curve.values
    samples = 2 if len(curve) > 200 else samples
    times, values = [], []
    bundle = Bundle.of([curve])
    for i in range(len(curve) - 1):
        at = np.linspace(curve.times[i], curve.times[i + 1], samples)
        value = bundle.evaluate(at)[:, 0]
        if curve.interpolations[i] == CONSTANT:
            value[-1] = value[0]
        times.append(at)
        values.append(value)
    return np.concatenate([*times, curve.times[-1:]]), np.concatenate([*values, curve.values[-1:]])


def handles(curve: Curve) -> list[tuple[Floats, Floats]]:
    """(key, handle) pairs in (time, value) for every tangent that has an effect."""
    found = []
    for i in range(len(curve)):
        key = np.array([curve.times[i], curve.values[i]])
        if i > 0 and curve.interpolations[i - 1] == BEZIER and curve.ins[i, 0] > 0:
            found.append((key, key - curve.ins[i]))
        if i < len(curve) - 1 and curve.interpolations[i] == BEZIER and curve.outs[i, 0] > 0:
            found.append((key, key + curve.outs[i]))
    return found
