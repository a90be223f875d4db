"""The protocol's types in TypeScript, made from the structures themselves; `npm run protocol` in web/ writes them."""

import sys
from pathlib import Path
from typing import get_args

import msgspec
from msgspec import inspect

from inbetweener.studio.protocol import gestures, to_page, to_server
from inbetweener.studio.protocol.parts import Message

TARGET = Path(__file__).parents[4] / "web" / "src" / "protocol" / "messages.ts"
_UNIONS = {
    "AnyGesture": gestures.AnyGesture,
    "AnyRequest": to_server.AnyRequest,
    "AnyMessage": to_page.AnyMessage,
}


def typescript() -> str:
    """All message types, as the page's source has them."""
    found: dict[str, inspect.StructType] = {}
    for union in _UNIONS.values():
        _collect(inspect.type_info(union), found)
    parts = ["// Generated from the server's protocol by `npm run protocol`; do not edit."]
    parts += [interface(info) for info in found.values()]
    parts += [
        f"export type {name} =\n  | {chr(10).join(f'  | {each.__name__}' for each in get_args(union)).lstrip(' |')};"
        for name, union in _UNIONS.items()
    ]
    return "\n\n".join(parts) + "\n"


def _collect(info: inspect.Type, found: dict[str, inspect.StructType]) -> None:
    match info:
        case inspect.StructType():
            if info.cls.__name__ in found:
                if found[info.cls.__name__].cls is not info.cls:
                    raise NameError(f"two messages are called {info.cls.__name__}")
                return
            for field in info.fields:
                _collect(field.type, found)
            found[info.cls.__name__] = info
        case inspect.UnionType():
            for each in info.types:
                _collect(each, found)
        case inspect.ListType():
            _collect(info.item_type, found)
        case inspect.DictType():
            _collect(info.value_type, found)


def interface(info: inspect.StructType) -> str:
    """One message type."""
    lines = [f"/** {line} */" for line in [((info.cls.__doc__ or "").strip().split("\n")[0])] if line]
    lines.append(f"export interface {info.cls.__name__} {{")
    if info.tag_field is not None:
        lines.append(f"  {info.tag_field}: {msgspec.json.encode(info.tag).decode()};")
    for field in info.fields:
        # What the page may leave out has a default here; what the server sends is always there.
        optional = "?" if not field.required and not issubclass(info.cls, Message) else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(field.type)};")
    return "\n".join([*lines, "}"])


def _type(info: inspect.Type) -> str:
    match info:
        case inspect.StructType():
            return info.cls.__name__
        case inspect.UnionType():
            return " | ".join(_type(each) for each in info.types)
        case inspect.ListType():
            inner = _type(info.item_type)
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case inspect.DictType():
            return f"Record<{_type(info.key_type)}, {_type(info.value_type)}>"
        case inspect.TupleType():
            return f"[{', '.join(_type(each) for each in info.item_types)}]"
        case inspect.LiteralType():
            return " | ".join(msgspec.json.encode(value).decode() for value in info.values)
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.StrType():
            return "string"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
    raise TypeError(f"no TypeScript for {info}")


def main() -> None:
    """Write the page's types, or with --check tell whether they are up to date."""
    if "--check" in sys.argv[1:]:
        if TARGET.read_text() != typescript():
            sys.exit(f"{TARGET} is out of date; run  npm run protocol  in web/")
        return
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(typescript())


if __name__ == "__main__":
    main()
