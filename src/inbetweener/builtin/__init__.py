"""Stock characters and scenes, made by code: nothing to download.

Not called `examples`: the front door has a function of that name, and a package would take its place when imported.
"""

from inbetweener.builtin.catalogue import ExampleInfo, example, examples

__all__ = ["ExampleInfo", "example", "examples"]
