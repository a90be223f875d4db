"""A vertex that blend shapes move has an arc like any other: shape channels are parameters of drags and pulls."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import inbetweener as ib
from inbetweener.curves import Curve, Key, tangent_presets
from inbetweener.document import Document, edits
from inbetweener.errors import InvalidDocument
from inbetweener.motion import Clip, Curves, Motion, Pin
from inbetweener.rig import Point, shape_channels
from inbetweener.skinning import vertex_place
from inbetweener.tangents import Drag, DragRequest, Settings
from tests.skinning.bodies import some_pose, some_rig

CORNER = 3525
"""The vertex of the face that a smile moves most: a corner of the mouth."""
FINE = Settings(tolerance=1e-6, reached=1e-6)


@pytest.fixture(scope="module")
def face() -> Document:
    return ib.example("talking-face")


def seen(document: Document, pose: np.ndarray, vertex: int = CORNER) -> np.ndarray:
    """Where a vertex of the face is, by the definitions alone: shapes are added, joints turn one after another."""
    rig, mesh = document.rig, document.meshes[0]
    value = {channel.name: number for channel, number in zip(rig.channels, pose, strict=True)}
    world: list[np.ndarray] = []
    for joint in rig.joints:
        w, x, y, z = joint.rest.rotation
        angles = [value.get(f"{joint.name}.r{axis.lower()}", 0.0) for axis in joint.order]
        local = np.eye(4)
        local[:3, :3] = (Rotation.from_quat([x, y, z, w]) * Rotation.from_euler(joint.order, angles)).as_matrix()
        local[:3, 3] = [value.get(f"{joint.name}.t{a}", t) for a, t in zip("xyz", joint.rest.translation, strict=True)]
        world.append(local if joint.parent < 0 else world[joint.parent] @ local)
    at = mesh.vertices[vertex].astype(np.float64)
    for shape in mesh.shapes:
        at = at + value[shape.channel] * shape.offsets[vertex].astype(np.float64)
    names = [joint.name for joint in rig.joints]
    parts = zip(mesh.influences[vertex], mesh.weights[vertex].astype(np.float64), strict=True)
    carried = [
        (weight, world[names.index(mesh.joints[k])] @ np.append(mesh.joint_from_mesh[k] @ np.append(at, 1.0), 1.0))
        for k, weight in parts
    ]
    return np.asarray(sum(weight * place for weight, place in carried)[:3] / sum(weight for weight, _ in carried))


def test_states_and_derivatives_are_those_of_mesh_and_shapes(face: Document) -> None:
    place = vertex_place(face.meshes[0], CORNER)
    for pose in face.motion().channels([0.4, 1.2, 2.5]):
        np.testing.assert_allclose(face.rig.states(pose[None], place)[0][0], seen(face, pose), atol=1e-9)
        exact, errors = face.rig.state_jacobian(pose[None], place)[0, :3], []
        for step in (1e-3, 1e-4):
            nudges = step * np.eye(len(pose))
            by = np.stack([seen(face, pose + each) - seen(face, pose - each) for each in nudges], axis=1) / (2 * step)
            assert not np.array_equal(by, exact)
            errors.append(np.abs(by - exact).max())
        smile = face.rig.channel_index("smile")
        assert np.linalg.norm(exact[:, smile]) == pytest.approx(0.0225, abs=1e-4)
        assert errors[0] < 1e-6
        assert errors[1] < 2e-2 * errors[0]


@pytest.mark.parametrize(("frame", "by"), [(60, (-0.01, 0.0, 0.0)), (60, (0.0, 0.01, 0.0)), (70, (0.0, 0.0, 0.01))])
def test_a_corner_of_the_mouth_is_dragged_by_a_centimetre(
    face: Document, frame: int, by: tuple[float, float, float]
) -> None:
    place, time = vertex_place(face.meshes[0], CORNER), frame / 24.0
    dragged = edits.drag(face, place, frame=frame, by=by, settings=FINE)
    before, after = (seen(each, each.motion().channels([time])[0]) for each in (face, dragged.document))
    assert dragged.reached
    assert np.linalg.norm(after - before - by) < 1e-6
    # The mouth does it as far as it can, by the tangents of its shapes; the head turns a little.
    curves, changed = face.clip().curves, dragged.document.clip().curves
    shapes = [shape.channel for shape in face.meshes[0].shapes if shape.channel in curves]
    assert any(curves[name] != changed[name] for name in shapes)
    for name, curve in curves.items():
        np.testing.assert_array_equal(changed[name].values, curve.values)
        np.testing.assert_array_equal(changed[name].times, curve.times)
    turns = [face.rig.channel_index(f"{joint}.r{axis}") for joint in ("neck", "head") for axis in "xyz"]
    moved = (dragged.document.motion().channels([time]) - face.motion().channels([time]))[0, turns]
    assert np.abs(moved).max() < np.radians(5.0)


def test_shapes_alone_go_as_far_as_they_can_and_say_what_blocks(face: Document) -> None:
    shapes = [shape.channel for shape in face.meshes[0].shapes]
    place = vertex_place(face.meshes[0], CORNER)
    dragged = edits.drag(face, place, frame=60, by=(-0.01, 0.0, 0.0), channels=shapes)
    assert not dragged.reached
    assert "limit of" in dragged.problem
    assert 0.001 < dragged.certificate.target_distance < 0.004
    values = dragged.document.motion().channels(face.clip().frame_times)
    columns = [face.rig.channel_index(name) for name in shapes]
    assert values[:, columns].min() >= -1e-9
    assert values[:, columns].max() <= 1.0 + 1e-9


def test_a_face_is_pulled_by_its_shapes_too(face: Document) -> None:
    place, time = vertex_place(face.meshes[0], CORNER), 66 / 24.0
    wish = seen(face, face.motion().channels([time])[0]) + np.array([0.0, -0.004, 0.0])
    pulled = edits.pull(face, place, frame=66, to=wish).document
    pose = pulled.motion().channels([time])[0]
    assert np.linalg.norm(seen(pulled, pose) - wish) < 1e-4
    assert pose[face.rig.channel_index("smile")] < face.motion().channels([time])[0, face.rig.channel_index("smile")]


@pytest.mark.parametrize("bends", [0, 2])
def test_drags_see_shaped_points_on_bent_bones_where_they_are(bends: int) -> None:
    rig = some_rig(7, bends=bends)
    rig = replace(rig, channels=(*rig.channels, *shape_channels(["puff", "pinch"])))
    ends = [some_pose(seed, rig, turn=0.6) for seed in (1, 2)]
    curves = {}
    for n, channel in enumerate(rig.channels):
        values = (
            [0.2, 0.7] if channel.kind == "shape" else [0.8, 0.8] if channel.kind == "bend" else [e[n] for e in ends]
        )
        curves[channel.name] = tangent_presets.smooth(Curve.from_keys([Key(0.0, values[0]), Key(1.0, values[1])]))
    motion = Motion(rig, Clip("go", 1.0, curves=Curves(curves)))
    place = Point("j2", (0.1, 0.05, -0.1), "cheek", shapes=(("puff", (0.05, 0.1, 0.0)), ("pinch", (0.0, -0.04, 0.08))))
    drag = Drag(motion, DragRequest(place, 0.4), FINE)
    at, _ = motion.states([0.4], place)
    np.testing.assert_allclose(drag.start_position, at[0], atol=1e-12)
    solution = drag.to(at[0] + (0.01, 0.01, -0.01))
    assert solution.reached
    assert solution.curves["puff"] != curves["puff"]
    after = Motion(rig, replace(motion.clip, curves=solution.curves)).states([0.4], place)[0][0]
    assert np.linalg.norm(after - at[0] - (0.01, 0.01, -0.01)) < 1e-5
    # Derivatives of the states by all channels, dials of bends among them.
    pose, exact = motion.channels([0.4])[0], rig.state_jacobian(motion.channels([0.4]), place)[0, :3]
    nudges = 1e-5 * np.eye(len(pose))
    by = np.stack([np.subtract(*rig.states(np.stack([pose + e, pose - e]), place)[0]) / 2e-5 for e in nudges], axis=1)
    np.testing.assert_allclose(exact, by, atol=1e-8)


def test_a_pinned_vertex_is_kept_with_its_shapes(face: Document, tmp_path: Path) -> None:
    place = vertex_place(face.meshes[0], CORNER)
    pinned = edits.add_constraint(face, face.clip().name, Pin(place, start=0.5, end=1.0))
    ib.save(pinned, tmp_path / "face.tween")
    assert ib.load(tmp_path / "face.tween").constraints == pinned.constraints
    lost = replace(place, parts=tuple((replace(p, shapes=(("grin", (0.0, 0.0, 1.0)),)), w) for p, w in place.parts))
    with pytest.raises(InvalidDocument, match="its point is moved by unknown channel 'grin'"):
        edits.add_constraint(face, face.clip().name, Pin(lost))


def test_handles_turn_what_carries_a_shaped_point() -> None:
    document = ib.example("conductor")
    rig = replace(document.rig, channels=(*document.rig.channels, *shape_channels(["puff"])))
    puff = tangent_presets.smooth(Curve.from_keys([Key(0.0, 0.2), Key(2.0, 0.8)]))
    clip = replace(document.clip(), curves=Curves({**document.clip().curves, "puff": puff}))
    place = Point("forearm_l", (0.02, -0.1, 0.01), "sleeve", shapes=(("puff", (0.0, 0.03, 0.05)),))
    assert "forearm_l" in rig.handles[0].joints
    motion = Motion(rig, clip)
    drag, at = Drag(motion, DragRequest(place, 0.7), FINE), motion.states([0.7], place)[0][0]
    np.testing.assert_allclose(drag.start_position, at, atol=1e-12)
    wish = at + np.array([0.0, 0.02, 0.0])
    solution = drag.to(wish)
    assert solution.curves["puff"] != puff
    after = Motion(rig, replace(clip, curves=solution.curves)).states([0.7], place)[0][0]
    assert np.linalg.norm(after - wish) < 5e-6
