"""A vertex as a place on the body goes where skinning takes it."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.errors import UnknownName
from inbetweener.skinning import skinned, vertex_place
from inbetweener.tangents import Drag, Request


def test_a_vertex_moves_as_skinning_moves_it() -> None:
    boxer = ib.example("boxer")
    mesh, motion = boxer.meshes[0], boxer.motion()
    times = boxer.clip().frame_times[::9]
    chosen = np.random.default_rng(5).choice(len(mesh.vertices), 12, replace=False)
    channels, world = motion.channels(times), motion.world_from_joint(times)
    for n in range(len(times)):
        vertices = skinned(mesh, boxer.rig, channels[n], world[n])
        for vertex in chosen:
            place, _ = motion.states([times[n]], vertex_place(mesh, int(vertex)))
            assert np.abs(place[0] - vertices[vertex]).max() < 2e-6  # meshes are float32


def test_a_vertex_can_be_dragged() -> None:
    robot = ib.example("flying-robot")
    mesh = robot.meshes[0]
    busiest = int(np.argmax((mesh.weights > 0.05).sum(axis=1)))
    place = vertex_place(mesh, busiest)
    assert len(place.parts) > 1
    drag = Drag(robot.motion(), Request(place, 1.5))
    wish = drag.start_position + np.array([0.0, 0.1, 0.05])
    solution = drag.to(wish)
    assert solution.reached
    assert np.linalg.norm(solution.position - wish) < 1e-3


def test_a_vertex_that_does_not_exist_is_named() -> None:
    mesh = ib.example("flying-robot").meshes[0]
    with pytest.raises(UnknownName, match=f"{len(mesh.vertices)}"):
        vertex_place(mesh, len(mesh.vertices))
