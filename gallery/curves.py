"""The curves that changed most, one small drawing each: a line for every version, keys, and when targets are."""

from collections.abc import Mapping
from html import escape

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.rig import Channel

MOST = 4
WIDTH, HEIGHT = 300.0, 132.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 8.0, 10.0, 18.0
LOOKS = 4
"""How often a frame lines are looked at."""
UNITS = {"rotation": ("°", 180 / np.pi, 30.0), "translation": ("cm", 100.0, 10.0)}
"""By kind of channel: the unit, how many of it one is, and how much of it is as striking as all the others."""
NOTHING = 1e-6


def draw(versions: Mapping[str, Document]) -> list[str]:
    """Drawings, as SVG, of the channels that differ most between the first version and any other."""
    documents = list(versions.values())
    first = documents[0]
    frames = np.arange(LOOKS * (len(first.clip().frame_times) - 1) + 1) / LOOKS
    times = first.clip().start + frames / first.clip().rate
    names = [c.name for c in first.rig.channels]
    values = []
    for document in documents:
        found = document.shown_motion().channels(times)
        columns = [document.rig.channel_index(name) for name in names]
        values.append(found[:, columns])
    if len(values) < 2:
        return []
    change = np.max([np.abs(each - values[0]).max(axis=0) for each in values[1:]], axis=0)
    striking = np.array([change[i] * _unit(c)[1] / _unit(c)[2] for i, c in enumerate(first.rig.channels)])
    drawings: list[str] = []
    joints: set[str] = set()
    for i in np.argsort(-striking, kind="stable"):
        channel = first.rig.channels[i]
        joint = channel.name.rpartition(".")[0] or channel.name
        if striking[i] < NOTHING or len(drawings) == MOST:
            break
        if joint not in joints:
            joints.add(joint)
            drawings.append(_drawing(channel, documents, frames, [each[:, i] for each in values]))
    return drawings


def changed(versions: Mapping[str, Document]) -> str:
    """How many curves and layers the last version has that the first has not, and whether a key was added."""
    documents = list(versions.values())
    first, last = documents[0].clip(), documents[-1].clip()
    names = {*first.curves, *last.curves}
    other = sum(last.curves.get(name) != first.curves.get(name) for name in names)
    said = f"{other} of {len(names)} curves changed" if other else "no keyed curve changed"
    layers = len(last.layers) - len(first.layers)
    if layers:
        said += f", {layers} layer{'s' if layers > 1 else ''} of corrections on top"
    more = sum(map(len, last.curves.values())) - sum(map(len, first.curves.values()))
    return said + (f", {more} keys added" if more > 0 else ", no key added")


def _unit(channel: Channel) -> tuple[str, float, float]:
    return UNITS.get(channel.kind, ("", 1.0, 0.3))


def _drawing(channel: Channel, documents: list[Document], frames: Floats, lines: list[Floats]) -> str:
    unit, factor, _ = _unit(channel)
    low, high = factor * min(line.min() for line in lines), factor * max(line.max() for line in lines)
    room = max(0.08 * (high - low), 1e-6)
    low, high = low - room, high + room

    def x(frame: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * frame / float(frames[-1])

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - factor * value) / (high - low)

    clip = documents[0].clip()
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    parts = [f'<rect class="plot" x="{LEFT}" y="{TOP}" width="{across}" height="{down}"/>']
    for aim in documents[-1].loosening().aims:
        at = x((aim.target.time - clip.start) * clip.rate)
        parts.append(f'<line class="target" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
    for n, line in enumerate(lines):
        way = " ".join(f"{x(frame):.1f},{y(value):.1f}" for frame, value in zip(frames, line, strict=True))
        parts.append(f'<polyline class="line {ink(n, len(lines))}" points="{way}"/>')
    curve = clip.curves.get(channel.name)
    if curve is not None and len(curve) > 1:
        for time, value in zip(curve.times, curve.values, strict=True):
            a, b = x((time - clip.start) * clip.rate), y(value)
            if 0 <= b <= HEIGHT:
                parts.append(f'<path class="key" d="M{a:.1f} {b - 3.5:.1f}l3.5 3.5-3.5 3.5-3.5-3.5z"/>')
    for value, at in ((high - room, TOP + 8), (low + room, HEIGHT - BOTTOM)):
        parts.append(f'<text class="scale" x="{LEFT - 4}" y="{at:.0f}">{_short(value)}{unit}</text>')
    parts.append(f'<text class="scale" x="{WIDTH - RIGHT}" y="{HEIGHT - 5:.0f}">frame {frames[-1]:g}</text>')
    drawing = f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img">{"".join(parts)}</svg>'
    return f"<figure>{drawing}<figcaption>{escape(channel.name)}</figcaption></figure>"


def ink(number: int, count: int) -> str:
    """The first version is pale, the last one in the accent, whatever is between has colours of its own."""
    if number == 0:
        return "first"
    return "last" if number == count - 1 else f"between-{number}"


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2g}"
