"""Sparse Bezier keys for dense samples, so that captured motion becomes editable."""

from inbetweener.curves.fitting.fit import fit_aligned, fit_curve

__all__ = ["fit_aligned", "fit_curve"]
