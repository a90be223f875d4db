"""Where bones fork: what neighbouring branches would share follows the bone that they fork from."""

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints

BESIDE = 0.5
"""Branches whose first bones set out within this cosine of each other are neighbours, as fingers and legs are; a neck
and a shoulder are not, and share the skin between them."""


def parted(weights: Floats, bones: Ints, parents: Ints, starts: Floats, ends: Floats) -> Floats:
    """Weights (V, B) of bones, joints (B,) in a tree of parents (J,), with none that follows two neighbours at once.

    Heat flows over the web between two fingers, and a fist would drag the skin of a stretched one along. So a branch
    keeps what it has more than its strongest neighbour, and the rest goes to the hand. Far from both, where they are
    felt faintly, the rest goes to whatever is felt there. From vertex to vertex that is as continuous as heat is; rows
    sum to one before and after. starts and ends (J, 3) are those of bones at rest.
    """
    weights = weights.copy()
    column = np.full(len(parents), -1)
    column[bones] = np.arange(len(bones))
    branches: list[list[list[int]]] = [[] for _ in parents]
    for joint in range(len(parents) - 1, -1, -1):
        own = _nearest_bone(joint, column, parents)
        if own >= 0 and len(branches[joint]) > 1:
            first = bones[[branch[0] for branch in branches[joint]]]
            _part(weights, own, branches[joint], _beside((ends - starts)[first]))
        below = [column[joint]] if column[joint] >= 0 else []
        below += [bone for branch in branches[joint] for bone in branch]
        if below and parents[joint] >= 0:
            branches[parents[joint]].append(below)
    return weights


def _part(weights: Floats, own: int, branches: list[list[int]], beside: Bools) -> None:
    """In place, for one fork and the column of the bone that takes what its branches give up."""
    among = [number for number, each in enumerate(beside) if each.any()]
    if not among:
        return
    branches, beside = [branches[number] for number in among], beside[np.ix_(among, among)]
    shares = np.stack([weights[:, branch].sum(axis=1) for branch in branches], axis=1)
    rivals = np.stack([shares[:, each].max(axis=1, initial=0.0) for each in beside], axis=1)
    kept = np.maximum(shares - rivals, 0.0)
    factors = np.divide(kept, shares, out=np.ones_like(shares), where=shares > 0.0)
    for branch, factor in zip(branches, factors.T, strict=True):
        weights[:, branch] *= factor[:, None]
    given = (shares - kept).sum(axis=1)
    others = np.setdiff1d(np.arange(weights.shape[1]), np.concatenate(branches))
    weights[:, others] *= 1.0 + given[:, None]
    weights[:, own] += given * shares.sum(axis=1)


def _beside(ways: Floats) -> Bools:
    """(n, n) which of the directions are neighbours; none of itself."""
    ways = ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-300)
    return (ways @ ways.T > BESIDE) & ~np.eye(len(ways), dtype=np.bool_)


def _nearest_bone(joint: int, column: Ints, parents: Ints) -> int:
    """The column of a joint or, where it has no bone, of the nearest above that has one; −1 for none."""
    while joint >= 0 and column[joint] < 0:
        joint = int(parents[joint])
    return int(column[joint]) if joint >= 0 else -1
