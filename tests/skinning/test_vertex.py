"""A vertex as a place on the body goes where skinning takes it."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.errors import UnknownName
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Rig
from inbetweener.skinning import Blending, Skin, grabbed_place, vertex_place
from inbetweener.tangents import Drag, DragRequest
from tests.skinning.bodies import some_mesh, some_pose, some_rig


def test_a_vertex_moves_as_skinning_moves_it() -> None:
    boxer = ib.example("boxer")
    mesh, motion = boxer.meshes[0], boxer.motion()
    times = boxer.clip().frame_times[::9]
    chosen = np.random.default_rng(5).choice(len(mesh.vertices), 12, replace=False)
    channels, world = motion.channels(times), motion.world_from_joint(times)
    for n in range(len(times)):
        vertices = Skin(mesh, boxer.rig).vertices(channels[n], world[n])
        for vertex in chosen:
            place, _ = motion.states([times[n]], vertex_place(mesh, int(vertex)))
            assert np.abs(place[0] - vertices[vertex]).max() < 2e-6  # meshes are float32


def test_a_vertex_can_be_dragged() -> None:
    robot = ib.example("flying-robot")
    mesh = robot.meshes[0]
    busiest = int(np.argmax((mesh.weights > 0.05).sum(axis=1)))
    place = vertex_place(mesh, busiest)
    assert len(place.parts) > 1
    drag = Drag(robot.motion(), DragRequest(place, 1.5))
    wish = drag.start_position + np.array([0.0, 0.1, 0.05])
    solution = drag.to(wish)
    assert solution.reached
    assert np.linalg.norm(solution.position - wish) < 1e-3


@pytest.mark.parametrize("blending", ["linear", "dual-quaternion", "screw", "differential"])
@pytest.mark.parametrize("bends", [0, 2])
def test_a_grabbed_vertex_is_where_it_is_seen(blending: Blending, bends: int) -> None:
    rig = some_rig(4, bends=bends)
    mesh, pose = some_mesh(4, rig), some_pose(4, rig, turn=1.0)
    skin = Skin(mesh, rig, blending, poses=pose)
    seen = skin.vertices(pose)
    motion = Motion(rig, Clip("still", 0.0, curves=Curves(held(rig, pose))))
    for vertex in range(0, len(mesh.vertices), 5):
        place, _ = motion.states([0.0], grabbed_place(skin, vertex, pose))
        assert np.abs(place[0] - seen[vertex]).max() < 2e-6


def test_a_grabbed_vertex_stays_near_the_skin_a_frame_later() -> None:
    boxer = ib.example("boxer")
    mesh, motion, times = boxer.meshes[0], boxer.motion(), boxer.clip().frame_times
    channels = motion.channels(times)
    skin = Skin(mesh, boxer.rig, "differential", poses=channels)
    missed = []
    for frame in (10, 20, 30):
        now, later = skin.vertices(channels[frame]), skin.vertices(channels[frame + 1])
        linear = Skin(mesh, boxer.rig).vertices(channels[frame])
        for vertex in np.argsort(-np.linalg.norm(now - linear, axis=1))[:40:8]:
            places = (vertex_place(mesh, int(vertex)), grabbed_place(skin, int(vertex), channels[frame]))
            there = [motion.states([times[frame + 1]], place)[0][0] for place in places]
            missed.append([np.linalg.norm(place - later[vertex]) for place in there])
    plain, grabbed = np.array(missed).T
    assert plain.min() > 0.01
    assert (grabbed < 0.5 * plain).all()
    assert np.median(grabbed / plain) < 0.03


def held(rig: Rig, pose: np.ndarray) -> dict[str, Curve]:
    return {channel.name: Curve.constant(float(value)) for channel, value in zip(rig.channels, pose, strict=True)}


def test_a_vertex_that_does_not_exist_is_named() -> None:
    mesh = ib.example("flying-robot").meshes[0]
    with pytest.raises(UnknownName, match=f"{len(mesh.vertices)}"):
        vertex_place(mesh, len(mesh.vertices))
