"""Drags that stay out of things and of the body itself, measured on the skin, with nothing of the solver's."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.document import Document, edits
from inbetweener.document.clearance import staying_clear
from inbetweener.maths.solids import Capsule
from inbetweener.motion.clear import Apart

ARM = ("upper_arm_l.rx", "upper_arm_l.ry", "upper_arm_l.rz", "forearm_l.rx", "forearm_l.ry", "hand_l.rx", "hand_l.rz")
INTO_BELLY = {"point": "hand_l", "time": 0.9, "by": (-0.2, 0.06, -0.2)}


def skin(document: Document, looks: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Times (T,), all vertices (T, V, 3) blended by plain sums, and the joint that each follows most."""
    motion = document.motion()
    times = np.linspace(0.0, motion.clip.end, looks * (len(motion.clip.frame_times) - 1) + 1)
    world, found, leading = motion.world_from_joint(times), [], []
    for mesh in document.meshes:
        joints = [document.rig.joint_index(name) for name in mesh.joints]
        placed, every = np.c_[mesh.vertices, np.ones(len(mesh.vertices))], np.arange(len(mesh.vertices))
        share = np.zeros((len(every), len(joints), 4))
        for k, weight in zip(mesh.influences.T, mesh.weights.T, strict=True):
            local = np.einsum("vij,vj->vi", mesh.joint_from_mesh[k], placed)
            share[every, k] += weight[:, None] * np.c_[local, np.ones(len(every))]
        # (V, 4K) times (4K, 3T), in one product.
        flat = share.reshape(len(every), -1) @ world[:, joints].transpose(1, 3, 0, 2).reshape(4 * len(joints), -1)
        places = flat.reshape(len(every), -1, 3).transpose(1, 0, 2)
        found.append(places)
        leading += [mesh.joints[k] for k in mesh.influences[every, mesh.weights.argmax(axis=1)]]
    return times, np.concatenate(found, axis=1), leading


def inside_torso(document: Document) -> float:
    """How deep a hand's vertex is inside the trunk's own triangles, in metres: by winding numbers, twice a frame."""
    _, places, leading = skin(document, 2)
    hand = np.array([name in ("hand_l", "forearm_l") for name in leading])
    trunk = np.array([name in ("hips", "chest") for name in leading])
    first = np.cumsum([0, *(len(mesh.vertices) for mesh in document.meshes)])
    every = np.concatenate([m.triangles + f for m, f in zip(document.meshes, first, strict=False)])
    sides = every[trunk[every].all(axis=1)]
    deepest = 0.0
    for at in places:
        middle, reach = at[trunk].mean(axis=0), np.ptp(at[trunk], axis=0) / 2
        points = at[hand]
        points = points[(np.abs(points - middle) < 1.5 * reach).all(axis=1)]
        a, b, c = (at[sides[:, n]] - points[:, None] for n in range(3))
        la, lb, lc = (np.linalg.norm(each, axis=2) for each in (a, b, c))
        solid = np.einsum("pti,pti->pt", a, np.cross(b, c))
        around = la * lb * lc + (a * b).sum(2) * lc + (b * c).sum(2) * la + (c * a).sum(2) * lb
        winding = np.abs(np.arctan2(solid, around).sum(axis=1) / (2.0 * np.pi))
        deepest = max(deepest, float(np.where(winding > 0.5, la.min(axis=1), 0.0).max(initial=0.0)))
    return deepest


@pytest.mark.thorough
def test_a_hand_that_is_dragged_into_the_belly_stops_at_it() -> None:
    figure = example("waving")
    through = edits.drag(figure, **INTO_BELLY, channels=ARM)
    stopped = edits.drag(figure, **INTO_BELLY, channels=ARM, clear=True)
    assert through.reached
    assert inside_torso(through.document) > 0.02
    assert not stopped.reached
    assert inside_torso(stopped.document) == 0.0
    assert stopped.certificate.blockers[0].name == "clear of itself"
    assert [(held.name, held.holds) for held in stopped.certificate.clear] == [
        ("clear of itself", True), ("clear of the ground", True),
    ]  # fmt: skip
    # It came most of the way, and the rest of what a drag promises is as ever.
    assert stopped.certificate.target_distance < 0.3 * 0.29
    assert stopped.certificate.keys_kept
    # What was led through the belly is led out of it by guidance.
    led = edits.guide(through.document, channels=ARM, clear=True)
    assert inside_torso(led.document) == 0.0


def boxer() -> Document:
    """The boxer, whose bag is in the way."""
    found = example("boxer")
    return replace(found, props=tuple(replace(p, role="obstacle") if p.name == "bag" else p for p in found.props))


def test_a_body_that_is_dragged_towards_the_bag_goes_around_it() -> None:
    """The palm gets to where it is wished; on its way there the other hand would have gone through the bag."""
    before, wish = boxer(), {"point": "palm_r", "frame": 18, "by": (0.05, 0.0, 0.25)}
    (bag,) = (prop for prop in before.props if prop.name == "bag")
    assert isinstance(bag.solid, Capsule)

    def inside(document: Document) -> float:
        _, places, _ = skin(document, 4)
        away = places - np.array(bag.transform.translation)
        away[..., 1] -= np.clip(away[..., 1], -bag.solid.half, bag.solid.half)
        return float(max(0.0, (bag.solid.radius - np.linalg.norm(away, axis=-1)).max()))

    through, around = (edits.drag(before, **wish, clear=on) for on in (False, True))
    assert inside(before) == 0.0
    assert inside(through.document) > 0.05
    assert around.reached
    assert inside(around.document) < 5e-4
    told = {held.name: held for held in around.certificate.clear}
    # Gloves are worn, and are in the bag when they hit it: no deeper, and told.
    assert told["clear of bag"].part == "glove_l in bag"
    assert told["clear of bag"].distance <= told["clear of bag"].before + 2e-4
    assert "glove_l in bag" in "".join(around.lines)
    assert around.problem == ""


def test_neighbours_and_parts_that_overlap_anyway_do_not_mind_each_other() -> None:
    figure = example("waving")
    apart = Apart.of(figure.motion(), staying_clear(figure), range(len(figure.rig.channels)), 1.7, (0.0, 2.0))
    pairs = {frozenset((apart.labels[a], apart.labels[b])) for a, b in apart.pairs}
    assert frozenset(("hand_l", "hips")) in pairs
    assert frozenset(("hand_l", "the ground")) in pairs
    for one, other in (("hand_l", "forearm_l"), ("chest", "hips")):
        assert frozenset((one, other)) not in pairs


@pytest.mark.parametrize("name", ["waving"])
def test_a_drag_without_it_knows_nothing_of_it(name: str) -> None:
    found = edits.drag(example(name), **INTO_BELLY, channels=ARM)
    assert found.request.clear is None
    assert found.certificate.clear == ()


def test_a_key_that_would_help_is_looked_for_there_as_well() -> None:
    found = edits.drag(example("waving"), **INTO_BELLY, channels=["forearm_l.rx"], clear=True, suggest=True)
    assert not found.reached
    assert found.looked
    assert found.suggestion is None, "one elbow cannot lead the hand there, with or without a key"
