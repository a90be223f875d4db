"""Sines and cosines of many angles at once."""
