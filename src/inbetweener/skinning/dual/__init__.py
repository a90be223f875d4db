"""Blending of dual quaternions the shortest way: linear (LB) and by their intrinsic mean (SB)."""
