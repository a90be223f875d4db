"""Names that nothing has yet."""

from collections.abc import Collection


def free_name(wish: str, taken: Collection[str]) -> str:
    """The wish, or the first of "wish 2", "wish 3" … that is not taken."""
    name, number = wish, 2
    while name in taken:
        name, number = f"{wish} {number}", number + 1
    return name
