"""Built-in characters and scenes, made by code: nothing to download."""

from inbetweener.examples.catalogue import ExampleInfo, example, examples

__all__ = ["ExampleInfo", "example", "examples"]
