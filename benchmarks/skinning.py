"""Differential blending against its naive form and against dual quaternions. `python -m benchmarks.skinning [--json]`

A body of 20 bones, every one keyed and bent in 10 samples; whole calls of `Skin.vertices`, one core.
"""

import numpy as np

from benchmarks.harness import Figure, interleaved, main
from inbetweener.arrays import frozen
from inbetweener.maths import dual_quaternions, transforms
from inbetweener.rig import Bend, Joint, Rig, bend_channel, joint_channels
from inbetweener.skinning import Mesh, Skin
from inbetweener.skinning.differential import Plan, Tree
from inbetweener.skinning.differential import kernels as differential_kernels
from inbetweener.skinning.differential.tree import attachments, plan_of

SIZES = (11_000, 100_000)
SAMPLES, INFLUENCES, BONE = 10, 4, 0.2
CHAINS = {
    "spine": (-1, 4, (0.0, 1.0, 0.0)),
    "neck": (3, 4, (0.0, 1.0, 0.0)),
    "arm_l": (2, 3, (1.0, 0.0, 0.0)),
    "arm_r": (2, 3, (-1.0, 0.0, 0.0)),
    "leg_l": (0, 3, (0.4, -0.9, 0.0)),
    "leg_r": (0, 3, (-0.4, -0.9, 0.0)),
}
"""The joint that each chain hangs from, how many bones it has, and where it points to."""


def body() -> Rig:
    """A rig of 20 bones, each bent into an arc by one sketch."""
    joints: list[Joint] = []
    for name, (parent, count, towards) in CHAINS.items():
        x, y, z = BONE * np.asarray(towards) / np.linalg.norm(towards)
        for number in range(count):
            above = len(joints) - 1 if number else parent
            joints.append(
                Joint(f"{name}_{number}", above, transforms.Transform((x, y, z) if above >= 0 else (0, 0, 0)))
            )
    channels = [
        c for joint in joints for c in joint_channels(joint, "tx ty tz rx ry rz" if joint.parent < 0 else "rx ry rz")
    ]
    at = (np.arange(SAMPLES) + 0.5)[:, None] / SAMPLES
    screws = {}
    ends = Rig(tuple(joints)).bones.ends
    for number, joint in enumerate(joints):
        turn = np.tile([0.0, 0.3 * (-1) ** number, 1.1], (SAMPLES, 1)) / SAMPLES
        screws[joint.name] = np.concatenate([turn, np.cross(at * ends[number], turn)], axis=1)
    return Rig(tuple(joints), (*channels, bend_channel("sketch")), bends=(Bend("sketch", "sketch", screws),))


def tubes(rig: Rig, count: int) -> Mesh:
    """Vertices around all bones, each with its nearest ones as influences."""
    starts = rig.rest_world()[..., 3]
    ends = starts + np.einsum("jrc,jc->jr", rig.rest_world()[..., :3], rig.bones.ends)
    n = np.arange(count)
    bone, along, angle = n * len(rig.joints) // count, (0.618034 * n) % 1.0, 2.399963 * n
    axis = (ends - starts)[bone]
    side = np.cross(axis, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    round_ = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.array([0.0, 0.0, 1.0])
    vertices = starts[bone] + along[:, None] * axis + 0.05 * round_
    distance = np.empty((count, len(rig.joints)))
    for j in range(len(rig.joints)):
        line = ends[j] - starts[j]
        s = np.clip((vertices - starts[j]) @ line / (line @ line), 0.0, 1.0)
        distance[:, j] = np.linalg.norm(vertices - starts[j] - s[:, None] * line, axis=1)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :INFLUENCES]
    weights = np.take_along_axis(distance, nearest, axis=1) ** -6.0
    weights /= weights.sum(axis=1, keepdims=True)
    weights[weights < 0.005] = 0.0
    weights /= weights.sum(axis=1, keepdims=True)
    names = tuple(joint.name for joint in rig.joints)
    bind = transforms.inverse(rig.rest_world())
    return Mesh("tubes", vertices, np.empty((0, 3)), names, bind, nearest, weights)  # type: ignore[arg-type]


