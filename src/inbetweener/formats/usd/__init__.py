"""USD, as text, crate or package: skeletons, skins, blend shapes, materials and clips, with splines' tangents."""

from typing import Any

__all__ = ["read", "write"]


def __getattr__(name: str) -> Any:
    """Imported when used: the process that opens a stage is of this package too, and does not need it."""
    if name not in __all__:
        raise AttributeError(f"module 'inbetweener.formats.usd' has no attribute {name!r}")
    if name == "write":
        from inbetweener.formats.usd.writing import write

        return write
    from inbetweener.formats.usd.reading import read

    return read
