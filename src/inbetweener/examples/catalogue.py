"""The built-in examples by name; a listing costs nothing, a mesh is made only for the example asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from inbetweener.document import Document
from inbetweener.errors import UnknownName


@dataclass(frozen=True, slots=True)
class ExampleInfo:
    """What a listing says about an example: its last frame at 24 frames a second, and how many frames hold keys."""

    name: str
    line: str
    character: str
    frames: int
    keys: int


_SCENES = (
    ExampleInfo("flying-robot", "A robot flies a slalom in 4 keys and bumps into all three posts", "robot", 72, 4),
    ExampleInfo(
        "spider-walk", "A spider robot takes a step: two key poses, four feet planted in each half", "spider", 28, 3
    ),
    ExampleInfo("fox-tail", "A fox stands and watches while its tail sweeps left, right, left", "fox", 36, 3),
    ExampleInfo("talking-face", "A face says hello in blend shapes, blinks, and ends on a smile", "face", 84, 32),
)


def examples() -> tuple[ExampleInfo, ...]:
    """All built-in examples, in the order of a tour."""
    return _SCENES


def example(name: str) -> Document:
    """The built-in example called `name`: rig, mesh, props, view and a keyed clip."""
    known = [info.name for info in _SCENES]
    if name not in known:
        raise UnknownName("example", name, known)
    stem = name.replace("-", "_")
    make: Callable[[], Document] = getattr(import_module(f"inbetweener.examples.scenes.{stem}"), stem)
    return make()
