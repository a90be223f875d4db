"""`python -m tests.anatomy.table`: the tables of docs/anatomy.md, measured; with `given` that of what bodies get."""

import sys
import warnings

import numpy as np

from inbetweener import formats
from inbetweener.anatomy import recognise
from inbetweener.document import edits
from inbetweener.rig import chains
from tests.anatomy.judge import judge, opened, right_roles
from tests.anatomy.test_families import FAMILIES, UNSEEN, rig_of
from tests.conftest import REAL_FILES


def main() -> None:
    totals = [0, 0, 0, 0]
    print("| file | right / body joints | by shape alone | others taken for body joints |\n|---|---|---|---|")
    counted: dict[str, list[int]] = {}
    for each in opened(REAL_FILES, lambda path: True):
        name = each.path.relative_to(REAL_FILES).as_posix()
        row = counted.setdefault("bvh/cmu" if each.path.parent.name == "cmu" else name, [0, 0, 0, 0])
        named, shaped = each.by_names(), each.by_shape()
        for n, number in enumerate((named.right, named.all, shaped.right, len(named.taken))):
            row[n] += number
            totals[n] += number
    for name, (right, all_, shape, taken) in {**counted, "**all**": totals}.items():
        print(f"| {name} | {right} / {all_} | {100 * shape / all_:.0f} % | {taken} |")
    for title, tables in (("names written down", FAMILIES), ("not fitted", UNSEEN)):
        for name, table in tables.items():
            found = judge(recognise(rig_of(table)), right_roles(table))
            print(f"{title}: {name} {found.right} / {found.all}, {len(found.taken)} taken")


def given() -> None:
    """What `edits.prepare` gives every character: one of the many clips on one skeleton stands for all."""
    print("| file | kind | height | weighs | limits / turns of the body | points |\n|---|---|---|---|---|---|")
    for each in opened(REAL_FILES, lambda path: path.parent.name != "cmu" or "09_03" in path.stem):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            document = formats.load(each.path)
        result = edits.prepare(document)
        body = {part.joint for part in document.anatomy().body}
        rig = result.document.rig
        turns = [c for c in rig.channels if c.kind == "rotation" and c.drives[0].joint in body]
        limited = sum(bool(np.isfinite([c.lower, c.upper]).all()) for c in turns)
        print(
            f"| {each.path.relative_to(REAL_FILES).as_posix()} | {result.kind} | {chains.height(document.rig):.2f} m "
            f"| {result.kilograms:,.0f} kg, {result.weighed} | {limited} / {len(turns)} | {len(result.points)} |"
        )


if __name__ == "__main__":
    given() if "given" in sys.argv else main()
