"""The robot has four keys and hits its three obstacles: the exercise that the tool exists for."""

import numpy as np

from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.maths import transforms
from inbetweener.skinning import Skin


def obstacles_hit(document: Document) -> dict[str, float]:
    """How deep, in metres, the mesh is inside each obstacle that it enters."""
    motion, times = document.motion(), document.clip().frame_times
    channels = motion.channels(times)
    depths: dict[str, float] = {}
    for values, world in zip(channels, document.rig.world_from_joint(channels), strict=True):
        points = Skin(document.meshes[0], document.rig).vertices(values, world)
        for prop in document.props:
            if prop.role == "obstacle":
                local = transforms.apply(transforms.inverse(prop.transform.matrix()), points)
                depth = -float(prop.solid.distance(local).min())
                if depth > 0:
                    depths[prop.name] = max(depth, depths.get(prop.name, 0.0))
    return depths


def test_four_keys_on_every_channel() -> None:
    clip = example("flying-robot").clip()
    assert {tuple(np.round(curve.times * 24)) for curve in clip.curves.values()} == {(0, 24, 48, 72)}


def test_the_first_arc_hits_all_three_obstacles() -> None:
    document = example("flying-robot")
    assert len([prop for prop in document.props if prop.role == "obstacle"]) == 3
    depths = obstacles_hit(document)
    assert len(depths) == 3
    assert min(depths.values()) > 0.03


def test_the_keys_themselves_are_clear_so_that_bending_the_arcs_is_enough() -> None:
    document = example("flying-robot")
    channels = document.motion().channels(np.array([0, 24, 48, 72]) / 24)
    for values, world in zip(channels, document.rig.world_from_joint(channels), strict=True):
        points = Skin(document.meshes[0], document.rig).vertices(values, world)
        for prop in document.props:
            if prop.role == "obstacle":
                local = transforms.apply(transforms.inverse(prop.transform.matrix()), points)
                assert prop.solid.distance(local).min() > 0.02, prop.name
