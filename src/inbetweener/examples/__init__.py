"""Built-in characters and scenes, made by code: nothing to download.

The library's front door offers a function `inbetweener.examples()`, and this package has the same name: once imported,
the package takes the function's place there. So the package can be called, and answers as the function does.
"""

import sys
from types import ModuleType

from inbetweener.examples.catalogue import ExampleInfo, example, examples

__all__ = ["ExampleInfo", "example", "examples"]


class _Callable(ModuleType):
    def __call__(self) -> tuple[ExampleInfo, ...]:
        return examples()


sys.modules[__name__].__class__ = _Callable
