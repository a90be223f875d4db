"""Pictures of the built-in examples, drawn when first asked for and kept."""

import hashlib
from functools import cache
from pathlib import Path
from threading import Lock

from inbetweener import kernels

SIZE = (384, 216)
_drawing = Lock()


def thumbnail(name: str) -> Path:
    """The picture of an example as a PNG file; takes a second or two the first time."""
    path = kernels.cache_folder().parent / "thumbnails" / f"{name}-{_looks()}.png"
    # One at a time: drawing takes all the machine has, and two must not draw the same.
    with _drawing:
        if not path.exists():
            _draw(name, path)
    return path


def _draw(name: str, path: Path) -> None:
    from inbetweener.builtin import example
    from inbetweener.render import render_frame, save_png

    document = example(name)
    clip = document.clip()
    path.parent.mkdir(parents=True, exist_ok=True)
    save_png(render_frame(document, clip.start + 0.35 * (clip.end - clip.start), size=SIZE), path)


@cache
def _looks() -> str:
    """Names the looks of all examples: the code that makes and draws them."""
    package = Path(__file__).parents[2]
    made = hashlib.sha256()
    for part in ("builtin", "render"):
        for source in sorted((package / part).rglob("*.py")):
            made.update(source.read_bytes())
    return made.hexdigest()[:12]
