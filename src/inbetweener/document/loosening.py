"""What a document keeps of a clip's looseness: springs and windows, whether they act, and the targets to hit."""

from dataclasses import dataclass, field

from inbetweener.errors import UnknownName
from inbetweener.kinodynamics import Looseness, Target


@dataclass(frozen=True)
class Aim:
    """A target under its name, unique in its clip; while `on` it is solved for.

    What a solved target changes is kept in the layer of the same name, to be scaled, muted or taken away.
    """

    name: str
    target: Target
    on: bool = True

    __hash__ = None  # type: ignore[assignment]  # targets hold mappings


@dataclass(frozen=True)
class Loosening:
    """How loose the clip called `clip` is; while it is not `on`, the clip moves as keyed."""

    clip: str
    looseness: Looseness = field(default_factory=Looseness)
    on: bool = True
    aims: tuple[Aim, ...] = ()

    __hash__ = None  # type: ignore[assignment]

    def aim(self, name: str) -> Aim:
        """The target called `name`."""
        for aim in self.aims:
            if aim.name == name:
                return aim
        raise UnknownName("target", name, [aim.name for aim in self.aims])
