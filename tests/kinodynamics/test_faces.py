"""Targets for a vertex that blend shapes move: hit by loose shapes, as scipy swings them and plain numpy skins them."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import inbetweener as ib
from inbetweener.arrays import Floats
from inbetweener.document import Document, edits
from inbetweener.errors import UnknownName
from inbetweener.kinodynamics import Bell, Looseness, PointTarget, SoftPoint, Spring, SpringyPart
from inbetweener.kinodynamics.problem import giving_way
from inbetweener.skinning import vertex_place
from tests.tangents.test_shapes import CORNER, seen

FACE = ib.example("talking-face")
CLIP, TIME, WINDOW = FACE.clip().name, 44 / 24, 0.8
SHAPES = ("open", "ooh", "wide", "smile")
FLESH = Spring(2.2, 0.35)
CORNER_PLACE = vertex_place(FACE.meshes[0], CORNER)


def loose() -> Document:
    """Lips and cheeks that come late and overshoot; the head is as keyed."""
    return edits.set_looseness(FACE, CLIP, Looseness(dict.fromkeys(SHAPES, FLESH), WINDOW))


def swung(document: Document, time: float) -> Floats:
    """Channel values (C,) with the loose ones as the differential equation has them, from a window earlier on."""
    motion, loose = document.motion(), [document.rig.channel_index(name) for name in SHAPES]
    stiffness, damping = (2 * np.pi * FLESH.frequency) ** 2, 4 * np.pi * FLESH.frequency * FLESH.damping

    def pulled(t: float, state: Floats) -> Floats:
        place, speed = state.reshape(2, -1)
        return np.r_[speed, stiffness * (motion.channels([t])[0, loose] - place) - damping * speed]

    begun = motion.channel_motion([time - WINDOW])[0, loose, :2].T.ravel()
    found = solve_ivp(pulled, (time - WINDOW, time), begun, rtol=1e-8, atol=1e-9, max_step=1 / 48)
    values = motion.channels([time])[0]
    values[loose] = np.clip(found.y[: len(loose), -1], 0.0, 1.0)
    return values


@pytest.mark.parametrize("moving", [False, True])
def test_a_corner_of_the_mouth_is_hit_by_loose_shapes(moving: bool) -> None:
    document, keyed = loose(), seen(FACE, FACE.motion().channels([TIME])[0])
    wish = np.add(keyed, (-0.002, 0.001, 0.0))
    off = np.linalg.norm(seen(document, swung(document, TIME)) - wish)
    assert off > 0.003
    x, y, z = wish.tolist()
    velocity = (0.0, 0.02, 0.0) if moving else None
    target = PointTarget(
        TIME, CORNER_PLACE, (x, y, z), velocity=velocity, bell=Bell(0.3, 0.3), channels=frozenset(SHAPES)
    )
    result = edits.solve(edits.add_target(document, CLIP, target), clip=CLIP)
    assert result.solution.reached
    hit = result.document
    assert set(hit.clip().layers[0].curves) <= set(SHAPES)
    # Steps of a hundred and twentieth of a second follow the continuous spring to about this.
    assert np.linalg.norm(seen(hit, swung(hit, TIME)) - wish) < 2e-5
    assert np.linalg.norm(seen(hit, hit.shown_motion().channels([TIME])[0]) - wish) < 1e-7
    if moving:
        step = 1 / 120
        now, before = (seen(hit, swung(hit, at)) for at in (TIME, TIME - step))
        np.testing.assert_allclose((now - before) / step, velocity, atol=2e-3)


def test_shapes_give_way_before_the_head_does() -> None:
    names = {FACE.rig.channels[c].name for c in giving_way(FACE.rig, CORNER_PLACE)}
    assert names > {"smile", "wide", "head.ry"}
    assert "blink_l" not in names
    result = edits.solve(
        edits.target(loose(), f"face vertex {CORNER}", time=TIME, by=(-0.002, 0.002, 0.0)).document, clip=CLIP
    )
    assert result.solution.reached
    (correction,) = result.document.clip().layers
    turned = [np.abs(curve.values).max() for name, curve in correction.curves.items() if ".r" in name]
    assert np.degrees(max(turned)) < 1.0
    assert max(np.abs(correction.curves[name].values).max() for name in SHAPES if name in correction.curves) > 0.1


def test_a_vertex_on_a_spring_of_its_own_is_hit_by_shapes() -> None:
    """Nothing but shapes may give way, so that the head stays where it is."""
    springy = edits.set_looseness(FACE, CLIP, Looseness({}, soft=(SpringyPart("face", "head", FLESH),)))
    point = SoftPoint("face", CORNER)
    pose = FACE.motion().channels([TIME])[0]
    wider = pose.copy()
    wider[[FACE.rig.channel_index(name) for name in ("smile", "wide", "open")]] += 0.2, 0.1, 0.1
    by = seen(FACE, wider) - seen(FACE, pose)
    wish = springy.loose_motion(CLIP).soft_states([TIME], point)[0][0] + by
    made = edits.target(springy, f"face vertex {CORNER}", time=TIME, to=wish, channels=SHAPES, bell=Bell(0.3, 0.3))
    assert made.target.point == point  # type: ignore[union-attr]
    result = edits.solve(made.document, clip=CLIP)
    assert result.solution.reached
    after = result.document.loose_motion(CLIP)
    assert np.linalg.norm(after.soft_states([TIME], point)[0][0] - wish) < 2e-6
    assert set(result.document.clip().layers[0].curves) <= set(SHAPES)


def test_vertices_are_named_by_mesh_and_number() -> None:
    dragged = edits.drag(FACE, f"face vertex {CORNER}", frame=60, by=(0.0, 0.01, 0.0))
    assert dragged.reached
    with pytest.raises(UnknownName, match="vertex of mesh 'face'"):
        edits.target(loose(), "face vertex 99999999", time=TIME)
    with pytest.raises(UnknownName, match="point or joint"):
        edits.target(loose(), "nose vertex 3", time=TIME)
