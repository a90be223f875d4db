"""Signatures for the reference: every public name once, beside the example that shows it.

MkDocs calls `on_page_markdown`. A name is shown under the first section of its package's page that uses it, else under
the section of another page of the reference that does, else at the end of its package's page. Nothing is imported.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src"

PAGES = {
    "formats.md": ("", "formats", "builtin"),
    "curves.md": ("curves",),
    "rig.md": ("rig",),
    "anatomy.md": ("anatomy",),
    "retarget.md": ("retarget",),
    "motion.md": ("motion",),
    "skinning.md": ("skinning", "skinning.automatic"),
    "tangents.md": ("tangents",),
    "posing.md": ("posing", "posing.sketch", "posing.strokes"),
    "dynamics.md": ("dynamics",),
    "cleaning.md": ("cleaning",),
    "contacts.md": ("contacts",),
    "guidance.md": ("guidance",),
    "host.md": ("host",),
    "kinodynamics.md": ("kinodynamics",),
    "document.md": ("document",),
    "edits.md": ("document.edits",),
    "render.md": ("render",),
    "batch.md": ("batch",),
    "errors.md": ("errors",),
}
"""The pages of the reference, and the packages of which each tells."""

_SECTION = re.compile(r"^(?=## )", re.MULTILINE)
_SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A page of the reference with its signatures; any other as it is."""
    folder, _, name = page.file.src_uri.rpartition("/")
    return "".join(with_signatures(name, markdown)) if folder == "reference" and name in PAGES else markdown


def with_signatures(name: str, markdown: str) -> Iterator[str]:
    """The sections of a page, each with the signatures that belong to it."""
    told = shown()
    for number, section in enumerate(_SECTION.split(markdown)):
        yield section.rstrip() + "\n\n" + "".join(f"::: {path}\n\n" for path in told.get((name, number), ()))
    if left := told.get((name, -1), ()):
        yield "## Also public\n\n" + "".join(f"::: {path}\n\n" for path in left)


@cache
def shown() -> Mapping[tuple[str, int], list[str]]:
    """By page and number of the section, −1 for the end: the names to be shown there, as they are imported."""
    using: dict[str, list[tuple[str, int]]] = {}
    for page in PAGES:
        names: dict[str, str] = {}
        for number, section in enumerate(_SECTION.split((DOCS / "reference" / page).read_text("utf-8"))):
            for home in used_in(section, names):
                using.setdefault(home, []).append((page, number))
    result: dict[tuple[str, int], list[str]] = {}
    for home, (page, path) in public().items():
        places = using.get(home, [])
        here = [place for place in places if place[0] == page]
        result.setdefault((here or places or [(page, -1)])[0], []).append(path)
    return result


@cache
def public() -> dict[str, tuple[str, str]]:
    """By where a thing is defined: the page that tells of it, and its name as it is imported; not of packages."""
    result: dict[str, tuple[str, str]] = {}
    for page, packages in PAGES.items():
        for package in packages:
            module = f"inbetweener.{package}".rstrip(".")
            for name in exported(module):
                home = defined(module, name)
                # What several packages export belongs to the one that it is defined in, else to the first.
                if ":" in home and (home not in result or home.startswith((f"{module}.", f"{module}:"))):
                    # A function is often called as its file, which would be taken for it.
                    path = f"{module}.{name}"
                    result[home] = page, home.replace(":", ".") if _file(path) else path
    return result


def used_in(section: str, names: dict[str, str]) -> Iterator[str]:
    """Where everything of ours is defined that the snippets of a section name; `names` are those imported before."""
    for body in _SNIPPET.findall(section):
        nodes = list(ast.walk(ast.parse(body)))
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("inbetweener"):
                new = {each.asname or each.name: defined(node.module or "", each.name) for each in node.names}
                names |= new
                yield from new.values()
            elif isinstance(node, ast.Import):
                names |= {each.asname: each.name for each in node.names if each.asname and "inbetweener" in each.name}
        for node in nodes:
            if isinstance(node, ast.Attribute) and (home := reached(node, names)):
                yield home


def reached(node: ast.expr, names: Mapping[str, str]) -> str:
    """Where `edits.loosen` or `ib.edits.loosen` is defined; empty for what is not ours."""
    if isinstance(node, ast.Attribute):
        module = reached(node.value, names)
        return defined(module, node.attr) if module and ":" not in module else ""
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""


@cache
def defined(module: str, name: str) -> str:
    """Where a name of a module is defined, as "module:name"; for a module, its own path."""
    found = imports(module).get(name)
    if found is not None and found != (module, name):
        return defined(*found)
    return f"{module}.{name}" if _file(f"{module}.{name}") else f"{module}:{name}"


@cache
def imports(module: str) -> dict[str, tuple[str, str]]:
    """What a module imports from us, by name: from which module, and what it is called there."""
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("inbetweener")
        for alias in node.names
    }


def exported(module: str) -> list[str]:
    """What a module lists in `__all__`; all its classes where it lists nothing."""
    body = _tree(module).body
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return list(ast.literal_eval(node.value))
    return [node.name for node in body if isinstance(node, ast.ClassDef)]


def _file(module: str) -> Path | None:
    base = SOURCE.joinpath(*module.split("."))
    return next((each for each in (base / "__init__.py", base.with_suffix(".py")) if each.is_file()), None)


@cache
def _tree(module: str) -> ast.Module:
    file = _file(module)
    return ast.parse(file.read_text("utf-8")) if file is not None else ast.Module([], [])
