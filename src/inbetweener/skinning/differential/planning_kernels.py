"""Compiled planning: the deepest node that all influences of a vertex have passed, and the merged steps after it."""

from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel, record
from inbetweener.skinning.mesh import Indices, Singles

WHOLE = 1.0 - 1e-9
"""A sample passed so far is passed."""


@record("const(f8[:,::1]), const(f8[:,::1]), const(i8[::1]), const(i8[::1]), const(i8[::1])")
class Bones(NamedTuple):
    """Of every joint: where its bone starts and ends (J, 3), how many samples bend it, the first of these and the last
    node (J,)."""

    starts: Floats
    ends: Floats
    samples: Ints
    bends: Ints
    lasts: Ints


@record("const(i8[:,::1]), const(f8[:,::1]), const(f4[:,::1]), const(i8[::1]), const(i8[::1])")
class Passed(NamedTuple):
    """Of every influence (V, N): the last node that the vertex passes, how much of it, and the influence's weight; of
    every node (n,): its parent and its depth."""

    lasts: Ints
    fractions: Floats
    weights: Singles
    parents: Ints
    depths: Ints


@kernel("void(const(f4[:,::1]), const(i4[:,::1]), const(i8[::1]), Bones, i8[:,::1], f8[:,::1])")
def attach(vertices: Singles, influences: Indices, joints: Ints, bones: Bones, passed: Ints, fraction: Floats) -> None:
    """For each influence (V, N): the last node that the vertex passes, projected onto its bone, and how much of it."""
    starts, ends, samples, bends, lasts = bones
    for v in range(len(vertices)):
        for n in range(influences.shape[1]):
            j = joints[influences[v, n]]
            passed[v, n], fraction[v, n] = lasts[j], 1.0
            if samples[j] > 0:
                along, length = 0.0, 0.0
                for r in range(3):
                    bone = ends[j, r] - starts[j, r]
                    along += bone * (vertices[v, r] - starts[j, r])
                    length += bone * bone
                # A bone without length is passed as soon as it is reached.
                place = min(max(along / length, 0.0), 1.0) * samples[j] if length > 1e-18 else 1.0 * samples[j]
                whole = min(np.int64(place), samples[j] - 1)
                passed[v, n], fraction[v, n] = bends[j] + whole, place - whole


@inlined
def shared(passed: Passed, v: int) -> int:
    """The deepest node that every influence of a vertex that weighs anything has passed to its end; −1 for none."""
    last, fraction, weight = passed.lasts[v], passed.fractions[v], passed.weights[v]
    parents, depths = passed.parents, passed.depths
    node = -2
    for n in range(len(last)):
        if not weight[n] > 0.0:
            continue
        own = last[n] if fraction[n] > WHOLE else parents[last[n]]
        if node == -2:
            node = own
        while node != own:
            if own < 0 or (node >= 0 and depths[node] > depths[own]):
                node = parents[node]
            else:
                own = parents[own]
    return max(node, -1)


@inlined
def walk(
    passed: Passed, v: int, prefix: int, steps: Ints, nodes: Indices, weights: Singles, at: int, fill: bool
) -> int:
    """How many entries a vertex has behind its prefix; with `fill`, written from `at` on.

    All influences take their step number d together: entries are ordered by depth, those of one node merged. `steps`
    (N, deepest + 1) is a workspace.
    """
    last, fraction, weight = passed.lasts[v], passed.fractions[v], passed.weights[v]
    parents, depths = passed.parents, passed.depths
    total, deepest = 0.0, -1
    first = depths[prefix] + 1 if prefix >= 0 else 0
    for n in range(len(last)):
        if weight[n] > 0.0:
            total += weight[n]
            node = last[n]
            deepest = max(deepest, depths[node])
            while node != prefix:
                steps[n, depths[node]] = node
                node = parents[node]
    count = 0
    for depth in range(first, deepest + 1):
        begun = count
        for n in range(len(last)):
            if not weight[n] > 0.0 or depths[last[n]] < depth:
                continue
            node = steps[n, depth]
            merged = False
            for before in range(n):
                if weight[before] > 0.0 and depths[last[before]] >= depth and steps[before, depth] == node:
                    merged = True
            if merged:
                continue
            share = 0.0
            for other in range(n, len(last)):
                if weight[other] > 0.0 and depths[last[other]] >= depth and steps[other, depth] == node:
                    share += weight[other] * (fraction[other] if node == last[other] else 1.0)
            if share > 0.0:
                if fill:
                    nodes[at + count], weights[at + count] = node, share / total
                count += 1
        if fill and count > begun:
            weights[at + count - 1] = -weights[at + count - 1]
    return count


@inlined
def room_for(passed: Passed) -> Ints:
    """Where `walk` notes the steps of one vertex."""
    deepest = 0
    for n in range(len(passed.depths)):
        deepest = max(deepest, passed.depths[n])
    return np.empty((passed.lasts.shape[1], deepest + 1), np.int64)


@kernel("void(Passed, i8[::1], i8[::1])")
def count_entries(passed: Passed, prefixes: Ints, starts: Ints) -> None:
    """prefixes (V,), and starts (V + 1,) of every vertex's entries."""
    steps, none, nothing = room_for(passed), np.empty(0, np.int32), np.empty(0, np.float32)
    starts[0] = 0
    for v in range(len(prefixes)):
        prefixes[v] = shared(passed, v)
        starts[v + 1] = starts[v] + walk(passed, v, prefixes[v], steps, none, nothing, 0, False)


@kernel("void(Passed, i8[::1], i8[::1], i4[::1], f4[::1])")
def fill_entries(passed: Passed, prefixes: Ints, starts: Ints, nodes: Indices, shares: Singles) -> None:
    """Nodes and shares of all entries."""
    steps = room_for(passed)
    for v in range(len(prefixes)):
        walk(passed, v, prefixes[v], steps, nodes, shares, starts[v], True)
