"""XML as small trees: no entities, no names from elsewhere, and no more than the file's size explains."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document.budget import Budget
from inbetweener.errors import FormatError

DEEPEST = 500
LARGEST = 1e60
"""Numbers from which on products of a few go beyond all numbers."""
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*\?>")


@dataclass(slots=True)
class Element:
    """One element, what is in it, and the line where it begins."""

    tag: str
    attributes: dict[str, str]
    path: Path
    line: int
    children: list["Element"] = field(default_factory=list)

    def all(self, tag: str) -> list["Element"]:
        """The children of a tag."""
        return [each for each in self.children if each.tag == tag]

    def first(self, tag: str) -> "Element | None":
        """The first child of a tag."""
        return next((each for each in self.children if each.tag == tag), None)

    def error(self, problem: str, remedy: str = "") -> FormatError:
        """What is wrong here."""
        return FormatError(self.path, f"line {self.line}, <{self.tag}>", problem, remedy)

    def numbers(self, name: str, count: int | None, given: dict[str, str] | None = None) -> Floats | None:
        """The numbers of an attribute, of its own or of those `given`; None where there is none."""
        text = (self.attributes if given is None else given).get(name)
        if text is None:
            return None
        try:
            values = np.array([float(each) for each in text.split()])
        except ValueError:
            raise self.error(f"{name}={text!r} holds something that is no number") from None
        if (count is not None and len(values) != count) or not (np.abs(values) < LARGEST).all():
            raise self.error(f"{name}={text!r} must be {count or 'some'} finite numbers of a sensible size")
        return values

    def number(self, name: str, default: float) -> float:
        """One number."""
        found = self.numbers(name, 1)
        return default if found is None else float(found[0])


def parsed(data: bytes, path: Path, budget: Budget) -> Element:
    """The outermost element of an XML text."""
    budget.spend(600 * data.count(b"<") + 100 * data.count(b"="))
    parser, stack, top = expat.ParserCreate(), list[Element](), list[Element]()

    def start(tag: str, attributes: dict[str, str]) -> None:
        made = Element(tag, attributes, path, parser.CurrentLineNumber)
        if len(stack) >= DEEPEST:
            raise made.error(f"more than {DEEPEST} elements inside each other")
        (stack[-1].children if stack else top).append(made)
        stack.append(made)

    def refused(*_: object) -> None:
        raise FormatError(
            path, f"line {parser.CurrentLineNumber}", "declares entities or attributes, which is not read"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    # Either may stand for any number of letters wherever it is used, or wherever it is not said otherwise.
    parser.EntityDeclHandler = parser.AttlistDeclHandler = refused
    try:
        # Some exporters declare versions of XML that do not exist; what follows is plain all the same.
        parser.Parse(_DECLARED.sub(b"", data), True)
    except expat.ExpatError as error:
        raise FormatError(path, f"line {error.lineno}", f"is no XML: {expat.ErrorString(error.code)}") from None
    return top[0]
