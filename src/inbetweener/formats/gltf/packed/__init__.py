"""Compressed glTF made plain before anybody reads it: meshopt by ourselves, Draco by the library of that name."""
