"""Keys as text: copied with their tangents, and pasted at another time, onto other joints, clips and documents."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

import msgspec
import numpy as np

from inbetweener.curves import Curve, Interpolation
from inbetweener.curves.edit import settled
from inbetweener.curves.key import INTERPOLATIONS
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import curves_of, set_curves
from inbetweener.document.edits.keys import delete_keys
from inbetweener.document.edits.result import Result, not_here
from inbetweener.document.edits.words import frame_of, moment, near, seconds, the_clip
from inbetweener.errors import InvalidCurve, InvalidEdit
from inbetweener.rig import Rig
from inbetweener.rig.mirror import Mirror

FORMAT = "inbetweener-keys"
VERSION = 1
LONGEST = 64 << 20
"""Characters of a text that is looked at."""
PROBES = (0.3, -0.7)
"""By how much a channel is moved to see what its mirror image does."""

Finite = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
Width = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]


class _Key(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """Seconds from the start of the copy, value, both tangents, how the segment after it runs, and if they are tied."""

    time: Finite
    value: Finite
    in_x: Width
    in_y: Finite
    out_x: Width
    out_y: Finite
    interpolation: Interpolation
    tied: bool


class _Channel(msgspec.Struct, forbid_unknown_fields=True):
    channel: str
    keys: Annotated[list[_Key], msgspec.Meta(min_length=1)]
    joint: str | None = None
    axis: str | None = None


class _Text(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    span: Width
    channels: Annotated[list[_Channel], msgspec.Meta(min_length=1)]


@dataclass(frozen=True, slots=True, repr=False)
class PasteResult(Result):
    """A document with keys that were pasted: how many, on which channels, and which of the copied ones are not here."""

    clip: str
    frame: str
    keys: int
    channels: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """How many, and where."""
        return (f"{self.keys} keys on {len(self.channels)} channels of {self.clip!r}, from frame {self.frame}",)

    @property
    def problem(self) -> str:
        """What is not here."""
        return not_here(self.left_out)

    @property
    def facts(self) -> dict[str, Any]:
        """The same for pipelines."""
        return {
            "clip": self.clip,
            "keys": self.keys,
            "channels": list(self.channels),
            "left_out": list(self.left_out),
        }


def copy_keys(
    document: Document,
    channels: Iterable[str] | None = None,
    *,
    joints: Iterable[str] | None = None,
    keys: Mapping[str, Iterable[int]] | None = None,
    start: float | str | None = None,
    end: float | str | None = None,
    clip: str | None = None,
    layer: str | None = None,
) -> str:
    """Keys as a text for any clipboard: of some channels or joints or all, from one time to another, both included.

    Or just those `keys`, by channel and number.
    """
    shown = the_clip(document, clip)
    curves, rig = curves_of(document, shown.name, layer), document.rig
    wanted = _chosen(rig, channels, joints) if keys is None else set(keys)
    first, last = (None if each is None else seconds(shown, each) for each in (start, end))
    taken: dict[str, list[int]] = {}
    for name in (channel.name for channel in rig.channels if channel.name in wanted and channel.name in curves):
        times = curves[name].times
        numbers = range(len(times)) if keys is None else sorted({int(key) for key in keys[name]})
        if any(not 0 <= key < len(times) for key in numbers):
            raise InvalidEdit(f"{name!r} has {len(times)} keys, not so many as were asked for", "keys")
        within = [
            key
            for key in numbers
            if (first is None or times[key] >= first - near(shown))
            and (last is None or times[key] <= last + near(shown))
        ]
        if within:
            taken[name] = within
    if not taken:
        raise InvalidEdit("there are no keys there to copy; choose other channels or times", "channels")
    origin = min(float(curves[name].times[numbers[0]]) for name, numbers in taken.items()) if first is None else first
    until = max(float(curves[name].times[numbers[-1]]) for name, numbers in taken.items()) if last is None else last
    listed = [_copied(rig, name, curves[name], numbers, origin) for name, numbers in taken.items()]
    text = _Text(FORMAT, VERSION, max(until - origin, 0.0), listed)
    return msgspec.json.encode(text).decode()


def cut_keys(document: Document, clip: str, keys: Mapping[str, Iterable[int]], *, layer: str | None = None) -> Document:
    """The document without these keys, by channel and number; `copy_keys` has them as text."""
    for channel, numbers in keys.items():
        document = delete_keys(document, clip, channel, sorted(set(numbers)), layer=layer)
    return document


def paste_keys(
    document: Document,
    text: str,
    *,
    frame: float | None = None,
    time: float | str | None = None,
    mirrored: bool = False,
    joints: Iterable[str] | None = None,
    clip: str | None = None,
    layer: str | None = None,
) -> PasteResult:
    """Put copied keys in, the start of the copy at a time; keys that lie in that stretch give way.

    They go to channels of the same names or, `mirrored`, to their partners. With `joints` that are others than those
    copied, keys of one joint go onto each of them, those of several onto as many, in their order.
    """
    shown = the_clip(document, clip)
    at = moment(shown, frame, time)
    copied, rig = _read(text), document.rig
    found, left_out = _targets(rig, copied, None if joints is None else list(joints))
    if not found:
        names = ", ".join(each.channel for each in copied.channels[:3])
        raise InvalidEdit(
            f"none of the copied channels ({names} …) is in {document.name!r}; select the joints that shall have them",
            "joints",
        )
    curves = curves_of(document, shown.name, layer)
    images = _images(rig, list(found)) if mirrored else {name: (name, 1.0, 0.0) for name in found}
    made: dict[str, Curve | None] = {}
    for name, keys in found.items():
        target, sign, offset = images[name]
        # A layer that adds has no offset of its own: its values are differences.
        pasted = _curve(keys, at, sign, offset if layer is None else 0.0)
        made[target] = _merged(curves.get(target), pasted, at, at + copied.span, near(shown))
    changed = set_curves(document, shown.name, made, layer=layer)
    count = sum(len(keys) for keys in found.values())
    return PasteResult(changed, shown.name, frame_of(shown, at), count, tuple(made), left_out)


def _chosen(rig: Rig, channels: Iterable[str] | None, joints: Iterable[str] | None) -> set[str]:
    if channels is None and joints is None:
        return {channel.name for channel in rig.channels}
    names = {rig.channels[rig.channel_index(name)].name for name in channels or ()}
    moved = {rig.joint(name).name for name in joints or ()}
    return names | {channel.name for channel in rig.channels if any(each.joint in moved for each in channel.drives)}


def _copied(rig: Rig, name: str, curve: Curve, numbers: list[int], origin: float) -> _Channel:
    drives = rig.channels[rig.channel_index(name)].drives
    alone = drives[0] if len(drives) == 1 else None
    keys = [
        _Key(
            float(curve.times[k]) - origin,
            float(curve.values[k]),
            float(curve.ins[k, 0]),
            float(curve.ins[k, 1]),
            float(curve.outs[k, 0]),
            float(curve.outs[k, 1]),
            INTERPOLATIONS[curve.interpolations[k]],
            bool(curve.tied[k]),
        )
        for k in numbers
    ]
    return _Channel(name, keys, alone.joint if alone else None, alone.axis if alone else None)


def _read(text: str) -> _Text:
    """Copied keys; whatever else is on a clipboard is refused in one line."""
    foreign = "this text holds no keys that were copied here; copy keys first"
    if len(text) > LONGEST:
        raise InvalidEdit(f"{foreign}: it is far too long", "text")
    try:
        copied = msgspec.json.decode(text, type=_Text)
    except (msgspec.MsgspecError, UnicodeError) as error:
        why = f": {error}" if FORMAT in text[:200] else ""
        raise InvalidEdit(f"{foreign}{why}", "text") from None
    if copied.format != FORMAT or copied.version > VERSION:
        raise InvalidEdit(f"{foreign}: it is {copied.format[:40]!r} version {copied.version}", "text")
    for each in copied.channels:
        times = [key.time for key in each.keys]
        if any(after <= before for before, after in pairwise(times)):
            raise InvalidEdit(f"{foreign}: keys of {each.channel!r} are not in order", "text")
    return copied


def _targets(rig: Rig, copied: _Text, joints: list[str] | None) -> tuple[dict[str, list[_Key]], tuple[str, ...]]:
    """Copied keys by the channel that they go to, and the copied channels that have none here."""
    sources = list(dict.fromkeys(each.joint for each in copied.channels if each.joint is not None))
    chosen = [rig.joint(name).name for name in joints or ()]
    if not chosen or set(chosen) & set(sources):
        known = {channel.name for channel in rig.channels}
        found = {each.channel: each.keys for each in copied.channels if each.channel in known}
        return found, tuple(each.channel for each in copied.channels if each.channel not in known)
    if len(sources) != 1 and len(sources) != len(chosen):
        raise InvalidEdit(
            f"keys of {len(sources)} joints cannot go onto {len(chosen)}: select one joint's keys, or as many joints",
            "joints",
        )
    pairs = [(sources[0], each) for each in chosen] if len(sources) == 1 else list(zip(sources, chosen, strict=True))
    by_place = {
        (channel.drives[0].joint, channel.drives[0].axis): channel.name
        for channel in rig.channels
        if len(channel.drives) == 1
    }
    given, left_out = dict[str, list[_Key]](), list[str]()
    for each in copied.channels:
        targets = [by_place.get((there, each.axis or "")) for one, there in pairs if one == each.joint]
        given |= {name: each.keys for name in targets if name is not None}
        if not any(targets):
            left_out.append(each.channel)
    return given, tuple(left_out)


def _images(rig: Rig, names: list[str]) -> dict[str, tuple[str, float, float]]:
    """By channel, its partner and what the value becomes there: sign · value + offset."""
    mirror = Mirror.of(rig)
    numbers = [rig.channel_index(name) for name in names]
    found: dict[str, tuple[str, float, float]] = {}
    rest = mirror.pose(rig.defaults)
    for name, c in zip(names, numbers, strict=True):
        partner = int(mirror.channels[c])
        probes = np.tile(rig.defaults, (len(PROBES), 1))
        probes[:, c] += PROBES
        moved = mirror.pose(probes) - rest
        signs = moved[:, partner] / PROBES
        others = np.delete(moved, partner, axis=1)
        sign = float(np.round(signs[0]))
        if np.abs(others).max(initial=0.0) > 1e-6 or abs(sign) != 1.0 or np.abs(signs - sign).max() > 1e-6:
            raise InvalidEdit(
                f"the mirror image of {name!r} is no single curve, as the joint's axes lie askew; mirror poses instead",
                "mirrored",
            )
        found[name] = rig.channels[partner].name, sign, float(rest[partner] - sign * rig.defaults[c])
    return found


def _curve(keys: list[_Key], at: float, sign: float, offset: float) -> Curve:
    return Curve(
        times=np.array([at + key.time for key in keys]),
        values=np.array([sign * key.value + offset for key in keys]),
        ins=np.array([(key.in_x, sign * key.in_y) for key in keys]),
        outs=np.array([(key.out_x, sign * key.out_y) for key in keys]),
        interpolations=np.array([INTERPOLATIONS.index(key.interpolation) for key in keys], np.uint8),
        tied=np.array([key.tied for key in keys], np.bool_),
    )


_ARRAYS = ("times", "values", "ins", "outs", "interpolations", "tied")


def _merged(curve: Curve | None, pasted: Curve, start: float, end: float, gap: float) -> Curve:
    """The curve with the pasted keys in place of those from start to end."""
    if curve is None:
        return pasted
    kept = (curve.times < start - gap) | (curve.times > end + gap)
    merged = {name: np.concatenate([getattr(curve, name)[kept], getattr(pasted, name)]) for name in _ARRAYS}
    order = np.argsort(merged["times"], kind="stable")
    try:
        return settled(curve, **{name: array[order] for name, array in merged.items()}).curve
    except InvalidCurve as error:
        raise InvalidEdit(f"the copied keys make no curve: {error}", "text") from error
