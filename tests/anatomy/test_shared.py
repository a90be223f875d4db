"""Every kind of shared character: right roles over all body joints, with names and without."""

from pathlib import Path

import pytest

from inbetweener import formats
from inbetweener.anatomy import Part
from tests.anatomy.judge import Character, opened

SLOW = ("RobotExpressive", "kaykit_Knight", "kaykit_Barbarian")
"""Take seconds to open; `python -m tests.anatomy.table` judges these too."""


@pytest.fixture(scope="module")
def characters(data: Path) -> list[Character]:
    """All shared files that open quickly, and one of the many clips on one skeleton."""
    return list(
        opened(data, lambda path: path.stem not in SLOW and (path.parent.name != "cmu" or "09_03" in path.stem))
    )


def test_body_joints_of_shared_characters_are_what_they_are(characters: list[Character]) -> None:
    found = {each.path.stem: each.by_names() for each in characters}
    assert len(found) > 30
    for name, each in found.items():
        assert each.right >= 0.98 * each.all, (name, each.wrong)
        assert len(each.taken) <= 2, (name, each.taken)


def test_most_body_joints_are_known_by_shape_alone(characters: list[Character]) -> None:
    found = {each.path.stem: each.by_shape() for each in characters}
    assert sum(each.right for each in found.values()) >= 0.8 * sum(each.all for each in found.values())
    for name in ("CesiumMan", "gdquest_mannequiny", "quaternius_Farmer", "09_03_run", "pybvh_test1_zup"):
        assert found[name].right == found[name].all, (name, found[name].wrong)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gltf/khronos-samples/Fox.glb", "quadruped"),
        ("gltf/characters/quaternius_Spider.glb", "creature"),
        ("gltf/khronos-samples/CesiumMan.glb", "humanoid"),
        ("gltf/hands/aframe_leftHandHigh.glb", "hand"),
        ("gltf/khronos-samples/BoxAnimated.glb", "object"),
    ],
)
def test_the_kind_of_body_is_told(data: Path, name: str, kind: str) -> None:
    assert formats.read(data / name).document.anatomy().kind == kind


def test_a_vrm_file_says_itself_what_its_bones_are(data: Path) -> None:
    document = formats.read(data / "gltf" / "vrm" / "polygonalmind_Polybot.vrm").document
    assert len(document.roles) == 31
    assert all(part.confidence == 1.0 for part in document.roles)
    found = document.anatomy()
    assert found["mixamorig:Spine2"] == Part("mixamorig:Spine2", "chest", number=2)
    assert (found["mixamorig:LeftUpLeg"].role, found["mixamorig:LeftUpLeg"].side) == ("thigh", "left")
    # Its map leaves most fingers out: their names tell.
    assert (found["RightHandRing2"].role, found["RightHandRing2"].digit) == ("finger", 4)
