"""Layers upon each other: which are heard, and several worked into one or into the base.

Upon what lies below, x, a layer of weight w and value c is x + w·c or, overriding, (1 − w)·x + w·c: channel by channel.
A merged clip moves like the one before: exactly wherever sums of curves are exact, elsewhere within a tolerance in
the channel's own unit (see `curves.addition`). Weights are worked in. Muted layers show nothing: merging leaves them
out, and only flattening and merging them by name take them away. Solo is a way of looking, which merging does not heed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isclose

from inbetweener.curves import Curve
from inbetweener.curves.addition import Term, weighted_sum
from inbetweener.errors import InvalidDocument
from inbetweener.motion.clip import Clip, Curves, Layer
from inbetweener.rig import Rig

TOLERANCE = 1e-6
"""Metres, radians or shares by which a merged channel may miss the sum: a thousandth of a millimetre."""


def heard(rig: Rig, clip: Clip) -> tuple[Layer, ...]:
    """The layers that show something, the lowest first, without the curves that their masks leave out."""
    if not clip.layers:
        return ()
    alone = any(layer.solo and not layer.muted for layer in clip.layers)
    return _shown(rig, [layer for layer in clip.layers if layer.solo or not alone])


def masked(rig: Rig, layer: Layer) -> Layer:
    """A layer without the curves that its mask leaves out."""
    if not layer.joints:
        return layer
    names = channels_of(rig, layer.joints)
    return replace(layer, curves=layer.curves.replaced({name: None for name in layer.curves if name not in names}))


def channels_of(rig: Rig, joints: Iterable[str]) -> set[str]:
    """The channels that drive any of the joints, or a handle that turns one."""
    wanted = set(joints)
    own = {each.name for each in rig.channels if any(drive.joint in wanted for drive in each.drives)}
    return own | {name for each in rig.handles if wanted & set(each.joints) for name in each.channels}


def _shown(rig: Rig, layers: Iterable[Layer]) -> tuple[Layer, ...]:
    shown = (masked(rig, each) for each in layers if not each.muted and (each.weight != 0 or each.weights is not None))
    return tuple(layer for layer in shown if layer.curves)


def merge_into_base(rig: Rig, clip: Clip, names: Iterable[str], tolerance: float = TOLERANCE) -> Clip:
    """The clip with the named layers worked into its base curves and gone from the stack."""
    merged = _named(clip, names)
    left = tuple(layer for layer in clip.layers if layer not in merged)
    _require_order(rig, clip, merged)
    return _based(rig, replace(clip, layers=left), _shown(rig, merged), tolerance)


def merge_layers(rig: Rig, clip: Clip, names: Iterable[str], into: str, tolerance: float = TOLERANCE) -> Clip:
    """The clip with the named layers replaced by one called `into`, where the lowest of them was.

    One layer either adds or overrides, by one weight: layers that together do neither are refused.
    """
    merged = _named(clip, names)
    if not merged:
        raise InvalidDocument(f"clip {clip.name!r}: name the layers to merge into {into!r}")
    if into in (layer.name for layer in clip.layers if layer not in merged):
        raise InvalidDocument(f"clip {clip.name!r} already has a layer {into!r}; merge into another name")
    _require_order(rig, clip, merged, merged[0])
    stacks = _stacks(_shown(rig, merged))
    weights = {1.0 - stack.left for stack in stacks.values()}
    together = next(iter(weights)) if len(weights) == 1 else 0.0
    if any(stack.fading for stack in stacks.values()) or not all(isclose(each, together) for each in weights):
        raise InvalidDocument(
            f"clip {clip.name!r}: {', '.join(repr(each.name) for each in merged)} do not make one layer: some channels "
            "are added to and others overridden, or by other weights; merge them into the base"
        )
    share = together or 1.0
    sums = {
        channel: _sum([(term[0] / share, *term[1:]) for term in stack.terms], tolerance)
        for channel, stack in stacks.items()
    }
    one = Layer(into, Curves(sums), share, override=together != 0.0, solo=any(each.solo for each in merged))
    layers = [one if layer is merged[0] else layer for layer in clip.layers if layer not in merged[1:]]
    return replace(clip, layers=tuple(layers))


def _named(clip: Clip, names: Iterable[str]) -> list[Layer]:
    """The layers of these names, the lowest first."""
    wanted = {clip.layer(name).name for name in names}
    return [layer for layer in clip.layers if layer.name in wanted]


def flatten(rig: Rig, clip: Clip, tolerance: float = TOLERANCE) -> Clip:
    """The clip as base curves alone; it shows the same motion."""
    return _based(rig, replace(clip, layers=()), heard(rig, clip), tolerance)


def difference(rig: Rig, before: Clip, after: Clip, tolerance: float = TOLERANCE) -> Curves:
    """What a layer must add to one clip so that it moves like another; channels that move alike are left out."""
    stacks = [_stacks(heard(rig, clip)) for clip in (before, after)]
    sums: dict[str, Curve] = {}
    for channel in dict.fromkeys((*before.curves, *after.curves, *stacks[0], *stacks[1])):
        default = Curve.constant(rig.channel(channel).default, after.start)
        both: list[list[Term]] = []
        for clip, stack in zip((before, after), (each.get(channel, _Stack()) for each in stacks), strict=True):
            factors: tuple[Curve, ...] = (clip.curves.get(channel, default), *stack.fading)
            both.append([(stack.left, *factors), *stack.terms])
        was, now = both
        # What both have leaves no keys behind.
        told = [term for term in now if term not in was]
        told += [(-term[0], *term[1:]) for term in was if term not in now]
        if told:
            sums[channel] = _sum(told, tolerance)
    return Curves(sums)


def _based(rig: Rig, clip: Clip, layers: Sequence[Layer], tolerance: float) -> Clip:
    """The clip with layers that show something worked into its base."""
    base: dict[str, Curve] = {}
    for channel, stack in _stacks(layers).items():
        default = Curve.constant(rig.channel(channel).default, clip.start)
        factors: tuple[Curve, ...] = (clip.curves.get(channel, default), *stack.fading)
        base[channel] = _sum([(stack.left, *factors), *stack.terms], tolerance)
    return replace(clip, curves=clip.curves.replaced(base))


@dataclass(frozen=True, slots=True)
class _Stack:
    """What layers make of a channel: `left` · Π `fading` of what lies below, and terms that are added to it."""

    left: float = 1.0
    fading: tuple[Curve, ...] = ()
    terms: tuple[Term, ...] = ()


def _stacks(layers: Iterable[Layer]) -> dict[str, _Stack]:
    """By channel, in the order they come."""
    made: dict[str, _Stack] = {}
    for layer in layers:
        weight, fade = (layer.weight, ()) if layer.weights is None else (1.0, (layer.weights,))
        for channel, curve in layer.curves.items():
            below = made.get(channel, _Stack())
            own: Term = (weight, curve, *fade)
            if not layer.override:
                made[channel] = replace(below, terms=(*below.terms, own))
                continue
            left = 1.0 - weight if layer.weights is None else 1.0
            faded = () if layer.weights is None else (_rest_of(layer.weights),)
            terms = tuple((left * term[0], *term[1:], *faded) for term in below.terms)
            # What is overridden altogether leaves no keys behind.
            kept = tuple(term for term in terms if term[0] != 0.0)
            made[channel] = _Stack(left * below.left, (*below.fading, *faded), (*kept, own))
    return made


def _rest_of(weights: Curve) -> Curve:
    """What a keyed weight leaves of what lies below."""
    return weighted_sum([(1.0, Curve.constant(1.0, float(weights.times[0]))), (-1.0, weights)])


def _require_order(rig: Rig, clip: Clip, merged: Sequence[Layer], lowest: Layer | None = None) -> None:
    """Refuse to take a layer past another where that would change the motion; down to the `lowest`, or the base."""
    under: list[Layer] = []
    reached = lowest is None
    for layer in clip.layers:
        reached = reached or layer is lowest
        if not reached:
            continue
        for shown in _shown(rig, [layer]):
            if layer not in merged:
                under.append(shown)
                continue
            for other in under:
                if (shown.override or other.override) and not shown.curves.keys().isdisjoint(other.curves.keys()):
                    raise InvalidDocument(
                        f"clip {clip.name!r}: layer {layer.name!r} cannot be merged past {other.name!r}, as one "
                        f"of them overrides; merge {other.name!r} too, or first"
                    )


def _sum(terms: Sequence[Term], tolerance: float) -> Curve:
    # What an override leaves nothing of counts for nothing, and a lone curve of full weight is itself: its keys stay as
    # the animator set them.
    told = [term for term in terms if term[0] != 0.0] or list(terms[:1])
    if len(told) == 1 and told[0][0] == 1.0 and len(told[0]) == 2:
        return told[0][1]
    return weighted_sum(told, tolerance)
