"""Messages about the library's own objects: a field of the object's class is a field of the message, by itself.

Text that a page sends is limited in its length, and so are lists.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, is_dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct, defstruct

from inbetweener.document.native.structs import default_of, hints_of, init_fields, options, stands_for, to_told
from inbetweener.studio.protocol.parts import Name

S = TypeVar("S", bound=Struct)
MOST = 1000
"""Items of a list that a page sends, where nothing else is said."""

_TOLD: dict[type, type[Struct]] = {}


class Told(Struct):
    """Base of all messages whose fields, but for a few of their own, are those of a class."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def tells(cls: type, *, spread: Iterable[str] = (), without: Iterable[str] = ()) -> Callable[[type[S]], type[S]]:
    """Give a message the fields of a class, with their types; those that a page may leave out have the same defaults.

    Fields that the message has already stay as they are there. Objects in fields named `spread` are told by their own
    fields; fields named `without` are not told.
    """

    def derived(struct: type[S]) -> type[S]:
        # What may come from a page refuses fields that nobody knows.
        from_page = struct.__struct_config__.forbid_unknown_fields
        told: list[Any] = []
        for name, hint, default in _fields(cls, spread):
            if name in struct.__struct_fields__ or name in without:
                continue
            kind = _type(hint, Name if from_page else str)
            if isinstance(default, float) and math.isinf(default):
                kind = kind | None
            if default is MISSING or not from_page:
                told.append((name, kind))
            else:
                told.append((name, kind, msgspec.field(default_factory=partial(to_told, default, kind))))
        namespace = {"__doc__": struct.__doc__}
        made: Any = defstruct(
            struct.__name__, told, bases=(struct,), module=struct.__module__, namespace=namespace, kw_only=True
        )
        _TOLD.setdefault(cls, made)
        found: type[S] = stands_for(cls, without)(made)
        return found

    return derived


def _fields(cls: type, spread: Iterable[str]) -> Iterator[tuple[str, Any, Any]]:
    """Names, types and defaults of a class's fields."""
    for field in init_fields(cls):
        hint, default = hints_of(cls)[field.name], default_of(field)
        if field.name not in spread:
            yield field.name, hint, default
            continue
        for inner in init_fields(hint):
            own = default_of(inner) if default is MISSING else getattr(default, inner.name)
            yield inner.name, hints_of(hint)[inner.name], own


def _type(hint: Any, text: Any) -> Any:
    """The type of a field in a message."""
    if len(choices := options(hint)) > 1:
        return Union[tuple(_type(each, text) for each in choices)]  # noqa: UP007  # made while running
    if is_dataclass(hint):
        return _TOLD[hint]  # type: ignore[index]
    inner = [_type(each, text) for each in get_args(hint) if each is not Ellipsis]
    match get_origin(hint) or hint:
        case kind if kind is str:
            return text
        case kind if kind is Mapping:
            return dict[inner[0], inner[1]]  # type: ignore[valid-type]
        case kind if kind is frozenset or (kind is tuple and Ellipsis in get_args(hint)):
            return Annotated[list[inner[0]], Meta(max_length=MOST)]  # type: ignore[valid-type]
    return hint
