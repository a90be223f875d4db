"""Which forces are differentiated by which channels: the pairs that can matter, found once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Ints, frozen, stacked_offsets
from inbetweener.dynamics.body import Body
from inbetweener.errors import UnknownName
from inbetweener.rig import DOFS

LINKS = DOFS[:6]
"""The degrees of freedom that carry forces."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Rows are forces on links, six a joint; columns are channels.

    rows (R,) links; channels (A,); column a owns starts[a] … starts[a+1] of links and entries (N,) of the channel map;
    each of these has its own stretch of rows below, the link itself included, and above.
    """

    rows: Ints
    channels: Ints
    starts: Ints
    links: Ints
    entries: Ints
    below_starts: Ints
    below: Ints
    above_starts: Ints
    above: Ints

    @classmethod
    def of(cls, body: Body, rows: Sequence[int], channels: Sequence[int]) -> Self:
        """The plan for these links and channels."""
        rig, mapping = body.rig, body.rig.dof_map
        row_numbers = np.asarray(rows, np.int64)
        depth = _depths(body)
        driven: dict[int, list[tuple[int, int]]] = {c: [] for c in channels}
        for link in range(6 * len(rig.joints)):
            dof = 9 * (link // 6) + link % 6
            for entry in range(mapping.starts[dof], mapping.starts[dof + 1]):
                if (found := driven.get(int(mapping.channels[entry]))) is not None:
                    found.append((link, entry))
        pairs = [pair for c in channels for pair in driven[c]]
        below, above = [], []
        for link, _ in pairs:
            joint = link // 6
            same = row_numbers // 6 == joint
            deeper = depth[row_numbers] >= depth[link]
            below.append(np.flatnonzero(np.where(same, deeper, body.hanging[joint, row_numbers // 6])))
            above.append(np.flatnonzero(np.where(same, ~deeper, body.hanging[row_numbers // 6, joint])))
        return cls(
            frozen(row_numbers, np.int64),
            frozen(channels, np.int64),
            frozen(stacked_offsets(len(driven[c]) for c in channels), np.int64),
            frozen([link for link, _ in pairs], np.int64),
            frozen([entry for _, entry in pairs], np.int64),
            *_stacked(below),
            *_stacked(above),
        )

    @property
    def dofs(self) -> Ints:
        """(R,) the rows as numbers among nine a joint."""
        return 9 * (self.rows // 6) + self.rows % 6


def link_numbers(body: Body, dofs: Iterable[str]) -> list[int]:
    """Links of degrees of freedom written "joint.rx"."""
    numbers = []
    for name in dofs:
        joint, _, axis = name.rpartition(".")
        if axis not in LINKS:
            raise UnknownName("degree of freedom that carries a force", axis, LINKS)
        numbers.append(6 * body.rig.joint_index(joint) + LINKS.index(axis))
    return numbers


def driven_links(body: Body, *, floating: bool) -> list[int]:
    """All links that some channel can move; without those of root joints when they float."""
    starts, joints = body.rig.dof_map.starts, body.rig.joints
    return [
        6 * j + d
        for j, joint in enumerate(joints)
        for d in range(6)
        if starts[9 * j + d] < starts[9 * j + d + 1] and not (floating and joint.parent < 0)
    ]


def _depths(body: Body) -> Ints:
    """(6J,) the place of each link in its joint: translations first, then turns, outermost first."""
    depths = np.tile(np.arange(6), len(body.rig.joints)).reshape(-1, 6)
    for j, order in enumerate(body.rig.skeleton.orders):
        depths[j, 3 + order] = (3, 4, 5)
    return depths.ravel()


def _stacked(lists: list[Ints]) -> tuple[Ints, Ints]:
    together = np.concatenate([np.empty(0, np.int64), *lists])
    return frozen(stacked_offsets(map(len, lists)), np.int64), frozen(together, np.int64)
