"""Objects in which nothing is as by default: whoever forgets a field of theirs, also one yet to come, is found out."""

from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def unlike_default(cls: type[T], **given: Any) -> T:
    """An object of a dataclass, every field of which differs from its default; what is `given` is taken as it is."""
    hints = get_type_hints(cls)
    others = {f.name: unlike(hints[f.name], default(f)) for f in fields(cls) if f.name not in given}
    made = cls(**others, **given)
    assert not [f.name for f in fields(cls) if getattr(made, f.name) == default(f)]
    return made


def default(field: Any) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def unlike(hint: Any, value: object) -> Any:
    """A value of a type that is not `value`: small numbers, which are allowed nearly everywhere."""
    if is_dataclass(hint):
        return unlike_default(hint)
    if get_origin(hint) is Literal:
        return next(each for each in get_args(hint) if each != value)
    candidates = {float: [0.375, 0.125], int: [7, 5], bool: [True, False], str: ["some", "other"]}
    for choice in [hint, *get_args(hint)]:
        if choice in candidates:
            return next(each for each in candidates[choice] if each != value)
    raise TypeError(f"no value of {hint} to try; give one")
