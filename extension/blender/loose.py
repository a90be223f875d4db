# SPDX-License-Identifier: GPL-3.0-or-later
"""What swings about its keys, and the marks that it must hit all the same: kept with their object in the file."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from inbetweener.document import Document, edits
from inbetweener.kinodynamics import Looseness, PointTarget, Spring
from inbetweener.rig import Point

from .pins import End, Keeper, Place, tell, told


@dataclass(frozen=True)
class Swing:
    """A bone that swings so many times a second about its keyed motion; damping 1 comes to rest soonest."""

    bone: str
    frequency: float
    damping: float

    def __str__(self) -> str:
        return f"{self.bone}, {self.frequency:.3g} Hz, damping {self.damping:.2g}"


@dataclass(frozen=True)
class Mark:
    """Where the head or tail of a bone must be at a frame, or from there to another: a place in Blender's world."""

    bone: str
    end: End
    frame: float
    place: tuple[float, float, float]
    until: float | None = None

    def __str__(self) -> str:
        until = "" if self.until is None else f"–{self.until:g}"
        return f"{self.bone}{' tail' if self.end == 'TAIL' else ''}, {self.frame:g}{until}"


def swings(keeper: Keeper) -> list[Swing]:
    """All that swings on an object."""
    return [Swing(**each) for each in told(keeper).get("springs", ())]


def marks(keeper: Keeper) -> list[Mark]:
    """All marks of an object."""
    return [Mark(**{**each, "place": tuple(each["place"])}) for each in told(keeper).get("marks", ())]


def keep(keeper: Keeper, springs: list[Swing], wanted: list[Mark]) -> None:
    """Keep these, and no others."""
    tell(keeper, "springs", [asdict(each) for each in springs])
    tell(keeper, "marks", [asdict(each) for each in wanted])


def put(document: Document, clip: str, keeper: Keeper, point: Callable[[Place], Point], rate: float) -> Document:
    """A document with what an object keeps."""
    springs = {each.bone: Spring(each.frequency, each.damping) for each in swings(keeper)}
    if springs:
        document = edits.set_looseness(document, clip, Looseness(springs))
    for mark in marks(keeper):
        x, y, z = mark.place
        until = None if mark.until is None else mark.until / rate
        target = PointTarget(mark.frame / rate, point((mark.bone, mark.end)), (x, z, -y), until=until)
        document = edits.add_target(document, clip, target)
    return document


def take(keeper: Keeper, document: Document, clip: str, rate: float) -> None:
    """Let an object keep what a document has: springs of joints, and marks of their heads and tails."""
    loosening = document.loosening(clip)
    joints = {joint.name for joint in document.rig.joints}
    springs = [
        Swing(name, spring.frequency, spring.damping)
        for name, spring in loosening.looseness.springs.items()
        if name in joints and loosening.on
    ]
    wanted = []
    for aim in loosening.aims:
        target = aim.target
        if not (isinstance(target, PointTarget) and isinstance(target.point, Point) and aim.on):
            continue
        if isinstance(target.position, tuple):
            x, y, z = target.position
            until = None if target.until is None else round(target.until * rate, 6)
            end: End = "TAIL" if any(target.point.offset) else "HEAD"
            wanted.append(Mark(target.point.joint, end, round(target.time * rate, 6), (x, -z, y), until))
    if springs or wanted or swings(keeper) or marks(keeper):
        keep(keeper, springs, wanted)


def without(keeper: Keeper, bones: set[str]) -> None:
    """Let bones swing no more."""
    keep(keeper, [each for each in swings(keeper) if each.bone not in bones], marks(keeper))


def loosened(keeper: Keeper, new: list[Swing]) -> None:
    """Let bones swing from now on, otherwise than before where they did."""
    names = {each.bone for each in new}
    keep(keeper, [*(each for each in swings(keeper) if each.bone not in names), *new], marks(keeper))


def falling(chain: list[str], frequency: float, damping: float, tip: float) -> list[Swing]:
    """Bones of a chain, each softer than the one before: the last has the share `tip` of the first one's frequency."""
    steps = max(1, len(chain) - 1)
    first = Swing("", frequency, damping)
    return [replace(first, bone=bone, frequency=frequency * tip ** (n / steps)) for n, bone in enumerate(chain)]
