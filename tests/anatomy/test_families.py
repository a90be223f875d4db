"""Rigs of programs that the shared files lack are recognised by their names, whatever their shape."""

from pathlib import Path

import pytest

from inbetweener.anatomy import recognise
from inbetweener.rig import ROOT, Joint, Rig
from tests.anatomy.judge import families, judge, right_roles

UNSEEN = families(Path(__file__).parent / "unseen.toml")
FAMILIES = families(Path(__file__).parent / "families.toml")


def rig_of(table: dict[str, list[str]]) -> Rig:
    """Joints in a heap at one place, so that names are all there is."""
    parents: dict[str, int] = {}
    for row in table["tree"]:
        for side in table["sides"] if "{}" in row else [""]:
            above = ROOT
            for name in row.replace("{}", side).split(" > "):
                if name not in parents:
                    parents[name] = above
                above = list(parents).index(name)
    return Rig(tuple(Joint(name, parent) for name, parent in parents.items()))


@pytest.mark.parametrize("name", FAMILIES)
def test_names_of_a_family_are_known(name: str) -> None:
    table = FAMILIES[name]
    judged = judge(recognise(rig_of(table)), right_roles(table))
    assert judged.right >= 0.98 * judged.all, judged.wrong
    assert len(judged.taken) <= 0.02 * judged.all, judged.taken


def test_rigs_to_which_nothing_was_fitted_are_mostly_known() -> None:
    judged = [judge(recognise(rig_of(table)), right_roles(table)) for table in UNSEEN.values()]
    assert sum(each.right for each in judged) >= 0.97 * sum(each.all for each in judged)
    assert sum(len(each.taken) for each in judged) <= 1, "an end of a head"
