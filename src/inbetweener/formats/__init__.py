"""Files: the native format, BVH and glTF, each with a `read` and a `write`."""
