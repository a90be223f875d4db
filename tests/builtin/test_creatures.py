"""Spider, fox and dinosaur at rest: they stand on the ground and their joints bend one way only."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.builtin.characters import dinosaur, fox, spider
from inbetweener.document import Document
from inbetweener.document.validation import problems
from inbetweener.rig import Rig

MAKERS: dict[str, Callable[[], Document]] = {
    "spider": lru_cache(spider.spider),
    "fox": lru_cache(fox.fox),
    "dinosaur": lru_cache(dinosaur.dinosaur),
}
FEET = {
    "spider": [f"foot_{pair}_{side}" for pair in range(1, 5) for side in "lr"],
    "fox": [f"{leg}_ground_{side}" for leg in ("front_paw", "rear_paw") for side in "lr"],
    "dinosaur": ["sole_l", "sole_r"],
}
JOINTS = {"spider": (34, 42), "fox": (24, 40), "dinosaur": (30, 40)}

# A hinge, the joints that its two bones run to, and the bones' directions in between: upper from `above` to the
# hinge, lower from the hinge to `below`.
HINGES = [
    *(("spider", f"femur_{n}_{s}", f"tibia_{n}_{s}", f"tarsus_{n}_{s}", "rz") for n in range(1, 5) for s in "lr"),
    *(("fox", f"upper_arm_{s}", f"forearm_{s}", f"front_paw_{s}", "rx") for s in "lr"),
    *(("fox", f"thigh_{s}", f"shank_{s}", f"hock_{s}", "rx") for s in "lr"),
    *(("fox", f"shank_{s}", f"hock_{s}", f"rear_paw_{s}", "rx") for s in "lr"),
    *(("dinosaur", f"thigh_{s}", f"shank_{s}", f"hock_{s}", "rx") for s in "lr"),
    *(("dinosaur", f"shank_{s}", f"hock_{s}", f"foot_{s}", "rx") for s in "lr"),
]


def points_at(rig: Rig, names: list[str], channels: Floats) -> Floats:
    joints, offsets = rig.point_arrays([rig.point(name) for name in names])
    world = rig.world_from_joint(channels[None])[0][joints]
    return np.einsum("prc,pc->pr", world[..., :3], offsets) + world[..., 3]


@pytest.mark.parametrize("name", MAKERS)
def test_rest_is_sound_and_stands_on_the_ground(name: str) -> None:
    document = MAKERS[name]()
    assert problems(document) == []
    low, high = JOINTS[name]
    assert low <= len(document.rig.joints) <= high
    feet = points_at(document.rig, FEET[name], document.rig.defaults)
    assert np.abs(feet[:, 1]).max() < 0.001
    assert abs(float(document.meshes[0].vertices[:, 1].min())) < 0.005


@pytest.mark.parametrize("name", MAKERS)
def test_skin_is_closed_and_faces_outwards(name: str) -> None:
    mesh = MAKERS[name]().meshes[0]
    assert 5_000 <= len(mesh.vertices) <= 15_000
    halves = np.concatenate([mesh.triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    edges, counts = np.unique(np.sort(halves, axis=1), axis=0, return_counts=True)
    assert (counts == 2).all()
    assert len(np.unique(halves, axis=0)) == 2 * len(edges)
    a, b, c = (mesh.vertices[mesh.triangles[:, n]].astype(np.float64) for n in range(3))
    faces = np.cross(b - a, c - a)
    assert mesh.normals is not None
    agree = (faces * mesh.normals[mesh.triangles].sum(axis=1)).sum(axis=1) >= 0
    assert agree.mean() > 0.995
    assert np.einsum("ij,ij->", a, faces) > 0


@pytest.mark.parametrize("name", MAKERS)
def test_the_two_sides_of_a_rig_mirror_each_other(name: str) -> None:
    rig = MAKERS[name]().rig
    rng = np.random.default_rng(3)
    left, right = rig.defaults.copy(), rig.defaults.copy()
    for n, channel in enumerate(rig.channels):
        stem, _, dof = channel.name.rpartition(".")
        if not stem.endswith("_l"):
            continue
        other = rig.channel_index(f"{stem[:-2]}_r.{dof}")
        sign = -1.0 if dof in ("ry", "rz") else 1.0
        assert rig.channels[other].upper == pytest.approx(channel.upper if sign > 0 else -channel.lower)
        left[n] = rng.uniform(channel.lower, channel.upper)
        right[other] = sign * left[n]
    names = [joint.name for joint in rig.joints if joint.name.endswith("_l")]
    here = points_at(rig, names, left)
    there = points_at(rig, [f"{joint[:-2]}_r" for joint in names], right)
    assert np.abs(here - there * [-1, 1, 1]).max() < 1e-12
    assert np.abs(here - points_at(rig, names, rig.defaults)).max() > 0.02


@pytest.mark.parametrize(("name", "above", "hinge", "below", "dof"), HINGES)
def test_hinges_never_bend_backwards(name: str, above: str, hinge: str, below: str, dof: str) -> None:
    rig = MAKERS[name]().rig
    index = rig.channel_index(f"{hinge}.{dof}")
    channel = rig.channels[index]
    assert channel.upper - channel.lower > np.deg2rad(60), "a hinge needs room to work"
    bends = []
    for value in np.linspace(channel.lower, channel.upper, 25):
        channels = rig.defaults.copy()
        channels[index] = value
        a, b, c = points_at(rig, [above, hinge, below], channels)
        across = rig.world_from_joint(channels[None])[0, rig.joint_index(hinge), :, "xyz".index(dof[1])]
        bends.append(float(np.cross(b - a, c - b) @ across))
    assert min(bends) > 0 or max(bends) < 0


@pytest.mark.parametrize(("maker", "tail"), [("fox", fox.TAIL), ("dinosaur", dinosaur.TAIL)])
def test_tail_controls_bend_the_whole_tail(maker: str, tail: tuple[str, ...]) -> None:
    rig = MAKERS[maker]().rig
    channels = rig.defaults.copy()
    channels[rig.channel_index("tail_sweep")] = 1.0
    one_by_one = rig.defaults.copy()
    for name in tail:
        one_by_one[rig.channel_index(f"{name}.ry")] = 1.0 / len(tail)
    assert np.abs(rig.world_from_joint(channels[None]) - rig.world_from_joint(one_by_one[None])).max() < 1e-12
    (swept,) = points_at(rig, ["tail_tip"], channels)
    (rest,) = points_at(rig, ["tail_tip"], rig.defaults)
    # ry is a bend to the side: the tip goes to the creature's right by a good part of the tail's length.
    assert swept[0] - rest[0] < -0.2


def test_the_middle_of_the_dinosaurs_tail_is_on_its_skin() -> None:
    document = MAKERS["dinosaur"]()
    (middle,) = points_at(document.rig, ["tail_middle"], document.rig.defaults)
    away = np.linalg.norm(document.meshes[0].vertices - middle, axis=1).min()
    assert away < 0.02
    index = [joint.name for joint in document.rig.joints].index(dinosaur.TAIL[dinosaur.MIDDLE])
    steps = [j.rest.translation for j in document.rig.joints if j.name in dinosaur.TAIL[1:]]
    lengths = [float(np.linalg.norm(step)) for step in steps] + [dinosaur.TAIL_STEP]
    assert sum(lengths[: dinosaur.MIDDLE]) == pytest.approx(sum(lengths) / 2)
    assert document.rig.joints[index].name == "tail_6"
