"""Inbetweener: shape what happens between the keys.

The front door: `load`, `save` and `read` for files, `example` and `examples` for what is built in, and `Document`,
which they all speak of. Everything else is imported from the package whose noun it is.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.errors import InbetweenerError
    from inbetweener.formats import load, read, save
    from inbetweener.stock import example, examples

__all__ = ["Document", "InbetweenerError", "example", "examples", "load", "read", "save"]

_HOME = {
    "Document": "inbetweener.document",
    "InbetweenerError": "inbetweener.errors",
    "example": "inbetweener.stock",
    "examples": "inbetweener.stock",
    "load": "inbetweener.formats",
    "read": "inbetweener.formats",
    "save": "inbetweener.formats",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import inbetweener` costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'inbetweener' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
