"""Pages that reports are written as: one HTML file each, with its plots inside."""

from collections.abc import Iterable
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#2a2f3a}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}svg{width:100%;height:auto}"
    "td,th{padding:.1rem .8rem .1rem 0;text-align:left}"
)


def write(path: Path, title: str, parts: Iterable[str]) -> None:
    """Parts of HTML as a page of its own, whole or not at all."""
    from inbetweener.document.atomic import replace_file

    head = f"<!doctype html><meta charset='utf-8'><title>{escape(title)}</title><style>{_STYLE}</style>"
    replace_file(path, (head + "".join(parts)).encode())


def figure_of(height: float) -> Any:
    """An empty matplotlib figure as wide as the page."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # The same numbers give the same file.
    mpl.rcParams["svg.hashsalt"] = "inbetweener"
    return Figure(figsize=(9.0, height))


def svg(figure: Any) -> str:
    """A figure as text that stands inside a page."""
    text = StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]
