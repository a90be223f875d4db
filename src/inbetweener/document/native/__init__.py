"""The native file `.tween`: everything in a document, exactly, in JSON that people can compare."""

from inbetweener.document.native.read import read_native, read_repaired, write_native

__all__ = ["read_native", "read_repaired", "write_native"]
