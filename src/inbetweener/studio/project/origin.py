"""Where an open document came from: a built-in example, or a file of the project folder."""

import msgspec


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Exactly one of the two: an example's name, or a path within the folder."""

    example: str | None = None
    path: str | None = None

    def __post_init__(self) -> None:
        if (self.example is None) == (self.path is None):
            raise ValueError("an origin is an example or a path")

    def __str__(self) -> str:
        return self.example or self.path or ""
