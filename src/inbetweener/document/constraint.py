"""Constraints as the document keeps them: a rule that drags obey, in which clip, and whether it is on."""

from dataclasses import dataclass

from inbetweener import motion

Rule = motion.Constraint
"""A pin, a contact or another kind, as solvers take it."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A rule that holds in the clip called `clip` while it is on; names are unique in the document."""

    name: str
    clip: str
    rule: Rule
    on: bool = True

    @property
    def kind(self) -> str:
        """What an animator calls it; a pin of a single moment is a lock."""
        return self.rule.shown_kind
