"""Constraints as the document keeps them: a rule that drags obey, in which clip, and whether it is on."""

from dataclasses import dataclass
from typing import Literal

from inbetweener.tangents import Contact, Pin

ConstraintKind = Literal["pin", "contact", "lock"]
Rule = Pin | Contact


@dataclass(frozen=True, slots=True)
class Constraint:
    """A pin or a contact that holds in the clip called `clip` while it is on; names are unique in the document."""

    name: str
    clip: str
    rule: Rule
    on: bool = True

    @property
    def kind(self) -> ConstraintKind:
        """What an animator calls it; a pin of a single moment is a lock."""
        return rule_kind(self.rule)


def rule_kind(rule: Rule) -> ConstraintKind:
    """The kind of constraint that a rule makes."""
    if isinstance(rule, Contact):
        return "contact"
    return "lock" if rule.start == rule.end else "pin"


def rule_label(rule: Rule) -> str:
    """What a constraint is called by default: its point and its kind."""
    return f"{rule.point} {rule_kind(rule)}"
