"""Making a body of a character from elsewhere: limits, stiffness, masses and points, by what its joints are."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from inbetweener.anatomy import Anatomy
from inbetweener.document.document import Document
from inbetweener.document.edits.loosen import replace_loosening
from inbetweener.document.edits.result import Result
from inbetweener.dynamics.body import Body, Weighing
from inbetweener.errors import InvalidDocument, InvalidRig
from inbetweener.posing import stiffened
from inbetweener.posing.landmarks import landmarks
from inbetweener.posing.ranges import limited
from inbetweener.rig import chains

Limits = Literal["soft", "hard", "none"]
BELIEVED = 4.0
"""What meshes enclose is believed where it is within this factor of what boxes along the bones weigh."""

TALLEST = 20.0
"""Metres: what stands higher was made in centimetres, and is weighed so."""


@dataclass(frozen=True, slots=True, repr=False)
class PrepareResult(Result):
    """A document whose character is a body: how many channels have limits now, what it weighs, and its new points."""

    kind: str
    limited: tuple[str, ...]
    stiffened: tuple[str, ...]
    kilograms: float | None
    weighed: Weighing | None
    points: tuple[str, ...]
    shrunk: bool

    @property
    def lines(self) -> tuple[str, ...]:
        """What was given."""
        told = [f"limits on {len(self.limited)} channels"] if self.limited else []
        told += [f"stiffness on {len(self.stiffened)}"] if self.stiffened else []
        told += [f"{self.kilograms:.3g} kg by {_WAYS[self.weighed]}"] if self.kilograms and self.weighed else []
        told += [f"points {', '.join(self.points[:6])}{' …' if len(self.points) > 6 else ''}"] if self.points else []
        tall = ("it stands higher than any body, so it was weighed as if made in centimetres",) if self.shrunk else ()
        return (f"{self.kind}: {'; '.join(told) or 'nothing new'}", *tall)

    @property
    def facts(self) -> dict[str, Any]:
        """The same, in full."""
        return {
            "kind": self.kind,
            "limited": list(self.limited),
            "stiffened": list(self.stiffened),
            "kg": self.kilograms,
            "masses": self.weighed,
            "points": list(self.points),
            "as_centimetres": self.shrunk,
        }


_WAYS: dict[Weighing, str] = {"boxes": "boxes", "human": "the human table", "mesh": "mesh volume"}


def prepare(
    document: Document,
    *,
    limits: Limits = "soft",
    stiffness: bool = True,
    masses: bool = True,
    points: bool = True,
    total: float | None = None,
) -> PrepareResult:
    """Give a character what bodies have, by what its joints are recognised as; motion stays exactly as it is.

    limits     published ranges of motion on joints without limits: "soft" ones are widened so that no clip breaks them
    stiffness  how readily parts move, as a person's, where nobody has set it
    masses     a person's for people, of an ordinary weight for the height; else what closed meshes enclose, or boxes
    points     heels, toe tips, palms, finger tips, the top of the head and the snout, from the meshes
    total      kg of the whole body, in place of that
    """
    anatomy = document.anatomy()
    if anatomy.kind == "object" or not anatomy.body:
        raise InvalidDocument(
            f"no body was recognised in {document.name!r}; say what its joints are (inbetweener recognise --set)"
        )
    # Points come first: they show where the last bones point.
    new = landmarks(document.rig, anatomy, document.meshes) if points else ()
    rig = replace(document.rig, points=(*document.rig.points, *new)) if new else document.rig
    channels = rig.channels
    if limits != "none":
        channels = limited(rig, anatomy, document.clips, hard=limits == "hard")
    if stiffness and anatomy.kind == "humanoid":
        stiff = stiffened(replace(rig, channels=channels), anatomy=anatomy)
        channels = tuple(s if c.stiffness == 1.0 else c for c, s in zip(channels, stiff, strict=True))
    changed = document
    if channels != rig.channels or new:
        changed = replace(document, rig=replace(rig, channels=channels))
    way, kilograms, shrunk = None, None, masses and total is None and chains.size(rig) > TALLEST
    if masses:
        way = _way(changed, anatomy)
        if total is None and shrunk:
            # A person's weight goes by the square of the height, what is filled by the cube.
            total = _weighed(changed, anatomy, way).total * (0.01**2 if way == "human" else 0.01**3)
        changed = _weighed_so(changed, way, total)
        kilograms = _weighed(changed, anatomy, way, total).total
    pairs = list(zip(rig.channels, channels, strict=True))
    return PrepareResult(
        changed,
        anatomy.kind,
        tuple(a.name for a, b in pairs if (a.lower, a.upper) != (b.lower, b.upper)),
        tuple(a.name for a, b in pairs if a.stiffness != b.stiffness),
        kilograms,
        way,
        tuple(point.name for point in new),
        shrunk,
    )


def _weighed_so(document: Document, way: Weighing, total: float | None) -> Document:
    """All clips with a body that is weighed so."""
    for clip in document.clips:
        old = document.loosening(clip.name)
        looseness = replace(old.looseness, masses=way, total=total)
        if looseness.springs and looseness != old.looseness:
            # What swings may turn out to weigh nothing, which is refused.
            document = replace_loosening(document, replace(old, looseness=looseness))
        elif looseness != old.looseness:
            others = tuple(each for each in document.loosenings if each.clip != clip.name)
            document = replace(document, loosenings=(*others, replace(old, looseness=looseness)))
    return document


def _weighed(document: Document, anatomy: Anatomy, way: Weighing, total: float | None = None) -> Body:
    return Body.of(document.rig, way, meshes=document.meshes, total=total, anatomy=anatomy)


def _way(document: Document, anatomy: Anatomy) -> Weighing:
    """How to weigh a body: people by their table, others by meshes that enclose about as much as boxes do."""
    if anatomy.kind == "humanoid":
        try:
            _weighed(document, anatomy, "human")
        except InvalidRig:
            # Too few bones for a person's segments: it is weighed as any other.
            pass
        else:
            return "human"
    boxes = _weighed(document, anatomy, "boxes").total
    try:
        mesh = _weighed(document, anatomy, "mesh").total
    except InvalidRig:
        return "boxes"
    return "mesh" if boxes / BELIEVED <= mesh <= boxes * BELIEVED else "boxes"
