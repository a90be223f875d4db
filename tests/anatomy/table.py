"""`python -m tests.anatomy.table`: the table of right roles in docs/anatomy.md, measured."""

from inbetweener.anatomy import recognise
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


if __name__ == "__main__":
    main()
