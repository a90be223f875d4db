"""Sweeps over the loose branches of a body."""
