"""Guidance as an edit: the tangents of a clip led to less cost, keys left where they are."""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from inbetweener.choices import TERMS
from inbetweener.document.clearance import staying_clear
from inbetweener.document.document import Document, Rule
from inbetweener.document.edits.clips import set_kernels
from inbetweener.document.edits.curves import curves_of, set_curves
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import held, seconds, the_clip
from inbetweener.dynamics import EARTH, WEIGHTLESS
from inbetweener.dynamics.body import Weighing
from inbetweener.errors import InvalidEdit, UnknownName
from inbetweener.guidance import (
    Balance,
    FollowThrough,
    Guide,
    GuideRequest,
    Limits,
    Obstacles,
    Report,
    Slide,
    Smoothness,
    Style,
    Term,
    Torque,
    Weighted,
    build,
    report,
)
from inbetweener.guidance.terms.own import OWN, load_terms, own_term
from inbetweener.motion import Attach, Clear, Clip, Contact, Kernel, Motion, Pin
from inbetweener.rig import Place, Point

Terms = str | Mapping[str, float] | Iterable[str | Weighted]
"""What costs, by name, with weights where they matter, or terms of one's own."""


@dataclass(frozen=True, slots=True, repr=False)
class GuideResult(Result):
    """A clip whose tangents cost less, what changed, and the run that led there."""

    clip: str
    run: Guide
    report: Report

    @property
    def problem(self) -> str:
        """Pins and contacts that cannot hold."""
        broken = [each.name for each in self.report.held if not each.holds]
        return f"{', '.join(broken)} cannot hold" if broken else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """What changed, and what it took."""
        found = self.report
        return found.summary, f"{found.parameters} parameters, {len(found.costs) - 1} steps"

    @property
    def facts(self) -> dict[str, Any]:
        """The report."""
        found = self.report
        joint, distance, when = found.furthest
        return {
            "summary": found.summary,
            "parameters": found.parameters,
            "costs": found.costs.tolist(),
            "terms": [{"term": c.term, "before": c.before, "after": c.after} for c in found.terms],
            "joints": [{"term": c.term, "joint": c.label, "before": c.before, "after": c.after} for c in found.joints],
            "furthest": {"joint": joint, "metres": distance, "time": when},
            "constraints": [
                {"name": h.name, "before": h.before, "after": h.after, "holds": h.holds} for h in found.held
            ],
        }


def guide(
    document: Document,
    *,
    channels: str | Iterable[str] | None = None,
    start: float | str | None = None,
    end: float | str | None = None,
    frames: tuple[float, float] | None = None,
    terms: Terms = "torque",
    style: str | Motion | None = None,
    gravity: bool = False,
    held_root: bool = False,
    masses: Weighing | None = None,
    overrides: Mapping[str, float] | None = None,
    regularise: float = 0.3,
    joints: Mapping[str, float] | None = None,
    kernels: Iterable[Kernel] | None = None,
    pins: Iterable[str | Place | Pin] = (),
    contacts: Iterable[str | Contact] = (),
    attachments: Iterable[str | Attach] = (),
    clear: bool = False,
    frozen: Iterable[str | tuple[str, int]] = (),
    seamless: bool = False,
    layer: str | None = None,
    clip: str | None = None,
    own: bool = True,
) -> GuideResult:
    """Change tangents so that the motion costs less, in effort unless told otherwise; no key is added or moved.

    channels    which may change, by name or pattern ("arm_l.*"); all by default
    start, end  seconds, or "29f", between which tangents may change, or `frames`, first and last
    terms       what costs, by name, with weights where they matter: {"torque": 1, "jerk": 0.1}; or terms of one's own
    style       the clip, or a motion of this rig, that the term "style" keeps near; the motion as it is by default
    gravity     whether torques hold the body up too; `held_root`, whether something drives its root
    masses      what weighs, instead of what the clip's looseness says; `overrides` in kg for single joints
    regularise  how much to stay with the motion as it is; `joints` has factors for single joints, inf: they stay
    kernels     when costs count less, which the clip then keeps; as it has them, where none are given
    pins, contacts, attachments  what holds, besides what is on in the document (`own` off leaves that out)
    clear       whether the body stays out of obstacles, those that joints carry too, of the ground and of itself
    frozen      channels, by name or pattern, whose tangents stay, or single keys as (channel, number)
    seamless    whether a loop flows on from its end as it does now
    """
    request = guide_request(**locals())
    name = the_clip(document, clip).name
    run = Guide(build(document.motion(name), request))
    run.finish()
    return GuideResult(guided(document, name, run), name, run, report(run.path))


def add_terms(path: Path | str) -> tuple[str, ...]:
    """Run a Python file of terms of one's own, so that guidance knows them by name until the program ends: the names.

    Only who runs the program can say so; documents name no files, and nothing in them is run.
    """
    return load_terms(path, TERMS)


