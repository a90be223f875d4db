"""Compiled planning: the deepest node that all influences of a vertex have passed, and the merged steps after it."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel

Entries = npt.NDArray[np.int32]
Singles = npt.NDArray[np.float32]

WHOLE = 1.0 - 1e-9
"""A sample passed so far is passed."""


@kernel(
    "void(const(f4[:,::1]), const(i4[:,::1]), const(i8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(i8[::1]),"
    " const(i8[::1]), const(i8[::1]), i8[:,::1], f8[:,::1])"
)
def attach(
    vertices: Singles,
    influences: Entries,
    joints: Ints,
    starts: Floats,
    ends: Floats,
    samples: Ints,
    bends: Ints,
    lasts: Ints,
    passed: Ints,
    fraction: Floats,
) -> None:
    """For each influence (V, N): the last node that the vertex passes, projected onto its bone, and how much of it."""
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
def shared(last: Ints, fraction: Floats, weight: Singles, parents: Ints, depths: Ints) -> int:
    """The deepest node that every influence that weighs anything has passed to its end; −1 for none."""
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
    last: Ints,
    fraction: Floats,
    weight: Singles,
    prefix: int,
    parents: Ints,
    depths: Ints,
    steps: Ints,
    nodes: Entries,
    weights: Singles,
    at: int,
    fill: bool,
) -> int:
    """How many entries a vertex has behind its prefix; with `fill`, written from `at` on.

    All influences take their step number d together: entries are ordered by depth, those of one node merged. `steps`
    (N, deepest + 1) is a workspace.
    """
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


@kernel("void(const(i8[:,::1]), const(f8[:,::1]), const(f4[:,::1]), const(i8[::1]), const(i8[::1]), i8[::1], i8[::1])")
def count_entries(
    lasts: Ints, fractions: Floats, weights: Singles, parents: Ints, depths: Ints, prefixes: Ints, starts: Ints
) -> None:
    """prefixes (V,), and starts (V + 1,) of every vertex's entries, for influences (V, N) that end in these nodes."""
    steps = np.empty((lasts.shape[1], depths.max() + 1 if len(depths) else 1), np.int64)
    none, nothing = np.empty(0, np.int32), np.empty(0, np.float32)
    starts[0] = 0
    for v in range(len(lasts)):
        prefixes[v] = shared(lasts[v], fractions[v], weights[v], parents, depths)
        starts[v + 1] = starts[v] + walk(
            lasts[v], fractions[v], weights[v], prefixes[v], parents, depths, steps, none, nothing, 0, False
        )


@kernel(
    "void(const(i8[:,::1]), const(f8[:,::1]), const(f4[:,::1]), const(i8[::1]), const(i8[::1]), i8[::1], i8[::1],"
    " i4[::1], f4[::1])"
)
def fill_entries(
    lasts: Ints,
    fractions: Floats,
    weights: Singles,
    parents: Ints,
    depths: Ints,
    prefixes: Ints,
    starts: Ints,
    nodes: Entries,
    shares: Singles,
) -> None:
    """Nodes and shares of all entries."""
    steps = np.empty((lasts.shape[1], depths.max() + 1 if len(depths) else 1), np.int64)
    for v in range(len(lasts)):
        walk(lasts[v], fractions[v], weights[v], prefixes[v], parents, depths, steps, nodes, shares, starts[v], True)
