"""Contacts: find them, make key poses agree, hold them between the keys, remove foot slide."""

from inbetweener.contacts.agree import Agreed, Agreement, Snap, snap_poses
from inbetweener.contacts.measure import Apart, planted, poses_apart, sliding
from inbetweener.contacts.problem import NothingToHold
from inbetweener.contacts.slide import HoldResult, Slide, SlideReport, hold, remove_slide
from inbetweener.contacts.suggest import Stillness, Suggestion, suggest_contacts

__all__ = [
    "Agreed",
    "Agreement",
    "Apart",
    "HoldResult",
    "NothingToHold",
    "Slide",
    "SlideReport",
    "Snap",
    "Stillness",
    "Suggestion",
    "hold",
    "planted",
    "poses_apart",
    "remove_slide",
    "sliding",
    "snap_poses",
    "suggest_contacts",
]
