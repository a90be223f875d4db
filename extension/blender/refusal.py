# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be done: one line that names what is in the way and what helps."""


class Refused(Exception):
    """Told in Blender's report area; the file is as it was."""


def some(names: list[str]) -> str:
    """The first three names, and how many more there are."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
