"""The report of a batch: a table of all figures (CSV, and Parquet where pyarrow is installed) and a page to look at.

The page is one file that needs no network: rows sort by any column, the worst first, with pictures from beside it.
"""

import csv
import io
import math
from collections.abc import Iterable
from html import escape
from typing import Any
from urllib.parse import quote

import msgspec

from inbetweener.batch.recipe import Recipe
from inbetweener.batch.store import CLIPS, Store
from inbetweener.batch.work import Record

MOST_ROWS = 5000
"""Rows on the page, the worst ones; the tables have all."""
FIRST = ("file", "clip", "status", "problem", "shortfalls")
_PICTURES = (".png", ".gif")


def rows_of(record: Record) -> list[dict[str, Any]]:
    """One row a clip, failures too."""
    head = {"file": record.name, "clip": "", "status": record.status, "problem": record.problem,
            "shortfalls": "; ".join(record.shortfalls)}  # fmt: skip
    tail = {"seconds": round(record.total_seconds, 4), "memory_mb": record.memory_mb}
    tail |= {f"seconds.{what}": seconds for what, seconds in record.seconds.items()}
    return [{**head, **row, **tail} for row in record.rows or ({},)]


def write_report(store: Store, recipe: Recipe, records: Iterable[Record]) -> str:
    """Write the tables and the page; returns where the page is."""
    rows: list[dict[str, Any]] = []
    pictures: dict[str, list[str]] = {}
    for record in records:
        rows += rows_of(record)
        shown = [each for each in record.files if each.endswith(_PICTURES)]
        pictures[record.name] = [f"{CLIPS}/{record.name}/{each}" for each in shown]
    rows.sort(key=lambda row: _badness(row, recipe.worst))
    columns = [*FIRST, *sorted({name for row in rows for name in row} - set(FIRST), key=_turn(recipe.worst))]
    store.write("report.csv", _csv(columns, rows))
    if (table := _parquet(columns, rows)) is not None:
        store.write("report.parquet", table)
    store.write("report.html", _page(recipe, columns, rows, pictures).encode())
    return f"{store.root}/report.html"


def _badness(row: dict[str, Any], worst: str) -> tuple[int, float, str]:
    value = row.get(worst)
    size = -float(value) if isinstance(value, int | float) and math.isfinite(value) else math.inf
    return (0 if row["status"] == "failed" else 1), size, row["file"]


def _turn(worst: str) -> Any:
    """The worst figure first, figures of all clips next, then those of steps, and what it cost."""
    return lambda name: (name != worst, name.startswith(("seconds", "memory")), "." in name, name)


def _csv(columns: list[str], rows: list[dict[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _parquet(columns: list[str], rows: list[dict[str, Any]]) -> bytes | None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return None
    arrays = []
    for column in columns:
        values = [row.get(column) for row in rows]
        numbers = all(value is None or isinstance(value, int | float) for value in values)
        arrays.append(
            pyarrow.array([None if v is None else float(v) for v in values], pyarrow.float64())
            if numbers
            else pyarrow.array([None if v is None else str(v) for v in values], pyarrow.string())
        )
    sink = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_arrays(arrays, names=columns), sink)
    return sink.getvalue()


def _page(recipe: Recipe, columns: list[str], rows: list[dict[str, Any]], pictures: dict[str, list[str]]) -> str:
    failed = sum(row["status"] == "failed" for row in rows)
    short = sum(bool(row["shortfalls"]) for row in rows)
    shown = rows[:MOST_ROWS]
    cut = f" The {MOST_ROWS} worst are shown; report.csv has all." if len(rows) > MOST_ROWS else ""
    told = f"{len(rows)} clips, {failed} failed, {short} fell short.{cut}"
    data = msgspec.json.encode({
        "columns": columns,
        "rows": [[row.get(column) for column in columns] for row in shown],
        "pictures": [[quote(each) for each in pictures.get(row["file"], [])] for row in shown],
        "worst": recipe.worst,
    }).decode()  # fmt: skip
    # A script ends at its closing tag wherever that stands, also inside a text.
    safe = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _PAGE.format(
        title=escape(recipe.name), about=escape(recipe.about), steps=escape(str(recipe)), told=told, data=safe
    )


_PAGE = """<!doctype html><meta charset="utf-8"><title>{title}</title>
<style>
body{{font:14px/1.45 system-ui,sans-serif;margin:1.5rem;color:#2a2f3a}}
h1{{font-size:1.3rem;margin:0}} p{{margin:.3rem 0}} input{{font:inherit;padding:.2rem .5rem;margin:.6rem 0;width:20rem}}
table{{border-collapse:collapse}} th,td{{padding:.15rem .6rem;text-align:right;white-space:nowrap;vertical-align:top}}
th{{position:sticky;top:0;background:#fff;cursor:pointer;border-bottom:1px solid #9aa3b2}}
th.sorted::after{{content:" \\2193"}} th.sorted.up::after{{content:" \\2191"}}
td.text,th.text{{text-align:left;max-width:26rem;white-space:normal}} tr.failed td{{background:#fdecea}}
tr.short td{{background:#fff6e0}} td.pictures{{text-align:left}}
img{{height:72px;max-width:36rem;object-fit:cover;object-position:left;margin-right:2px;vertical-align:middle}}
</style>
<h1>{title}</h1><p>{about}</p><p>{steps}</p><p>{told}</p>
<input id="filter" placeholder="Filter, by any text of a row"><table><thead></thead><tbody></tbody></table>
<script>
const data = {data};
const head = document.querySelector("thead"), body = document.querySelector("tbody");
const texts = data.columns.map((_, c) => data.rows.some(row => typeof row[c] === "string"));
let order = data.rows.map((_, r) => r), by = -1, up = false;
function cell(value) {{
  if (value === null || value === undefined) return "";
  return typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(4) : String(value);
}}
function draw() {{
  const wanted = document.getElementById("filter").value.toLowerCase();
  const title = document.createElement("tr");
  title.append(document.createElement("th"), ...data.columns.map((name, c) => {{
    const th = document.createElement("th");
    th.textContent = name;
    th.className = (texts[c] ? "text " : "") + (c === by ? "sorted" + (up ? " up" : "") : "");
    th.onclick = () => {{ up = c === by ? !up : false; by = c; sort(); draw(); }};
    return th;
  }}));
  head.replaceChildren(title);
  const status = data.columns.indexOf("status"), short = data.columns.indexOf("shortfalls");
  const found = order.filter(r => !wanted || data.rows[r].join(" ").toLowerCase().includes(wanted));
  body.replaceChildren(...found.map(r => {{
    const tr = document.createElement("tr"), row = data.rows[r], first = document.createElement("td");
    tr.className = row[status] === "failed" ? "failed" : row[short] ? "short" : "";
    first.className = "pictures";
    for (const source of data.pictures[r]) {{
      const link = document.createElement("a"), image = document.createElement("img");
      image.loading = "lazy"; image.src = source; link.href = source; link.append(image); first.append(link);
    }}
    tr.append(first, ...row.map((value, c) => {{
      const td = document.createElement("td");
      td.textContent = cell(value);
      if (texts[c]) td.className = "text";
      return td;
    }}));
    return tr;
  }}));
}}
function sort() {{
  const of = r => data.rows[r][by];
  order.sort((a, b) => {{
    const x = of(a), y = of(b);
    if (x === null || y === null) return (x === null) - (y === null);
    const most = typeof x === "number" && typeof y === "number" ? y - x : String(x).localeCompare(String(y));
    return up ? -most : most;
  }});
}}
document.getElementById("filter").oninput = draw;
draw();
</script>
"""
