"""What `inbetweener guide` counts as costs, from the words on its command line."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from inbetweener.cli.numbers import named_number
from inbetweener.cli.source import open_source
from inbetweener.errors import UnknownName

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.dynamics import Body
    from inbetweener.guidance import Term, Weighted
    from inbetweener.motion import Clip, Constraint, Motion

TERMS = ("torque", "jerk", "acceleration", "limits", "balance", "slide", "obstacles", "style")

Masses = Literal["boxes", "human", "mesh"]


@dataclass(frozen=True)
class Costs:
    """What terms are about: a clip of a document, its contacts, and what was said about the body and the style."""

    document: "Document"
    clip: "Clip"
    contacts: tuple["Constraint", ...]
    masses: Masses
    overrides: list[str]
    gravity: bool
    held_root: bool
    style: str | None

    def terms(self, texts: list[str]) -> tuple["Weighted", ...]:
        """The terms by their names, each with its weight; torque where nothing is said."""
        from inbetweener.guidance import Weighted

        said = dict(named_number(text, "--term", "jerk=0.1") for text in texts) or {"torque": 1.0}
        if self.style is not None:
            said.setdefault("style", 1.0)
        return tuple(Weighted(self._term(name), weight) for name, weight in said.items())

    def body(self) -> "Body":
        """The rig as it was told to be weighed."""
        from inbetweener.dynamics import Body

        rig = self.document.rig
        overrides = dict(named_number(text, "--mass", "hand_r=1.5") for text in self.overrides)
        if self.masses == "mesh":
            return Body.from_meshes(rig, self.document.meshes, overrides=overrides)
        return Body.of(rig, self.masses, overrides=overrides)

    def _term(self, name: str) -> "Term":
        from inbetweener.dynamics import EARTH, WEIGHTLESS
        from inbetweener.guidance import Balance, Limits, Slide, Smoothness, Style, Torque

        match name:
            case "torque":
                return Torque(self.body(), EARTH if self.gravity else WEIGHTLESS, not self.held_root)
            case "jerk" | "acceleration":
                return Smoothness("jerk" if name == "jerk" else "acceleration")
            case "limits":
                return Limits()
            case "balance":
                return Balance(self.body().masses, self._standing(name))
            case "slide":
                return Slide.of(self.document.motion(self.clip.name), self._standing(name))
            case "obstacles":
                return self._obstacles()
            case "style":
                return Style(self._reference())
        raise UnknownName("term", name, TERMS)

    def _standing(self, term: str) -> tuple["Constraint", ...]:
        if not self.contacts:
            raise typer.BadParameter(
                f"{term} needs contacts, and {self.clip.name!r} has none; name some with --contact", param_hint="--term"
            )
        return self.contacts

    def _obstacles(self) -> "Term":
        from inbetweener.guidance import Obstacles
        from inbetweener.rig import Point

        props = (prop for prop in self.document.props if prop.role == "obstacle" and prop.joint is None)
        solids = tuple((prop.solid, prop.transform) for prop in props)
        if not solids:
            raise typer.BadParameter("no obstacle stands in this scene; leave obstacles out", param_hint="--term")
        return Obstacles(solids, tuple(Point(joint.name) for joint in self.document.rig.joints))

    def _reference(self) -> "Motion":
        """The clip of that name, or the first clip of that file or example; the motion itself where none is named."""
        if self.style is None:
            return self.document.motion(self.clip.name)
        if self.style in [clip.name for clip in self.document.clips] and not Path(self.style).exists():
            return self.document.motion(self.style)
        return open_source(self.style).motion()
