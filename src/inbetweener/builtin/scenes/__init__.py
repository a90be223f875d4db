"""Scenes: each file makes one document, a character with a keyed clip."""
