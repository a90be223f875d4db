"""Edits of constraints: pins, contacts and locks that the document keeps for every drag in a clip."""

import re
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from inbetweener.contacts.measure import look_times, spread
from inbetweener.document.document import Constraint, Document, Rule
from inbetweener.document.validation import constraint_problems
from inbetweener.errors import InvalidDocument
from inbetweener.rig import chains
from inbetweener.rig.naming import free_name


def add_constraint(document: Document, clip: str, rule: Rule, *, name: str | None = None) -> Document:
    """The document with one more constraint, on; without a name it is called after its point and kind."""
    taken = {each.name for each in document.constraints}
    if name is None:
        name = free_name(rule.label, taken)
    else:
        _require_free(name, taken)
    made = Constraint(name, document.clip(clip).name, rule)
    _require_sound(document, made)
    return replace(document, constraints=(*document.constraints, made))


def remove_constraint(document: Document, name: str) -> Document:
    """The document without a constraint."""
    gone = document.constraint(name)
    return replace(document, constraints=tuple(each for each in document.constraints if each is not gone))


def switch_constraint(document: Document, name: str, on: bool) -> Document:
    """A constraint on, so that drags obey it, or off."""
    return _replaced(document, name, replace(document.constraint(name), on=on))


def replace_rule(document: Document, name: str, rule: Rule) -> Document:
    """A constraint with another rule: another stretch of time, point or half of its state; it keeps its name."""
    changed = replace(document.constraint(name), rule=rule)
    _require_sound(document, changed)
    return _replaced(document, name, changed)


def rename_constraint(document: Document, name: str, new: str) -> Document:
    """A constraint under another name."""
    _require_free(new, {each.name for each in document.constraints if each.name != name})
    return _replaced(document, name, replace(document.constraint(name), name=new))


def constraints_of_renamed_clip(document: Document, clip: str, name: str) -> tuple[Constraint, ...]:
    """The document's constraints when a clip gets another name."""
    if name == clip:
        return document.constraints
    return _shared(document, (replace(each, clip=name) if each.clip == clip else each for each in document.constraints))


def constraints_without_clip(document: Document, clip: str) -> tuple[Constraint, ...]:
    """The document's constraints when a clip is gone."""
    return _shared(document, (each for each in document.constraints if each.clip != clip))


def constraints_with_copies(document: Document, clip: str, copy: str) -> tuple[Constraint, ...]:
    """The document's constraints and copies of those of a clip, under names of their own, for another clip."""
    taken = {each.name for each in document.constraints}
    made = list(document.constraints)
    for each in document.constraints:
        if each.clip == clip:
            made.append(replace(each, clip=copy, name=free_name(unnumbered(each.name), taken)))
            taken.add(made[-1].name)
    return _shared(document, made)


def constraints_of_changed_prop(document: Document, prop: str, name: str, joint: str | None) -> tuple[Constraint, ...]:
    """The document's constraints when a prop gets another name, or another joint carries it."""
    taken = {each.name for each in document.constraints}
    return _shared(
        document, (_following(each, each.rule.with_prop(prop, name, joint), taken) for each in document.constraints)
    )


def constraints_without_prop(document: Document, prop: str) -> tuple[Constraint, ...]:
    """The document's constraints when a prop is gone."""
    return _shared(document, (each for each in document.constraints if not each.rule.leans_on(prop)))


def _following(constraint: Constraint, rule: Rule, taken: set[str]) -> Constraint:
    """A constraint with a rule that leans on the same things under other names; a name of its own stays."""
    if rule is constraint.rule:
        return constraint
    called = follow_label(constraint.name, constraint.rule.label, rule.label, taken)
    taken.add(called)
    return replace(constraint, rule=rule, name=called)


def _replaced(document: Document, name: str, changed: Constraint) -> Document:
    old = document.constraint(name)
    return replace(document, constraints=tuple(changed if each is old else each for each in document.constraints))


def _shared(document: Document, constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """The document's own tuple where nothing changed."""
    made, old = tuple(constraints), document.constraints
    unchanged = len(made) == len(old) and all(a is b for a, b in zip(made, old, strict=True))
    return old if unchanged else made


def _require_free(name: str, taken: set[str]) -> None:
    if not name.strip():
        raise InvalidDocument("a constraint needs a name")
    if name in taken:
        raise InvalidDocument(f"there is already a constraint called {name!r}; choose another name")


def _require_sound(document: Document, constraint: Constraint) -> None:
    for problem in constraint_problems(constraint, document):
        raise InvalidDocument(problem)


_NUMBER = re.compile(r" \d+$")


def unnumbered(name: str) -> str:
    """A name without the number that told it from others."""
    return _NUMBER.sub("", name)


def follow_label(name: str, before: str, after: str, taken: set[str]) -> str:
    """What something called `name` is called when its label changes: a name of its own stays."""
    number = _NUMBER.search(name)
    if before == after or name not in (before, f"{before}{number[0] if number else ''}"):
        return name
    wish = after + name.removeprefix(before)
    return wish if wish not in taken else free_name(after, taken)


NOTICED = 1e-3
"""Heights of the character by which a point must move before it is worth a word."""
LOOKS = 2
"""Looks a frame: this is done on every move of a hand."""


class Breakage:
    """The constraints that are on in a clip, and where their points were.

    Retiming, posing and moving keys are wishes of their own: an animator who asks for them gets them, pins and contacts
    or not. But nothing is broken in silence: the answer names what moved, and Escape takes it back.
    """

    def __init__(self, document: Document, clip: str) -> None:
        self._document, self._clip = document, clip
        motion = document.motion(clip)
        shown = motion.clip
        self._noticed = NOTICED * chains.size(document.rig) if document.rig.joints else 0.0
        self._watched = []
        for constraint in document.constraints:
            rule = constraint.rule
            start, end = max(rule.start, shown.start), min(rule.end, shown.end)
            if constraint.on and constraint.clip == clip and start <= end:
                times = look_times(motion, start, end, LOOKS)
                self._watched.append((constraint.name, rule, times, rule.states(motion, times)[0]))

    def text(self, document: Document) -> str:
        """One line on what the changed document moves, empty when all stays."""
        if not self._watched or document is self._document:
            return ""
        motion, moved = document.motion(self._clip), []
        for name, rule, times, before in self._watched:
            after = rule.states(motion, times)[0]
            strayed = float(np.linalg.norm(after - before, axis=1).max())
            off = spread(after) - spread(before) if rule.stands else strayed
            if off > self._noticed:
                moved.append(f"{name} ({100 * off:.2g} cm)")
        return f"this moves: {', '.join(moved)}" if moved else ""
