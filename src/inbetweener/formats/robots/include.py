"""MJCF files that include others: what these hold stands where they are named."""

from pathlib import Path

from inbetweener.document.budget import Budget
from inbetweener.formats.files import file_bytes
from inbetweener.formats.robots.xml import Element, parsed

MOST = 100
"""Files that may be included."""


def joined(top: Element, folder: Path, *, trust: bool = False) -> Element:
    """The element with all that it includes in place, each file once, all from the folder or below it."""
    _join(top, folder.resolve(), {top.path.resolve()}, trust)
    return top


def _join(element: Element, folder: Path, seen: set[Path], trust: bool) -> None:
    children: list[Element] = []
    for each in element.children:
        if each.tag != "include":
            _join(each, folder, seen, trust)
            children.append(each)
            continue
        name = each.attributes.get("file", "")
        path = (folder / name).resolve()
        if not name or Path(name).is_absolute() or not path.is_relative_to(folder):
            raise each.error(f"includes {name!r}, which is not below the file's own folder", "put it there")
        if path in seen:
            raise each.error(f"includes {name!r} a second time", "include it once")
        if len(seen) > MOST:
            raise each.error(f"is one of more than {MOST} included files", "join some of them")
        if not path.is_file():
            raise each.error(f"includes {name!r}, which is not there", "bring it along, or join the files into one")
        data = file_bytes(path)
        seen.add(path)
        inner = parsed(data, path, Budget(len(data), trust=trust))
        _join(inner, folder, seen, trust)
        children += inner.children
    element.children[:] = children
