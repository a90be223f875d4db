"""Inbetweener: shape what happens between the keys.

The front door: `load`, `save` and `read` for files, `example` and `examples` for what is built in, and `Document`,
which they all speak of. Behind it, by noun: `edits` change documents, which are made of `curves`, `motion` and `rig`;
`tangents`, `posing`, `contacts`, `dynamics`, `guidance`, `kinodynamics` and `skinning` hold what one asks of a solver;
`render` makes pictures, and `batch` does to a whole library what is right for one clip. `studio` opens the Studio on
a document that code goes on working with, `show` plays one in a notebook, `share` makes a page that plays anywhere.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from inbetweener import (
        batch,
        contacts,
        curves,
        dynamics,
        guidance,
        kinodynamics,
        motion,
        posing,
        render,
        rig,
        skinning,
        tangents,
    )
    from inbetweener.builtin import example, examples
    from inbetweener.document import Document, edits
    from inbetweener.errors import InbetweenerError
    from inbetweener.formats import load, read, save
    from inbetweener.studio.live import LiveStudio as studio
    from inbetweener.studio.sharing import share, show

__all__ = [
    "Document",
    "InbetweenerError",
    "batch",
    "contacts",
    "curves",
    "dynamics",
    "edits",
    "example",
    "examples",
    "guidance",
    "kinodynamics",
    "load",
    "motion",
    "posing",
    "read",
    "render",
    "rig",
    "save",
    "share",
    "show",
    "skinning",
    "studio",
    "tangents",
]

_HOME = {
    "Document": "inbetweener.document",
    "InbetweenerError": "inbetweener.errors",
    "edits": "inbetweener.document",
    "example": "inbetweener.builtin",
    "examples": "inbetweener.builtin",
    "load": "inbetweener.formats",
    "read": "inbetweener.formats",
    "save": "inbetweener.formats",
    "share": "inbetweener.studio.sharing",
    "show": "inbetweener.studio.sharing",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import inbetweener` costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'inbetweener' has no attribute {name!r}")
    from importlib import import_module

    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    return import_module(f"inbetweener.{name}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
