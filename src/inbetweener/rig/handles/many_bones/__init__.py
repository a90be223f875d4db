"""Chains of three bones and more."""
