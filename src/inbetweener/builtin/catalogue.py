"""The built-in examples by name; a listing costs nothing, a mesh is made only for the example asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
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
    ExampleInfo("flying-robot", "a robot flies from pad to pad and bumps into three obstacles", "robot", 72, 4),
    ExampleInfo("waving", "a stick figure says hello; the smallest rig", "stick", 68, 8),
    ExampleInfo("diver", "a dive from a board: crouch, spring, pike, entry", "human", 56, 8),
    ExampleInfo("boxer", "guard, jab and cross on the heavy bag", "human", 54, 7),
    ExampleInfo("drummer", "one bar on a drum kit, with hits on known frames", "human", 48, 9),
    ExampleInfo("guitarist", "two chords, strummed: one hand on the neck, one on the strings", "human", 48, 7),
    ExampleInfo("conductor", "four beats with the baton while the left hand asks for more", "human", 48, 5),
    ExampleInfo("four-letters", "a dancer spells Y, M, C and A, one letter a key pose", "human", 84, 7),
    ExampleInfo("control-panel", "three buttons in quick succession, then two at once", "human", 64, 10),
    ExampleInfo("handshake", "two people shake hands: one palm held in the space of the other's hand", "human", 68, 14),
    ExampleInfo("hat-and-door", "a gentleman's tall hat meets a low doorway", "cartoon", 56, 9),
    ExampleInfo(
        "spider-walk", "a spider robot's step in two key poses, four feet planted in each half", "spider", 28, 3
    ),
    ExampleInfo("dino-punch", "a boxing dinosaur punches and ends up standing on its tail", "dinosaur", 66, 8),
    ExampleInfo("fox-tail", "a fox looks round while its tail sweeps left, right, left", "fox", 36, 3),
    ExampleInfo("caricature", "a leap in drawn lines of action; one arm winds up by two turns", "cartoon", 58, 11),
    ExampleInfo("talking-face", "a face says hello in blend shapes, blinks and ends on a smile", "face", 84, 32),
)


def examples() -> tuple[ExampleInfo, ...]:
    """All built-in examples, in the order of a tour."""
    return _SCENES


def example(name: str) -> Document:
    """The built-in example called `name`: rig, mesh, props, view and a keyed clip."""
    known = [info.name for info in _SCENES]
    if name not in known:
        raise UnknownName("example", name, known)
    return _made(name.replace("-", "_"))


@cache
def _made(stem: str) -> Document:
    """A scene; a document never changes, so each is made once. All of them together take a dozen megabytes."""
    make: Callable[[], Document] = getattr(import_module(f"inbetweener.builtin.scenes.{stem}"), stem)
    return make()