def naive_plan(mesh: Mesh, tree: Tree) -> Plan:
    """Every influence's whole path for every vertex: nothing shared, nothing merged."""
    passed, fraction = attachments(mesh, np.arange(len(mesh.joints)), tree)
    deepest = int(tree.depths.max()) + 1
    paths = np.full((len(tree), deepest), -1)
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            paths[node] = paths[parent]
        paths[node, tree.depths[node]] = node
    nodes = np.swapaxes(paths[passed], 1, 2)
    share = np.where(nodes == passed[:, None, :], fraction[:, None, :], 1.0) * mesh.weights[:, None, :]
    there = (nodes >= 0) & (mesh.weights[:, None, :] > 0.0)
    last = there & (np.cumsum(there[..., ::-1], axis=-1)[..., ::-1] == 1)
    counts = there.sum(axis=(1, 2))
    return Plan(
        frozen(np.full(len(passed), -1), np.int64),
        frozen(np.concatenate([[0], np.cumsum(counts)]), np.int64),
        frozen(nodes[there], np.int32),
        # A share of nothing still has to end its step, and must not end another.
        frozen(np.where(last, -1.0, 1.0)[there] * np.maximum(share, 1e-30)[there], np.float32),
    )


def posed_by(plan: Plan, skin: Skin, pose: np.ndarray) -> np.ndarray:
    """What Skin.vertices does, with another plan."""
    differentials = skin.tree.differentials(skin.rig, pose)
    composed = skin.tree.composed(differentials)
    result = np.empty_like(skin.mesh.vertices)
    differential_kernels.pose_vertices(plan, differentials, composed, skin.mesh.vertices, result)
    return result


def numpy_dual(mesh: Mesh, rig: Rig, pose: np.ndarray) -> np.ndarray:
    """Dual quaternion skinning in array code."""
    moved = transforms.product(rig.world_from_joint(pose[None])[0], mesh.joint_from_mesh)
    joints = dual_quaternions.from_matrix(moved)
    return dual_quaternions.apply(dual_quaternions.blended(mesh.weights, joints[mesh.influences]), mesh.vertices)


def measure_size(rig: Rig, pose: np.ndarray, count: int) -> list[Figure]:
    mesh = tubes(rig, count)
    skin = Skin(mesh, rig, "differential", poses=pose)
    dual, linear = Skin(mesh, rig.keyed, "dual-quaternion"), Skin(mesh, rig.keyed)
    naive = naive_plan(mesh, skin.tree)
    np.testing.assert_allclose(posed_by(naive, skin, pose), skin.vertices(pose), atol=1e-5)
    np.testing.assert_allclose(numpy_dual(mesh, rig.keyed, pose), dual.vertices(pose), atol=1e-5)
    fast, slow, shortest, plain, peer, planning = interleaved(
        (
            lambda: skin.vertices(pose),
            lambda: posed_by(naive, skin, pose),
            lambda: dual.vertices(pose),
            lambda: linear.vertices(pose),
            lambda: numpy_dual(mesh, rig.keyed, pose),
            lambda: plan_of(mesh, rig, skin.tree),
        ),
        rounds=25,
    )
    size = f"{count // 1000}k vertices"
    return [
        Figure(f"{size}: differential (DB)", 1e3 * fast.median, "ms", at_most=5.0 if count == SIZES[0] else None),
        Figure(f"{size}: DB, nothing shared", 1e3 * slow.median, "ms"),
        Figure(f"{size}: dual quaternions (DQS)", 1e3 * shortest.median, "ms"),
        Figure(f"{size}: linear", 1e3 * plain.median, "ms"),
        Figure(f"{size}: DQS in numpy", 1e3 * peer.median, "ms"),
        Figure(f"{size}: gain by shared prefixes", slow.median / fast.median, "×", at_least=3.5),
        Figure(f"{size}: DB against our DQS", fast.median / shortest.median, "×", at_most=5.0),
        Figure(f"{size}: gain over DQS in numpy", peer.median / fast.median, "×", at_least=5.0),
        Figure(f"{size}: planning, once a mesh", 1e3 * planning.median, "ms"),
        Figure(f"{size}: influences a vertex", float(np.count_nonzero(mesh.weights)) / count, ""),
        Figure(f"{size}: steps a vertex", float(np.count_nonzero(skin.plan.weights < 0)) / count, ""),
    ]


def measure() -> list[Figure]:
    rig = body()
    pose = rig.defaults.copy()
    turning = [number for number, channel in enumerate(rig.channels) if ".r" in channel.name]
    pose[turning] = 0.6 * np.sin(1.0 + np.arange(len(turning)))
    pose[rig.channel_index("sketch")] = 1.0
    return [figure for count in SIZES for figure in measure_size(rig, pose, count)]


if __name__ == "__main__":
    main("skinning", measure)
