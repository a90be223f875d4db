"""How many body joints of the shared characters are recognised as what they are, by names and by shape alone."""

from benchmarks.characters.stretch import DATA
from benchmarks.harness import Figure
from inbetweener.anatomy import recognise
from tests.anatomy.judge import judge, opened, right_roles
from tests.anatomy.test_families import FAMILIES, UNSEEN, rig_of

RIGHT = 0.98


def measure() -> list[Figure]:
    """Shares of all body joints: of files, of rigs whose names are written down, and of those nothing was fitted to."""
    counts = {"by names": [0, 0], "by shape alone": [0, 0]}
    for each in opened(DATA, lambda path: True):
        for how, found in (("by names", each.by_names()), ("by shape alone", each.by_shape())):
            counts[how][0] += found.right
            counts[how][1] += found.all
    for how, tables in (("of known families", FAMILIES), ("of rigs that nothing was fitted to", UNSEEN)):
        judged = [judge(recognise(rig_of(table)), right_roles(table)) for table in tables.values()]
        counts[how] = [sum(one.right for one in judged), sum(one.all for one in judged)]
    bounds = {"by names": RIGHT, "of known families": RIGHT}
    return [
        Figure(f"right roles {how}, of {every}", right / max(every, 1), "", at_least=bounds.get(how))
        for how, (right, every) in counts.items()
    ]
