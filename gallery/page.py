"""The page: exhibits by method, each with its movie, figures, curves and words; one file, style and script inside."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from benchmarks.harness import Figure, machine
from gallery.curves import ink
from gallery.exhibit import Exhibit, Method
from gallery.record import Record
from inbetweener.system import replace_file

METHODS: dict[Method, tuple[str, str]] = {
    "together": (
        "All of it on one character",
        "Four methods on the same curves, in one history that can be undone to its first step.",
    ),
    "tangents": (
        "Shape the arcs",
        "Dragging points of the body bends tangents; keys stay. After [TSO], Tangent-space optimization for "
        "interactive animation control (Ciccone, Öztireli and Sumner, 2019).",
    ),
    "guidance": (
        "Make it plausible",
        "An optimiser under the animator's hands lowers effort by tangents alone. After [OM], OptiMo: "
        "optimization-guided motion editing for keyframe character animation (Koyama and Goto, 2018).",
    ),
    "looseness": (
        "Make it loose and hit the mark",
        "Parts swing about their keys; targets are met by corrections on a layer. After [IKD], Inverse kinodynamics "
        "(Kry, Rahgoshay, Rabbani and Singh).",
    ),
    "blending": (
        "Bend it like a drawing",
        "Strokes bend bones, and skin follows through whole turns. After [DB], Differential blending for expressive "
        "sketch-based posing (Öztireli and others, 2013).",
    ),
    "captured": (
        "Take captured motion as your own",
        "Clips with a key on every frame: feet that slide are planted without a pop, and few keys hold what is left.",
    ),
}

INTRODUCTION = (
    "Every built-in scene as it was keyed and as it became, by our own code on our own scenes; beside it what the "
    "paper says of a scene of its kind. Papers worked on other characters: read their claims as the aim, not as the "
    "same experiment. Play a movie with a click; step by frames with its slider."
)


MOST_ROWS = 12
"""Of a table at first sight; the rest folds out."""


def write_page(path: Path, exhibits: Sequence[Exhibit], records: Mapping[str, Record]) -> None:
    """Write the page of all exhibits that have been built."""
    shown = [exhibit for exhibit in exhibits if exhibit.name in records]
    style, script = (Path(__file__).with_name(name).read_text("utf-8") for name in ("page.css", "page.js"))
    links = "".join(f'<a href="#{exhibit.name}">{escape(exhibit.title)}</a>' for exhibit in shown)
    speeds = "".join(
        f'<button data-speed="{speed}" aria-pressed="{str(speed == 1).lower()}">{label}</button>'
        for speed, label in ((1, "1"), (0.5, "½"), (0.25, "¼"))
    )
    sections = "".join(
        _section(method, [(each, records[each.name]) for each in shown if each.method == method]) for method in METHODS
    )
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Inbetweener: the gallery</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style>'
        f"<header><h1>The gallery</h1><p>{escape(INTRODUCTION)}</p></header>"
        f'<nav><div>{links}<span class="speed">speed {speeds}</span></div></nav>'
        f"<main>{sections}</main><footer>Measured on {escape(machine())}.</footer><script>{script}</script></html>"
    )
    replace_file(path, page.encode())


def _section(method: Method, built: Sequence[tuple[Exhibit, Record]]) -> str:
    title, about = METHODS[method]
    articles = "".join(_article(exhibit, record) for exhibit, record in built)
    return f"<section><h2>{escape(title)}</h2><p>{escape(about)}</p>{articles}</section>" if articles else ""


def _article(exhibit: Exhibit, record: Record) -> str:
    film = record.film
    captions = "".join(_caption(n, record) for n in range(len(record.versions)))
    drawings = (
        f'<div class="curves">{"".join(record.drawings)}<p class="changed">{escape(record.changed)}.</p></div>'
        if record.drawings
        else ""
    )
    seen = f'<p class="seen"><b>Seen:</b> {escape(exhibit.seen)}</p>' if exhibit.seen else ""
    claim = f"<p><b>The paper:</b> {escape(exhibit.claim)}</p>" if exhibit.claim else ""
    last = film.frames - 1
    return (
        f'<article id="{exhibit.name}"><h3>{escape(exhibit.title)}<small>{escape(exhibit.source)}</small></h3>'
        f'<div class="told">{claim}'
        f"<p><b>Here:</b> {escape(exhibit.done)}</p></div>"
        f'<div class="movie"><video src="{exhibit.name}.mp4" poster="{exhibit.name}.jpg" data-rate="{film.rate:g}" '
        f'preload="none" loop muted playsinline tabindex="0" aria-label="{escape(exhibit.title)}"></video>'
        f"{captions}</div>"
        f'<div class="transport"><button>Play</button><input type="range" min="0" max="{last}" value="0" '
        f'aria-label="frame"><output>frame 0 / {last}</output></div>'
        f'<div class="outcome{"" if drawings else " plain"}">{_table(record)}{drawings}</div>{seen}</article>'
    )


def _caption(number: int, record: Record) -> str:
    """What a version is called, over its part of the movie, with the colour of its curves."""
    row, column = divmod(number, record.film.columns)
    place = f"left:{100 * column / record.film.columns:.2f}%;top:{100 * row / record.film.rows:.2f}%"
    mark = f'<i class="{ink(number, len(record.versions))}"></i>'
    return f'<span style="{place}">{mark}{escape(record.versions[number])}</span>'


def _table(record: Record) -> str:
    """One row for each thing measured; a column for each version that it was measured of."""
    version_of = {
        figure.what: next((each for each in record.versions if figure.what.endswith(f" {each}")), "")
        for figure in record.figures
    }
    columns = [version for version in record.versions if version in version_of.values()]
    if len(columns) < 2:
        # A lone column would claim what was measured of other versions, or of all together.
        version_of, columns = dict.fromkeys(version_of, ""), [""]
    rows: dict[str, dict[str, Figure]] = {}
    for figure in record.figures:
        version = version_of[figure.what]
        rows.setdefault(figure.what.removesuffix(version).rstrip(" ,"), {})[version] = figure
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    lines = [f"<tr><td>{escape(what)}</td>{_cells(row, columns)}</tr>" for what, row in rows.items()]
    head = f"<tr><th>measured</th>{head}<th>wanted</th></tr>"
    return f"<div><table>{head}{''.join(lines[:MOST_ROWS])}</table>{_folded(lines[MOST_ROWS:])}</div>"


def _folded(lines: Sequence[str]) -> str:
    """Rows that fold out; they are open where one of them tells of a missed bound."""
    if not lines:
        return ""
    is_open = " open" if any('class="missed"' in line for line in lines) else ""
    return f"<details{is_open}><summary>{len(lines)} more</summary><table>{''.join(lines)}</table></details>"


def _cells(row: Mapping[str, Figure], columns: Sequence[str]) -> str:
    bound = f'<td class="bound">{_bound(list(row.values()))}</td>'
    if "" in row:
        return f'<td colspan="{len(columns)}">{_value(row[""])}</td>{bound}'
    return "".join(f"<td>{_value(row[column]) if column in row else ''}</td>" for column in columns) + bound


def _value(figure: Figure) -> str:
    unit = f" {figure.unit}" if figure.unit not in ("", "°", "×") else figure.unit
    return f"{number(figure.value)}{escape(unit)}"


def _bound(figures: Sequence[Figure]) -> str:
    """What the last version that has a bound must keep; or any that misses its own."""
    bounded = [figure for figure in figures if figure.holds is not None]
    if not bounded:
        return ""
    told = next((figure for figure in bounded if not figure.holds), bounded[-1])
    sign, limit = ("≤", told.at_most) if told.at_most is not None else ("≥", told.at_least)
    mark = '<span class="holds">✓</span>' if told.holds else '<span class="missed">missed</span>'
    return f"{sign} {number(limit or 0.0)} {mark}"


def number(value: float) -> str:
    """Three figures, in full as far as eyes take it; what is all but nothing is 0."""
    if abs(value) < 1e-9:
        return "0"
    if abs(value) < 1e-3:
        base, power = f"{value:.1e}".split("e")
        return f"{base}·10{''.join('⁰¹²³⁴⁵⁶⁷⁸⁹'[int(c)] if c.isdigit() else '⁻' for c in str(int(power)))}"
    if abs(value) >= 100 or value == round(value):
        return f"{value:.0f}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")
