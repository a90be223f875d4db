"""Expressions of a face: what VRM calls happy, a blink or a vowel, as channels of those names."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

Number = int | float
Json = dict[str, Any]

PRESETS = {
    "joy": "happy", "angry": "angry", "sorrow": "sad", "fun": "relaxed", "surprised": "surprised",
    "a": "aa", "i": "ih", "u": "ou", "e": "ee", "o": "oh",
    "blink": "blink", "blink_l": "blinkLeft", "blink_r": "blinkRight", "neutral": "neutral",
    "lookup": "lookUp", "lookdown": "lookDown", "lookleft": "lookLeft", "lookright": "lookRight",
}  # fmt: skip
"""What VRM 0.x calls them, and VRM 1.0."""
GAZE = frozenset({"lookUp", "lookDown", "lookLeft", "lookRight"})
"""Expressions that only gaze may move, by the letter of VRM animation."""


class OldBind(msgspec.Struct):
    """A shape of a mesh, in hundredths."""

    mesh: int
    index: int
    weight: Number = 100.0


class OldExpression(msgspec.Struct, rename="camel"):
    """A blend shape group of VRM 0.x."""

    name: str = ""
    preset_name: str = "unknown"
    binds: list[OldBind] = []


class Bind(msgspec.Struct):
    """A shape of a node's mesh."""

    node: int
    index: int
    weight: Number = 1.0


class Expression(msgspec.Struct, rename="camel"):
    """An expression of VRM 1.0."""

    morph_target_binds: list[Bind] = []


class Expressions(msgspec.Struct):
    """Those that every face knows, and a character's own."""

    preset: dict[str, Expression] = {}
    custom: dict[str, Expression] = {}


def binds_of(extensions: Json, nodes_of_mesh: Mapping[int, Sequence[int]]) -> Iterator[tuple[str, int, int, float]]:
    """All shapes of expressions: whose, its node, its number there, and how much of it.

    Raises msgspec.ValidationError where they make no sense.
    """
    new = _below(_below(extensions, "VRMC_vrm"), "expressions")
    told = msgspec.convert(new, Expressions)
    for name, expression in {**told.preset, **told.custom}.items():
        for each in expression.morph_target_binds:
            yield name, each.node, each.index, float(each.weight)
    old = _below(_below(extensions, "VRM"), "blendShapeMaster").get("blendShapeGroups") or []
    for group in msgspec.convert(old, list[OldExpression]):
        name = PRESETS.get(group.preset_name.lower(), group.name)
        for bind in group.binds:
            for node in nodes_of_mesh.get(bind.mesh, ()):
                yield name, node, bind.index, bind.weight / 100.0


def _below(record: Json, name: str) -> Json:
    found = record.get(name)
    return found if isinstance(found, dict) else {}


def names_of(extensions: Json) -> set[str]:
    """What a file calls its expressions, those of any face as VRM 1.0 calls them."""
    try:
        told = msgspec.convert(_below(_below(extensions, "VRMC_vrm"), "expressions"), Expressions)
        old = _below(_below(extensions, "VRM"), "blendShapeMaster").get("blendShapeGroups") or []
        groups = msgspec.convert(old, list[OldExpression])
    except msgspec.ValidationError:
        return set()
    return {*told.preset, *told.custom, *(PRESETS.get(group.preset_name.lower(), group.name) for group in groups)}


def own_shapes(
    binds: Iterable[tuple[str, int, int, float]], channels_of_node: Mapping[int, Sequence[str]]
) -> tuple[dict[str, list[str]], list[str]]:
    """The shape channels that are one expression's own, all of each, by its name; and expressions that mix others."""
    found: dict[str, dict[str, float]] = {}
    for name, node, index, weight in binds:
        names = channels_of_node.get(node, ())
        if name.strip() and 0 <= index < len(names):
            found.setdefault(name, {})[names[index]] = weight
    uses = Counter(channel for listed in found.values() for channel in listed)
    own, mixed = {}, []
    for name, listed in found.items():
        if all(uses[channel] == 1 and abs(weight - 1.0) < 1e-6 for channel, weight in listed.items()):
            own[name] = list(listed)
        else:
            mixed.append(name)
    return own, mixed
