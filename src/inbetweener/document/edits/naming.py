"""Names that edits give by themselves."""

import re

from inbetweener.rig.naming import free_name

_NUMBER = re.compile(r" \d+$")


def unnumbered(name: str) -> str:
    """A name without the number that told it from others."""
    return _NUMBER.sub("", name)


def follow_label(name: str, before: str, after: str, taken: set[str]) -> str:
    """What something called `name` is called when its label changes: a name of its own stays."""
    number = _NUMBER.search(name)
    if before == after or name not in (before, f"{before}{number[0] if number else ''}"):
        return name
    wish = after + name.removeprefix(before)
    return wish if wish not in taken else free_name(after, taken)
