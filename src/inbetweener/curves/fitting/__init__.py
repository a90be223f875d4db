"""Sparse Bezier keys for dense samples, so that captured motion becomes editable."""

from inbetweener.curves.fitting.fit import ROUNDS, fit_aligned, fit_curve

__all__ = ["ROUNDS", "fit_aligned", "fit_curve"]
