"""Ways of blending a skin, as people type them: by the letters of the papers or by our names."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from inbetweener.skinning import Blending

LETTERS: "dict[str, Blending]" = {
    "lbs": "linear",
    "dqs": "dual-quaternion",
    "sb": "screw",
    "db": "differential",
}
CHOICES = "db|dqs|sb|lbs"


def blending(text: str, option: str) -> "Blending":
    """The way of blending that "db" or "differential" means."""
    wanted = text.lower()
    for letters, name in LETTERS.items():
        if wanted in (letters, name):
            return name
    known = ", ".join(f"{letters} ({name})" for letters, name in LETTERS.items())
    raise typer.BadParameter(f"{text!r} is no way of blending; there are {known}", param_hint=option)
