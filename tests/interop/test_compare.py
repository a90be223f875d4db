"""The ruler itself: a difference anywhere, in any frame, on either side is seen and measured in heights."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from interop.blender.compare import Apart, Sight


@pytest.fixture(scope="module")
def ours() -> Sight:
    document = example("waving")
    return Sight.of(document, document.clip().name, document.clip().frame_times)


def shuffled(sight: Sight) -> Sight:
    """The same in another order, some vertices twice: as other programs keep it."""
    rng = np.random.default_rng(3)
    joints = rng.permutation(len(sight.names))
    count = sight.vertices.shape[1]
    vertices = np.append(rng.permutation(count), rng.integers(count, size=40))
    names = tuple(sight.names[j] for j in joints)
    return Sight(sight.times, names, sight.joints[:, joints], sight.vertices[:, vertices])


def test_order_and_copies_do_not_matter(ours: Sight) -> None:
    assert Apart.between(ours, shuffled(ours)) == Apart(0.0, 0.0)


def test_one_joint_off_in_one_frame_is_measured(ours: Sight) -> None:
    joints = ours.joints.copy()
    joints[23, 4, 1] += 0.01
    apart = Apart.between(ours, shuffled(replace(ours, joints=joints)))
    assert apart.joints == pytest.approx(0.01 / ours.height())
    assert apart.vertices == 0.0


@pytest.mark.parametrize("frame", [0, 17])
def test_one_vertex_off_in_one_frame_is_measured_from_either_side(ours: Sight, frame: int) -> None:
    highest = int(ours.vertices[frame, :, 1].argmax())
    vertices = ours.vertices.copy()
    vertices[frame, highest, 1] += 0.5
    other = replace(ours, vertices=vertices)
    for apart in (Apart.between(ours, other), Apart.between(other, ours)):
        assert apart.vertices * ours.height() > 0.05
    assert Apart.between(ours, other).joints == 0.0


def test_what_is_missing_is_named(ours: Sight) -> None:
    names = ("somebody else", *ours.names[1:])
    assert Apart.between(ours, replace(ours, names=names)).missing == (ours.names[0],)
    assert Apart.between(ours, replace(ours, vertices=ours.vertices[:, :0])).vertices == np.inf
