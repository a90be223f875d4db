"""Chains of clothoids: curves with piecewise linear curvature, fitted to points by Gauss–Newton."""

from inbetweener.posing.strokes.clothoids.chain import Chain, Points

__all__ = ["Chain", "Points"]
