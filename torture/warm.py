"""Imported by the process that Studios are forked from: everything that a start would have to load."""

import inbetweener.studio.server.studio  # noqa: F401
from inbetweener import kernels

for _ in kernels.warm_up():
    pass
