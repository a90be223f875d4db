"""Drawings of what changed, and the sentence that sums it up."""

from xml.etree import ElementTree

from gallery.curves import changed, draw
from tests.gallery.versions import keyed


def test_only_channels_that_changed_are_drawn() -> None:
    (drawing,) = draw({"before": keyed(0.2), "after": keyed(0.9)})
    tree = ElementTree.fromstring(drawing)
    assert tree.findtext("figcaption") == "bar_2.rz"
    lines = [each for each in tree.iter("polyline") if each.get("points")]
    assert [each.get("class") for each in lines] == ["line first", "line last"]
    assert lines[0].get("points") != lines[1].get("points")
    assert len([each for each in tree.iter("path") if each.get("class") == "key"]) == 2


def test_the_same_motion_has_nothing_to_draw() -> None:
    assert draw({"before": keyed(0.4), "after": keyed(0.4)}) == []


def test_the_sentence_counts_curves_and_keys() -> None:
    assert changed({"a": keyed(0.4), "b": keyed(0.4)}) == "no keyed curve changed, no key added"
    assert changed({"a": keyed(0.4), "b": keyed(0.9)}) == "1 of 1 curves changed, no key added"
    assert changed({"a": keyed(0.4), "b": keyed(0.4, 0.1, 0.2)}) == "1 of 1 curves changed, 2 keys added"
