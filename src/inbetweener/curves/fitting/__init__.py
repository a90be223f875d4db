"""Sparse Bezier keys for dense samples, so that captured motion becomes editable."""

from inbetweener.curves.fitting.fit import ROUNDS, Knots, fit_aligned, fit_apart, fit_curve, fit_knots, in_steps
from inbetweener.curves.fitting.segment_kernels import BROKEN

__all__ = ["BROKEN", "ROUNDS", "Knots", "fit_aligned", "fit_apart", "fit_curve", "fit_knots", "in_steps"]
