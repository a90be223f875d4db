"""Finding contacts, making their key poses agree, holding them between the keys, and removing slide."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from inbetweener.contacts import (
    Agreed,
    Apart,
    NothingToHold,
    Slide,
    SlideReport,
    Suggestion,
    poses_apart,
    snap_poses,
)
from inbetweener.contacts import hold as hold_contacts
from inbetweener.contacts import remove_slide as without_slide
from inbetweener.contacts import suggest_contacts as suggested
from inbetweener.contacts.agree import Onto
from inbetweener.contacts.slide import have_poses
from inbetweener.document.document import Document, Rule
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.constraints import add_constraint
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import held, the_clip, the_place, the_rule
from inbetweener.motion import Clip, Contact, Motion, Pin
from inbetweener.motion.fit import Progress
from inbetweener.motion.jerks import Jerk, jerks_of, named
from inbetweener.rig import Place, chains


@dataclass(frozen=True, slots=True, repr=False)
class SuggestResult(Result):
    """A document with the contacts that were found, and all that were found, also what is not trusted.

    chosen  contacts of those that are trusted, or of points that were named; added  those the document did not have
    """

    clip: Clip
    found: tuple[Suggestion, ...]
    chosen: tuple[Contact, ...]
    added: tuple[Contact, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """How many, and what slips."""
        known = len(self.chosen) - len(self.added)
        told = f"{counted(len(self.added))} found" + (f", {known} were there already" if known else "")
        return (told, self.slipping) if self.slipping else (told,)

    @property
    def slipping(self) -> str:
        """What carries the body but slips too far to be planted, and was not chosen."""
        slips = [each for each in self.found if each.slips and each.contact not in self.chosen]
        some = _some([(each.contact, f" by {100 * each.slide:.0f} cm") for each in slips])
        return some and f"slips too far to be planted: {some}"

    @property
    def facts(self) -> dict[str, Any]:
        """Every range that was found."""
        return {"clip": self.clip.name, "contacts": [self._row(each) for each in self.found], "added": len(self.added)}

    def _row(self, each: Suggestion) -> dict[str, Any]:
        clip = self.clip
        return {
            "point": str(each.point),
            "first_frame": round((each.start - clip.start) * clip.rate),
            "last_frame": round((each.end - clip.start) * clip.rate),
            "start_s": round(each.start, 4),
            "end_s": round(each.end, 4),
            "slide_cm": round(each.slide * 100, 3),
            "confidence": round(each.confidence, 3),
            "slips": each.slips,
        }


@dataclass(frozen=True, slots=True, repr=False)
class AgreeResult(Result):
    """A document in which all key poses of a contact have its point in one place."""

    agreed: Agreed

    @property
    def lines(self) -> tuple[str, ...]:
        """How far apart they were and are."""
        return (str(self.agreed),)

    @property
    def facts(self) -> dict[str, Any]:
        """The same for every contact."""
        pairs = (_pair(each.contact, each.before.distance, each.after.distance) for each in self.agreed.report)
        return {"apart_cm": list(pairs), "most_change_cm": self.agreed.most_change * 100}


@dataclass(frozen=True, slots=True, repr=False)
class HeldResult(Result):
    """A document in which contacts are held between the keys, how far each slid and slides, and what is left of it.

    apart  how far apart the key poses are, where that is what tangents cannot mend
    jerks, by_poses  joints that are jerked where they were not, and whether all contacts have key poses
    """

    slides: tuple[Slide, ...]
    apart: Apart | None
    jerks: tuple[Jerk, ...]
    by_poses: bool

    @property
    def lines(self) -> tuple[str, ...]:
        """The worst slide, before and now; and what would help."""
        before, after = (1000 * max(getattr(each, side) for each in self.slides) for side in ("before", "after"))
        told = f"{counted(len(self.slides))}: the worst slid {before:.1f} mm and slides {after:.2g} mm"
        blamed = None if self.apart is None else f"key poses are {self.apart} apart, make them agree for less"
        remark = _jerked(self.jerks) if self.by_poses else ""
        return tuple(filter(None, (told, blamed, remark)))

    @property
    def problem(self) -> str:
        """What is jerked for it, where no animator keyed it so."""
        return "" if self.by_poses else _jerked(self.jerks)

    @property
    def facts(self) -> dict[str, Any]:
        """The same for every contact."""
        return {
            "slide_cm": [_pair(each.contact, each.before, each.after) for each in self.slides],
            "jerks": [asdict(each) for each in self.jerks],
        }


SEEN = 0.001
"""Heights of the character: who slides farther has not been stopped."""


@dataclass(frozen=True, slots=True, repr=False)
class SlideResult(Result):
    """A document without the slide of its contacts, what was removed and what it cost."""

    report: SlideReport

    @property
    def lines(self) -> tuple[str, ...]:
        """The worst slide, before and now, how far the body moved for that, and what is jerked between an animator's
        poses, who may want it so."""
        remark = _jerked(self.report.jerks) if self.report.by_poses else ""
        return (str(self.report), remark) if remark else (str(self.report),)

    @property
    def problem(self) -> str:
        """The contacts that were left as they were, those that slide still, and in captured motion what is jerked."""
        noticed = SEEN * chains.size(self.document.rig)
        sliding = sorted((each for each in self.report.slides if each.after > noticed), key=lambda each: -each.after)
        left = _some([(each, "") for each in self.report.left])
        still = _some([(each.contact, f" by {1000 * each.after:.0f} mm") for each in sliding])
        told = (
            left and f"left as it was, for it cannot be held without a pop: {left}",
            still and f"slides still: {still}",
            "" if self.report.by_poses else _jerked(self.report.jerks),
        )
        return "; ".join(filter(None, told))

    @property
    def facts(self) -> dict[str, Any]:
        """The same for every contact."""
        return {
            "slide_cm": [_pair(each.contact, each.before, each.after) for each in self.report.slides],
            "left": [
                {"point": str(each.point), "start_s": round(each.start, 4), "end_s": round(each.end, 4)}
                for each in self.report.left
            ],
            "jerks": [asdict(each) for each in self.report.jerks],
            "mean_change_cm": self.report.mean_change * 100,
            "most_change_cm": self.report.most_change * 100,
        }


def suggest_contacts(
    document: Document, points: Iterable[str | Place] | None = None, *, clip: str | None = None
) -> SuggestResult:
    """Find where points are nearly still, by default hands, feet and toes, and add the contacts that are not there yet.

    Those below a confidence of 0.55, such as hands that rest in the air, and those that slip too far to be planted are
    left alone unless their points are named.
    """
    shown = the_clip(document, clip)
    places = None if points is None else [the_place(document, point) for point in points]
    found = suggested(document.motion(shown.name), places, anatomy=document.anatomy())
    chosen = tuple(each.contact for each in found if places is not None or each.is_trusted)
    new = tuple(each for each in chosen if not _is_there(document, shown.name, each))
    changed = document
    for contact in new:
        changed = add_constraint(changed, shown.name, contact)
    return SuggestResult(changed, shown, found, chosen, new)


def agree_poses(
    document: Document,
    contacts: Iterable[str | Contact] | None = None,
    *,
    onto: Onto = "mean",
    pins: Iterable[str | Place | Pin] = (),
    clip: str | None = None,
    own: bool = True,
    progress: Progress | None = None,
) -> AgreeResult:
    """Make the key poses of contacts agree: all have a contact's point in one place. Only values of keys change.

    Contacts are those of the document that are on, or those given: by name, as "foot_l@0:36f", or as they are. Pins
    and other contacts of the document stay, unless `own` is false.
    """
    shown = the_clip(document, clip)
    chosen, kept = _chosen(document, shown, contacts, pins, own)
    agreed = snap_poses(document.rig, shown, chosen, kept, onto, progress)
    return AgreeResult(_replaced(document, shown, agreed.clip), agreed)


def hold(
    document: Document,
    contacts: Iterable[str | Rule] | None = None,
    *,
    pins: Iterable[str | Place | Pin] = (),
    clip: str | None = None,
    own: bool = True,
) -> HeldResult:
    """Hold contacts between the keys, by tangents alone: no key is added, moved or changed. Words as in `agree_poses`.

    They come to stand as still as their key poses allow; attachments too, in the space of what they are attached to.
    """
    shown = the_clip(document, clip)
    chosen, kept = _chosen(document, shown, contacts, pins, own, planted=False)
    motion = Motion(document.rig, shown)
    made = hold_contacts(motion, chosen, kept)
    apart = Apart.worst(poses_apart(motion, contact) for contact in chosen)
    # What is left is the poses' own only where tangents have done all that they can.
    left = max(each.after for each in made.report)
    blamed = apart.is_noticed(chains.size(document.rig)) and left > 0.5 * apart.distance
    changed = _replaced(document, shown, replace(shown, curves=made.curves))
    found = jerks_of(motion, Motion(document.rig, replace(shown, curves=made.curves)))
    return HeldResult(changed, made.report, apart if blamed else None, found, have_poses(motion, chosen))


def remove_slide(
    document: Document,
    contacts: Iterable[str | Contact] | None = None,
    *,
    pins: Iterable[str | Place | Pin] = (),
    clip: str | None = None,
    own: bool = True,
    progress: Progress | None = None,
) -> SlideResult:
    """Remove the slide of contacts: key poses are made to agree, then held. Words as in `agree_poses`.

    Values and tangents of keys change, none is moved. In motion with a key on every frame the change is spread so
    that nothing pops; a contact that cannot be held so is left, and named.
    """
    shown = the_clip(document, clip)
    chosen, kept = _chosen(document, shown, contacts, pins, own)
    cleaned, report = without_slide(document.rig, shown, chosen, kept, progress)
    return SlideResult(_replaced(document, shown, cleaned), report)


def _chosen(
    document: Document,
    clip: Clip,
    contacts: Iterable[str | Rule] | None,
    pins: Iterable[str | Place | Pin],
    own: bool,
    *,
    planted: bool = True,
) -> tuple[list[Rule], list[Rule]]:
    """The contacts to work on, cut to the clip, and what else is held; attachments too, unless all must be planted."""
    rules = held(document, clip.name, pins, own=own)
    wanted = None if contacts is None else [_named(document, clip, each, planted) for each in contacts]
    listed = [rule for rule in rules if _can_be(rule, planted)] if wanted is None else wanted
    within = [each for each in listed if each.start < clip.end and clip.start < each.end]
    if not within and wanted != []:
        said = "no contact is on" if wanted is None else "none of the contacts is within the clip"
        raise NothingToHold(f"{said}; plant a foot or let contacts be found first")
    cut = [each.during(max(each.start, clip.start), min(each.end, clip.end)) for each in within]
    return cut, [rule for rule in rules if rule not in within]


def _can_be(rule: Rule, planted: bool) -> bool:
    return rule.is_planted if planted else rule.stands


def _named(document: Document, clip: Clip, said: str | Rule, planted: bool) -> Rule:
    kept = {each.name: each for each in document.constraints}
    known = kept.get(said) if isinstance(said, str) else None
    if known is not None and (known.clip != clip.name or not _can_be(known.rule, planted)):
        raise NothingToHold(f"{said} is no contact of this clip; plant a foot or let contacts be found first")
    attached = isinstance(said, str) and not planted and "=" in said.partition("@")[0]
    return the_rule(document, clip, said, "attach" if attached else "contact")


def _replaced(document: Document, before: Clip, after: Clip) -> Document:
    """The document with another clip, of which all curves that did not change are the very same."""
    curves = {name: curve for name, curve in after.curves.items() if curve != before.curves.get(name)}
    if not curves:
        return document
    return replace_clip(document, before.name, replace(after, curves=before.curves.replaced(curves)))


def _is_there(document: Document, clip: str, contact: Contact) -> bool:
    """Whether the point is planted already at any time of the range."""
    return any(
        each.clip == clip
        and each.rule.is_planted
        and _same_spot(each.rule.point, contact.point)
        and each.rule.start < contact.end
        and contact.start < each.rule.end
        for each in document.constraints
    )


def _same_spot(one: Place, other: Place) -> bool:
    """The same joints and offsets, whatever they are called."""
    return [(point.joint, point.offset, point.shapes, weight) for point, weight in one.parts] == [
        (point.joint, point.offset, point.shapes, weight) for point, weight in other.parts
    ]


def _some(rules: Sequence[tuple[Rule, str]]) -> str:
    """The first three, each with what is to be said of it, and how many more there are."""
    told = [f"{rule.point} {rule.start:.2f}–{rule.end:.2f} s{more}" for rule, more in rules[:3]]
    return ", ".join(told) + (f" and {len(rules) - 3} more" if len(rules) > 3 else "")


def _jerked(found: Sequence[Jerk]) -> str:
    """What is jerked where it was not; empty where nothing is."""
    return f"jerked now: {named(found)}" if found else ""


def _pair(contact: Rule, before: float, after: float) -> dict[str, Any]:
    return {"point": str(contact.point), "before": before * 100, "after": after * 100}


def counted(count: int) -> str:
    """How people say it: "1 contact", "2 contacts"."""
    return f"{count} contact{'' if count == 1 else 's'}"
