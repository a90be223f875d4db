"""The command line: one file a verb."""

from inbetweener.cli.app import main

__all__ = ["main"]
