"""Objects of the library as structs, field by field: what the native file, the journal and messages are made of.

A struct has the fields of the class that it stands for, under the same names, and may have fields of its own. In place
of an object within it may have that object's fields (a prop has translation, rotation and scale for its transform), and
in place of a mapping a list of structs with a name each. What is infinite is null.

A struct that differs more says how: its classmethod `tell` gives those of its fields that the object has otherwise, its
method `mean` those of the object's fields that the struct has otherwise.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
from msgspec import Struct

from inbetweener.document.native.misfit import placed
from inbetweener.errors import InvalidDocument

S = TypeVar("S", bound=Struct)

_CLASSES: dict[type[Struct], type] = {}
_SCALARS: dict[Any, type | tuple[type, ...]] = {bool: (bool, np.bool_), int: Integral, float: Real, str: str}


def stands_for(cls: type, without: Iterable[str] = ()) -> Callable[[type[S]], type[S]]:
    """Declare which class a struct stands for; refuses one that forgets a field, but for those named `without`."""

    def declared(struct: type[S]) -> type[S]:
        known = {*struct.__struct_fields__, *without}
        missed = [f.name for f in init_fields(cls) if f.name not in known and not _is_spread(cls, f.name, known)]
        if missed:
            raise TypeError(f"{struct.__module__}.{struct.__name__} lacks {', '.join(missed)} of {cls.__name__}")
        _CLASSES[struct] = cls
        return struct

    return declared


def to_struct(value: object, struct: type[S], /, **own: object) -> S:
    """The struct that tells of an object; `own` are fields that the object does not have, or has otherwise."""
    if (tell := getattr(struct, "tell", None)) is not None:
        own = {**tell(value), **own}
    given = {each.name: to_told(each.of(value), each.type) for each in _plan(struct).fields if each.name not in own}
    return struct(**given, **own)


def from_struct(struct: Struct | None, place: str | None = None, /, **own: object) -> Any:
    """The object that a struct tells of, None of None; `own` are fields that it does not tell, or tells otherwise.

    With `place`, whatever a class refuses becomes a Misfit there.
    """
    if struct is None:
        return None
    plan = _plan(type(struct))
    given: dict[str, Any] = {**(struct.mean() if hasattr(struct, "mean") else {}), **own}
    for field in plan.fields:
        if field.name in given:
            continue
        value = getattr(struct, field.name)
        # What is null and may not be None is not limited: as the class has it by default.
        if value is None and NoneType not in options(field.meant):
            continue
        within = given if len(field.path) == 1 else given.setdefault(field.path[0], {})
        within[field.path[-1]] = _meant(value, field.meant, None if place is None else f"{place}.{field.name}")
    with nullcontext() if place is None else placed(place):
        for name, cls in plan.spread.items():
            given[name] = cls(**given[name])
        return plan.cls(**given)


def to_told(value: object, hint: object) -> Any:
    """A value as a field of that type has it: plain numbers and text, though numpy's may have stood there."""
    choices = options(hint)
    if NoneType in choices and (value is None or (isinstance(value, float) and math.isinf(value))):
        return None
    if type(value) in _SCALARS and type(value) in choices:
        return value
    for choice in choices:
        kind: Any = get_origin(choice) or choice
        if kind is list and isinstance(value, Mapping):
            (each,) = get_args(choice)
            return [to_struct(item, each, name=str(name)) for name, item in value.items()]
        if kind is list and isinstance(value, (tuple, list, frozenset)):
            (each,) = get_args(choice)
            return [to_told(item, each) for item in (sorted(value) if isinstance(value, frozenset) else value)]
        if kind is tuple and isinstance(value, (tuple, list, np.ndarray)):
            return tuple(to_told(item, each) for item, each in zip(value, get_args(choice), strict=True))
        if kind is dict and isinstance(value, Mapping):
            _, each = get_args(choice)
            return {str(name): to_told(item, each) for name, item in value.items()}
        if kind is Literal and value in get_args(choice):
            return get_args(choice)[get_args(choice).index(value)]
        if kind in _SCALARS and isinstance(value, _SCALARS[kind]):
            return kind(value)
        if kind in _CLASSES and type(value) is _CLASSES[kind]:
            return to_struct(value, kind)
    raise InvalidDocument(f"{value!r} cannot be kept; it should be {hint}")


@cache
def options(hint: object) -> tuple[object, ...]:
    """The types of a union, or the only one there is; limits that messages have are left out."""
    if get_origin(hint) is Annotated:
        return options(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return tuple(each for choice in get_args(hint) for each in options(choice))
    return (hint,)


def init_fields(cls: type) -> list[Field[Any]]:
    """The fields of a dataclass that it is made from."""
    return [field for field in fields(cls) if field.init]


def default_of(field: Field[Any]) -> Any:
    """What a field of a dataclass is when it is not given; MISSING where it must be."""
    return field.default_factory() if field.default_factory is not MISSING else field.default


@cache
def hints_of(cls: type) -> dict[str, Any]:
    """The types of a dataclass's fields."""
    return get_type_hints(cls)


@dataclass(frozen=True, slots=True)
class _FieldPlan:
    """A field of a struct: where it stands in the object, its type in the struct, and its type there."""

    name: str
    path: tuple[str, ...]
    type: object
    meant: object

    def of(self, value: object) -> object:
        for name in self.path:
            value = getattr(value, name)
        return value


@dataclass(frozen=True, slots=True)
class _Plan:
    cls: type
    fields: tuple[_FieldPlan, ...]
    spread: dict[str, type]


@cache
def _plan(struct: type[Struct]) -> _Plan:
    cls = _CLASSES[struct]
    types = {field.name: field.type for field in msgspec.structs.fields(struct)}
    found: list[_FieldPlan] = []
    spread: dict[str, type] = {}
    for field in init_fields(cls):
        hint = hints_of(cls)[field.name]
        if field.name in types:
            found.append(_FieldPlan(field.name, (field.name,), types[field.name], hint))
        elif _is_spread(cls, field.name, types):
            spread[field.name] = hint
            found += [
                _FieldPlan(f.name, (field.name, f.name), types[f.name], hints_of(hint)[f.name])
                for f in init_fields(hint)
            ]
    return _Plan(cls, tuple(found), spread)


def _is_spread(cls: type, name: str, known: Collection[str]) -> bool:
    """Whether a struct has the fields of an object instead of the object."""
    hint = hints_of(cls)[name]
    return is_dataclass(hint) and all(field.name in known for field in fields(hint) if field.init)


def _meant(value: Any, hint: object, place: str | None) -> Any:
    kinds = {get_origin(choice) or choice for choice in options(hint)}
    match value:
        case Struct():
            return from_struct(value, place)
        case list() if Mapping in kinds:
            return {each.name: from_struct(each, _at(place, each.name)) for each in value}
        case list():
            items = (_meant(each, object, _at(place, number)) for number, each in enumerate(value))
            return frozenset(items) if frozenset in kinds else tuple(items)
        case dict():
            return {name: _meant(each, object, _at(place, name)) for name, each in value.items()}
    return value


def _at(place: str | None, item: object) -> str | None:
    return None if place is None else f'{place}["{item}"]' if isinstance(item, str) else f"{place}[{item}]"
