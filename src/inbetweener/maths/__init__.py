"""Rotations, transforms and solids: pure functions on batches of arrays.

Quaternions are (..., 4) wxyz, matrices act on columns, `a_from_b` maps b's coordinates into a's.
"""
