"""Cleaning captured motion: find flips, spikes, gaps and jitter, and mend them."""

from inbetweener.cleaning.faults import KINDS, Fault, Kind, Tolerance, find_faults
from inbetweener.cleaning.mend import mended

__all__ = ["KINDS", "Fault", "Kind", "Tolerance", "find_faults", "mended"]
