"""Slopes of fitted keys."""