def guide_request(
    document: Document,
    *,
    channels: str | Iterable[str] | None = None,
    start: float | str | None = None,
    end: float | str | None = None,
    frames: tuple[float, float] | None = None,
    terms: Terms = "torque",
    style: str | Motion | None = None,
    gravity: bool = False,
    held_root: bool = False,
    masses: Weighing | None = None,
    overrides: Mapping[str, float] | None = None,
    regularise: float = 0.3,
    joints: Mapping[str, float] | None = None,
    kernels: Iterable[Kernel] | None = None,
    pins: Iterable[str | Place | Pin] = (),
    contacts: Iterable[str | Contact] = (),
    attachments: Iterable[str | Attach] = (),
    clear: bool = False,
    frozen: Iterable[str | tuple[str, int]] = (),
    seamless: bool = False,
    layer: str | None = None,
    clip: str | None = None,
    own: bool = True,
) -> GuideRequest:
    """What `guide` asks of guidance in the same words, for whoever steps through a run: `guided` takes its iterates."""
    played = the_clip(document, clip)
    if frames is not None:
        if start is not None or end is not None:
            raise InvalidEdit("say when in frames or in seconds, not in both", "frames")
        start, end = (played.start + frame / played.rate for frame in frames)
    for joint in joints or {}:
        document.rig.joint_index(joint)
    rules = held(document, played.name, pins, contacts, attachments, own=own)
    costs = _Costs(document, played, rules, style, gravity, held_root, masses, overrides, own)
    patterns = [channels] if isinstance(channels, str) else channels
    known = [channel.name for channel in document.rig.channels]
    free = frozenset(known if patterns is None else (name for each in patterns for name in named_like(known, each)))
    return GuideRequest(
        channels=None if patterns is None else free,
        start=-math.inf if start is None else seconds(played, start),
        end=math.inf if end is None else seconds(played, end),
        terms=costs.terms(terms),
        regularise=regularise,
        joints=joints or {},
        kernels=played.kernels if kernels is None else tuple(kernels),
        constraints=rules,
        clear=staying_clear(document) if clear else Clear(),
        layer=layer,
        frozen=_frozen(document, played.name, layer, frozen),
        seamless=seamless,
    )


def guided(document: Document, clip: str, run: Guide, number: int | None = None) -> Document:
    """The clip as the last iterate of a run has it, or any on its path; and the kernels that the run has now."""
    layer = run.problem.request.layer
    iterate = run.last if number is None else run.path[number]
    before, after = curves_of(document, clip, layer), iterate.curves
    changed = {name: after[name] for name in run.problem.names if after[name] != before[name]}
    found, kernels = set_curves(document, clip, changed, layer=layer), run.problem.request.kernels
    return found if kernels == found.clip(clip).kernels else set_kernels(found, clip, kernels)


def named_like(names: Collection[str], pattern: str) -> list[str]:
    """The channels that a name, or a pattern such as "arm_l.*", means."""
    found = [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]
    if not found:
        raise UnknownName("channel", pattern, names)
    return found


def _frozen(
    document: Document, clip: str, layer: str | None, wishes: Iterable[str | tuple[str, int]]
) -> frozenset[tuple[str, int]]:
    curves = curves_of(document, clip, layer)
    found: set[tuple[str, int]] = set()
    for wish in wishes:
        if isinstance(wish, str):
            found.update((name, key) for name in named_like(curves, wish) for key in range(len(curves[name])))
        elif wish[0] in curves and 0 <= wish[1] < len(curves[wish[0]]):
            found.add(wish)
        else:
            raise InvalidEdit(f"{wish[0]} has no key {wish[1]} to freeze; let go of it", "freeze")
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Costs:
    """What terms are about: a clip of a document, what holds in it, and what was said of the body and the style."""

    document: Document
    clip: Clip
    rules: tuple[Rule, ...]
    style: str | Motion | None
    gravity: bool
    held_root: bool
    masses: Weighing | None
    overrides: Mapping[str, float] | None
    own: bool

    def terms(self, said: Terms) -> tuple[Weighted, ...]:
        """The terms by their names, each with its weight; those of one's own as they are."""
        if isinstance(said, Mapping):
            listed = [Weighted(self._term(name), weight) for name, weight in said.items()]
        else:
            every = [said] if isinstance(said, str) else said
            listed = [each if isinstance(each, Weighted) else Weighted(self._term(each)) for each in every]
        if self.style is not None and all(each.term.name != "style" for each in listed):
            listed.append(Weighted(self._term("style")))
        return tuple(listed)

    def _term(self, name: str) -> Term:
        document = self.document
        match name:
            case "torque":
                body = document.body(self.clip.name, self.masses, overrides=self.overrides)
                return Torque(body, EARTH if self.gravity else WEIGHTLESS, not self.held_root)
            case "follow-through":
                body = document.body(self.clip.name, self.masses, overrides=self.overrides)
                return FollowThrough.of(body, document.motion(self.clip.name))
            case "jerk" | "acceleration":
                return Smoothness("jerk" if name == "jerk" else "acceleration")
            case "limits":
                return Limits()
            case "balance":
                body = document.body(self.clip.name, self.masses, overrides=self.overrides)
                return Balance(
                    body.masses, self._contacts(name), carries=tuple(each for each in self.rules if each.base)
                )
            case "slide":
                return Slide.of(document.motion(self.clip.name), self._contacts(name))
            case "obstacles":
                return self._obstacles()
            case "style":
                like = self.clip.name if self.style is None else self.style
                return Style(document.motion(like) if isinstance(like, str) else like)
        if name in OWN:
            return own_term(name, document.motion(self.clip.name))
        raise UnknownName("term", name, (*TERMS, *OWN))

    def _contacts(self, term: str) -> tuple[Rule, ...]:
        """Those that hold, and those of the clip that are off: these still say where the body should stand."""
        rules = [each.rule for each in self.document.constraints if self.own and each.clip == self.clip.name]
        every = [*rules, *(rule for rule in self.rules if rule not in rules)]
        found = tuple(rule for rule in every if rule.is_planted)
        if not found:
            raise InvalidEdit(
                f"there is no contact in this clip that {term} could count; add one, or leave it out", "term"
            )
        return found

    def _obstacles(self) -> Obstacles:
        props = (each for each in self.document.props if each.role == "obstacle" and each.joint is None)
        solids = tuple((prop.solid, prop.transform) for prop in props)
        if not solids:
            raise InvalidEdit("there is no obstacle that stands in the world; take the term away", "term")
        return Obstacles(solids, tuple(Point(joint.name) for joint in self.document.rig.joints))
