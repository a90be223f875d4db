"""What a recipe may ask for: every verb that edits a document, with the words that its own signature takes.

A verb joins by being one: an edit that answers with a `Result` is a step, and its keywords are the step's keys. Some
steps are of the batch itself: recognise, judge, check; and retarget, where the clip is given, not the body.
"""

import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from inbetweener.batch.judged import judge
from inbetweener.batch.told import Told
from inbetweener.document import Document, problems
from inbetweener.document.edits.result import Result
from inbetweener.errors import InvalidEdit

Verb = Callable[..., Result]

UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "deg": 0.017453292519943295, "rad": 1.0, "ms": 1e-3, "s": 1.0}
"""What a number may be followed by, and how much that is in metres, radians or seconds."""
_MEASURE = re.compile(rf"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*({'|'.join(UNITS)})\s*")
_NEVER = ("document", "progress", "clip", "source")
"""Parameters that the batch itself gives."""


def recognise(document: Document, *, kind: str | None = None, sure: float = 0.0) -> Told:
    """What the body is; refused where it is of another kind, or less sure than it should be."""
    found = document.anatomy()
    if kind is not None and found.kind != kind:
        raise InvalidEdit(f"this is a {found.kind}, not a {kind}", "kind")
    confidence = min((part.confidence for part in found), default=0.0)
    named = sum(part.confidence for part in found) / max(1, len(document.rig.joints))
    if named < sure:
        raise InvalidEdit(f"joints are recognised with a confidence of {named:.2f}, less than {sure:g}", "sure")
    return Told(document, found.summary, {"kind": found.kind, "confidence": named, "least_sure": confidence})


def check(document: Document) -> Told:
    """Contradictions, and keys and curves outside their limits; they are told, and make a clip fall short."""
    from inbetweener.document.validation import outside_limits

    found = [*problems(document), *outside_limits(document)]
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return Told(document, f"{len(found) or 'no'} problems", {"problems": len(found)}, found[0] + more if found else "")


def retarget(
    document: Document,
    onto: Document,
    *,
    travels: bool = True,
    heading: float | None = None,
    tolerance: float | None = None,
) -> Told:
    """All clips on the character of another file: the verb of that name, seen from the clips that a batch is given."""
    from inbetweener.document import edits

    made = onto
    for each in onto.clips:
        made = edits.remove_clip(made, each.name)
    figures: dict[str, Any] = {}
    short: list[str] = []
    for clip in document.clips:
        result = edits.retarget(made, document, clip.name, travels=travels, heading=heading, tolerance=tolerance)
        made = result.document
        for name, value in result.facts.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                figures[name] = max(value, figures.get(name, value))
        short += [result.problem] if result.problem else []
    return Told(made, f"{len(document.clips)} clips on {onto.name!r}", figures, "; ".join(short))


@cache
def verbs() -> dict[str, Verb]:
    """Every step by its name."""
    from inbetweener.document import edits

    found: dict[str, Verb] = {}
    for name in edits.__all__:
        function = getattr(edits, name)
        if inspect.isfunction(function):
            answer = get_type_hints(function).get("return")
            if isinstance(answer, type) and issubclass(answer, Result):
                found[name] = function
    return {**found, **{each.__name__: each for each in (recognise, judge, check, retarget)}}


@cache
def keys(verb: Verb) -> dict[str, Any]:
    """What a verb takes, each with its type: what a recipe can say, that is."""
    hints = get_type_hints(verb)
    taken = inspect.signature(verb).parameters.values()
    return {each.name: hints[each.name] for each in taken if each.name not in _NEVER and _can_be_said(hints[each.name])}


def takes_clip(verb: Verb) -> bool:
    """Whether a verb works on one clip of several."""
    return "clip" in inspect.signature(verb).parameters


def takes_source(verb: Verb) -> bool:
    """Whether a verb looks at what the file holds."""
    return "source" in inspect.signature(verb).parameters


def required(verb: Verb) -> list[str]:
    """What a verb must be told."""
    taken = inspect.signature(verb).parameters.values()
    return [each.name for each in taken if each.default is each.empty and each.name not in _NEVER]


def said(value: Any, hint: Any) -> Any:
    """A value as a parameter of this type takes it; raises ValueError, with what it should be, where it does not fit.

    Numbers may have a unit: "5 mm", "1 deg".
    """
    if isinstance(value, str) and not _fits(value, hint) and (found := _MEASURE.fullmatch(value)):
        value = float(found[1]) * UNITS[found[2]]
    if not _fits(value, hint):
        raise ValueError(_called(hint))
    return value


def is_document(hint: Any) -> bool:
    """Whether a parameter takes a whole document, which a recipe names by its file."""
    return hint is Document or Document in get_args(hint)


def _can_be_said(hint: Any) -> bool:
    return any(_kind(each) != "" for each in _choices(hint))


def _choices(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _kind(hint: Any) -> str:
    """What a person calls values of this type; empty for what only programs have."""
    origin = get_origin(hint) or hint
    if origin is Literal:
        return " or ".join(repr(each) for each in get_args(hint))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "a table"
    if origin is tuple or getattr(origin, "__name__", "") in ("Iterable", "Sequence", "Collection", "_NestedSequence"):
        inner = get_args(hint)
        return "a list" if not inner or any(_can_be_said(each) for each in inner) else ""
    named = {float: "a number", complex: "a number", int: "a whole number", bool: "true or false", str: "a text"}
    return "a file" if origin is Document else named.get(origin, "")


def _called(hint: Any) -> str:
    return " or ".join(dict.fromkeys(kind for each in _choices(hint) if (kind := _kind(each))))


def _fits(value: Any, hint: Any) -> bool:
    return any(_fits_one(value, each) for each in _choices(hint))


def _fits_one(value: Any, hint: Any) -> bool:
    kind, inner = _kind(hint), get_args(hint)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if get_origin(hint) is Literal:
        return any(value == each and type(value) is type(each) for each in inner)
    if kind == "a table":
        return isinstance(value, dict) and all(_fits(each, inner[1]) for each in value.values())
    if kind == "a list":
        if not isinstance(value, list):
            return False
        if get_origin(hint) is tuple and inner[-1] is not ...:
            return len(value) == len(inner) and all(map(_fits, value, inner))
        return all(isinstance(each, int | float | list) or any(_fits(each, hint) for hint in inner) for each in value)
    return {
        "a number": number,
        "a whole number": number and isinstance(value, int),
        "true or false": isinstance(value, bool),
        "a text": isinstance(value, str) and hint is str,
        "a file": isinstance(value, str),
    }.get(kind, False)


def figures(facts: Mapping[str, Any]) -> dict[str, float | str]:
    """Facts of a verb as one row: numbers and short texts as they are, lists by their count and their worst."""
    row: dict[str, float | str] = {}
    for name, value in facts.items():
        if isinstance(value, bool | int | float | str):
            row[name] = float(value) if isinstance(value, bool) else value
        elif isinstance(value, Mapping):
            row |= {f"{name}.{inner}": each for inner, each in figures(value).items()}
        elif isinstance(value, Iterable):
            some = list(value)
            row[name] = len(some)
            for inner in dict.fromkeys(key for each in some if isinstance(each, Mapping) for key in each):
                sizes = [each[inner] for each in some if isinstance(each, Mapping) and _is_number(each.get(inner))]
                if sizes:
                    row[f"{name}.{inner}"] = max(sizes)
    return row


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
