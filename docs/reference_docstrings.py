"""How the reference reads our docstrings: an extension of Griffe, which MkDocs loads."""

import ast
import re
from typing import Any

import griffe


class AsWritten(griffe.Extension):
    """How we write: fields in two columns of a docstring become lists, names given together are seen one by one."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = listed(obj.docstring.value)

    def on_module_members(self, *, node: Any, mod: griffe.Module, **_: Any) -> None:
        """`LOW, HIGH = 1, 2` gives two names, told of by the string below it."""
        body = node.body if isinstance(node, ast.Module) else []
        for statement, below in zip(body, [*body[1:], None], strict=True):
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple):
                is_told = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
                told = griffe.Docstring(listed(below.value.value)) if is_told else None
                for each in statement.targets[0].elts:
                    mod.set_member(each.id, griffe.Attribute(each.id, lineno=each.lineno, docstring=told))


def listed(text: str) -> str:
    """A docstring whose paragraphs in two columns are lists: a name, spaces, what it is."""
    return "\n\n".join(_listed(each) for each in re.split(r"\n\s*\n", text))


def _listed(paragraph: str) -> str:
    lines = paragraph.splitlines()
    # Columns begin at one place, and what does not fit goes on there.
    starts = {match.start(2) for line in lines if (match := re.match(r"(\S.*?) {2,}(\S)", line))}
    if len(starts) != 1:
        return paragraph
    (start,) = starts
    rows: list[tuple[str, str]] = []
    for line in lines:
        name, told = line[:start].strip(), line[start:].strip()
        if name and not line[start - 1 : start].isspace():
            return paragraph
        if name or not rows:
            rows.append((name, told))
        else:
            rows[-1] = rows[-1][0], f"{rows[-1][1]} {told}"
    return "\n".join(f"- `{name}`: {told}" for name, told in rows)
