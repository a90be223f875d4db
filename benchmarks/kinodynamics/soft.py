"""Soft parts: the hat of a gentleman who walks through a door, and a face on springs."""

from dataclasses import replace
from time import perf_counter

import numpy as np

from benchmarks.harness import Figure, interleaved
from inbetweener.builtin import example
from inbetweener.kinodynamics import ElasticPart, LooseMotion, Loosened, Looseness, Spring, SpringyPart
from inbetweener.kinodynamics.soft import kernels
from inbetweener.kinodynamics.soft.elastic import ElasticBody, elastic
from inbetweener.kinodynamics.soft.history import History, looking_back
from inbetweener.skinning import Mesh

WINDOW = 57 / 120
WINDOWS = 700
VERTICES = 1200
PUBLISHED_FACE_MS = 125.0


def measure() -> list[Figure]:
    return [*_hat(), *_face()]


def _hat() -> list[Figure]:
    document = example("hat-and-door")
    clip = document.clips[0]
    part = ElasticPart("cartoon", "hat_1")
    elastic.cache_clear()
    began = perf_counter()
    found = LooseMotion(Loosened(document.rig, Looseness(soft=(part,)), clip.rate, document.meshes), clip)
    body = found.loosened.softened.bodies[0][1]
    compiled = perf_counter() - began
    assert isinstance(body, ElasticBody)
    motion = LooseMotion(
        Loosened(document.rig, Looseness(soft=(part,), window=WINDOW), clip.rate, document.meshes), clip
    )
    count = motion.loosened.softened.count(body, clip)
    # As long a shot as it takes; after his last key the gentleman stands, which costs as much as walking.
    times = np.arange(WINDOWS) / clip.rate
    shot = replace(clip, end=float(times[-1]))
    long = LooseMotion(motion.loosened, shot)
    seen = looking_back(times, body.step, count)
    bone = History(long.tight, part.joint).bone(seen.moments)
    triples, windows = seen.triples()

    def filtered() -> None:

        result = np.empty((WINDOWS, len(body.springs)))
        kernels.weigh_windows(body.balanced(bone, triples), windows.rows, body.weights(count), result)

    whole, one, shown, only = interleaved(
        [
            lambda: body.amplitudes(long.tight, times, count),
            lambda: body.amplitudes(motion.tight, times[28:29], count),
            lambda: motion.offsets(times[28:29]),
            filtered,
        ],
        rounds=15,
    )
    frames = clip.frame_times
    softened, full = found.loosened.softened, round((clip.end - clip.start) / body.step)
    missed = np.abs(found.offsets(frames)[0][:, body.carried.vertices] - body.offsets(found.tight, frames, full)).max()
    return [
        Figure("hat: vertices", len(body.carried.vertices), ""),
        Figure("hat: modes", len(body.springs), ""),
        Figure("hat: modes found, once", compiled * 1e3, "ms"),
        Figure(f"hat: a window of {count} steps", one.median * 1e3, "ms", at_most=2),
        Figure("hat: a window with all its vertices", shown.median * 1e3, "ms", at_most=2),
        Figure(f"hat: {WINDOWS} windows, the way of the bone included", whole.median * 1e3, "ms"),
        Figure(f"hat: {WINDOWS} windows", only.median * 1e3, "ms", at_most=5),
        Figure("hat: automatic window", softened.count(body, clip) * body.step, "s"),
        Figure("hat: what it misses of a whole simulation", missed * 1e3, "mm", at_most=1),
    ]


def _face() -> list[Figure]:
    document = example("talking-face")
    clip, mesh = document.clips[0], _front(document.meshes[0])
    looseness = Looseness(soft=(SpringyPart("face", "head", Spring(4.0, 0.3)),))
    motion = LooseMotion(Loosened(document.rig, looseness, clip.rate, [mesh]), clip)
    frames = clip.frame_times
    every, one = interleaved([lambda: motion.offsets(frames), lambda: motion.offsets(frames[40:41])], rounds=15)
    body = motion.loosened.softened.bodies[0][1]
    steps = motion.loosened.softened.count(body, clip)
    return [
        Figure("face: vertices", len(body.carried.vertices), ""),
        Figure("face: steps a window", steps, ""),
        Figure("face: a frame of the whole clip", every.median * 1e3 / len(frames), "ms", at_most=1),
        Figure("face: a frame alone", one.median * 1e3, "ms", at_most=1),
        Figure("face: times faster than published", PUBLISHED_FACE_MS / (one.median * 1e3), "×"),
    ]


def _front(mesh: Mesh) -> Mesh:
    """The foremost vertices of a face that its head carries, as many as [IKD] has."""
    carried = np.where(np.isin(mesh.influences, [mesh.joints.index(name) for name in ("head", "jaw")]), mesh.weights, 0)
    kept = np.flatnonzero(carried.sum(axis=1) > 0)
    kept = np.sort(kept[np.argsort(-mesh.vertices[kept, 2], kind="stable")[:VERTICES]])
    among = np.full(len(mesh.vertices), -1)
    among[kept] = np.arange(len(kept))
    triangles = among[mesh.triangles]
    shapes = tuple(replace(each, offsets=each.offsets[kept], normal_offsets=None) for each in mesh.shapes)
    return replace(
        mesh, vertices=mesh.vertices[kept], triangles=triangles[(triangles >= 0).all(axis=1)],
        influences=mesh.influences[kept], weights=mesh.weights[kept], normals=None, uvs=None, colours=None,
        shapes=shapes,
    )  # fmt: skip
