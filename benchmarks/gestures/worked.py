"""A scene that was worked over: its versions, and what was measured of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.harness import Figure
from inbetweener.document import Document


@dataclass(frozen=True)
class Worked:
    """Versions of a scene by what they are called, as it was first and as it became last; and its figures.

    `points` are those whose arcs tell the versions apart.
    """

    versions: Mapping[str, Document]
    figures: Sequence[Figure]
    points: tuple[str, ...] = ()
