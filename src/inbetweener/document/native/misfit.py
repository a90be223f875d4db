"""Something in a file that does not fit, before anybody has said which file."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec

from inbetweener.errors import InbetweenerError, InvalidCurve, InvalidDocument, InvalidRig, UnknownName
from inbetweener.kinodynamics import InvalidLooseness

T = TypeVar("T")


class Misfit(InbetweenerError):
    """A problem at a place, written as a path into the JSON; the reader adds the file's name."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem


def decoded(decoder: "msgspec.json.Decoder[T]", content: bytes | msgspec.Raw, place: str = "$") -> T:
    """JSON as a checked structure, every failure a Misfit; `place` is where the content stands."""
    try:
        return decoder.decode(content)
    except msgspec.ValidationError as error:
        problem, _, inner = str(error).partition(" - at `$")
        raise Misfit(place + inner.rstrip("`"), problem[:1].lower() + problem[1:].replace("`", "")) from None
    except msgspec.DecodeError as error:
        if "truncated" in str(error):
            raise Misfit(place, "ends in the middle; the file is cut short") from None
        byte = re.search(r"\(byte (\d+)\)", str(error))
        raise Misfit(f"{place}, byte {byte[1]}" if byte else place, "is not JSON") from None
    except UnicodeDecodeError:
        raise Misfit(place, "holds text that is not UTF-8") from None
    except RecursionError:
        raise Misfit(place, "is nested too deeply") from None


@contextmanager
def placed(place: str) -> Iterator[None]:
    """What the domain refuses becomes a misfit at `place`."""
    try:
        yield
    except (InvalidCurve, InvalidRig, InvalidDocument, InvalidLooseness, UnknownName) as error:
        raise Misfit(place, str(error)) from None
