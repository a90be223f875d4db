"""Cost terms: what makes a motion worse. Each is one small file; users write their own in ten lines."""

from inbetweener.guidance.terms.balance import Balance, NothingBears
from inbetweener.guidance.terms.follow_through import FollowThrough
from inbetweener.guidance.terms.limits import Limits
from inbetweener.guidance.terms.obstacles import Obstacles
from inbetweener.guidance.terms.slide import Slide
from inbetweener.guidance.terms.smoothness import Smoothness
from inbetweener.guidance.terms.style import Style
from inbetweener.guidance.terms.term import Residuals, Term, TermFailed
from inbetweener.guidance.terms.torque import Torque

__all__ = [
    "Balance",
    "FollowThrough",
    "Limits",
    "NothingBears",
    "Obstacles",
    "Residuals",
    "Slide",
    "Smoothness",
    "Style",
    "Term",
    "TermFailed",
    "Torque",
]
