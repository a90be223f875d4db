"""Encoded pictures: which kinds a material may wear, and how one is decoded.

A file may come from anybody, and decoders know many formats, some of which run programs of their own. So a picture
is what begins as one of three plain formats, and only these are ever decoded.
"""

import io
import warnings
from typing import TYPE_CHECKING

from inbetweener.errors import InvalidDocument

if TYPE_CHECKING:
    from PIL.Image import Image

KINDS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}
"""Media types and what the decoder calls them."""
MOST_PIXELS = 1 << 26
"""Of one picture: 8192 × 8192, more than graphics cards like, and a quarter of a gigabyte when unfolded."""


def media_type(data: bytes) -> str | None:
    """What the first bytes of a picture say that it is; None where it is no picture of ours."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def check_picture(data: bytes) -> None:
    """Raise `InvalidDocument` unless these bytes are a picture of a size that can be shown."""
    if media_type(data) is None:
        raise InvalidDocument("is neither PNG nor JPEG nor WebP; save the picture as one of these")
    width, height = _opened(data).size
    if width * height > MOST_PIXELS:
        raise InvalidDocument(f"has {width} × {height} pixels, more than {MOST_PIXELS}; make it smaller")


def decode_picture(data: bytes) -> "Image":
    """The picture in red, green and blue; raises as `check_picture` does."""
    check_picture(data)
    image = _opened(data)
    try:
        return image.convert("RGB")
    except (OSError, SyntaxError, ValueError) as error:
        raise InvalidDocument(f"cannot be decoded ({error}); save the picture anew") from error


def as_png(data: bytes) -> bytes:
    """The same picture as PNG, with its alpha; raises as `check_picture` does."""
    check_picture(data)
    image, made = _opened(data), io.BytesIO()
    try:
        image.convert("RGBA" if image.has_transparency_data else "RGB").save(made, "png")
    except (OSError, SyntaxError, ValueError) as error:
        raise InvalidDocument(f"cannot be decoded ({error}); save the picture anew") from error
    return made.getvalue()


def _opened(data: bytes) -> "Image":
    """The picture with its head read and nothing decoded."""
    from PIL import Image

    kind = media_type(data)
    assert kind is not None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            return Image.open(io.BytesIO(data), formats=[KINDS[kind]])
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise InvalidDocument(f"has more than {MOST_PIXELS} pixels; make it smaller") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise InvalidDocument("is damaged; save the picture anew") from error
