"""Kinodynamics measured part by part: each file has `measure() -> list[Figure]`, and `__main__` puts them together."""
