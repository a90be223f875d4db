"""Bring one point exactly to a state by moving one limb; makes two key poses agree at a contact."""

from collections.abc import Iterable

import numpy.typing as npt

from inbetweener.errors import InvalidRequest
from inbetweener.posing.problem import build
from inbetweener.posing.request import PoseRequest, Pull
from inbetweener.posing.settings import Settings
from inbetweener.posing.solution import Solution
from inbetweener.posing.solve import solve
from inbetweener.posing.state import State
from inbetweener.rig import ROOT, Place, Rig, chains
from inbetweener.rig.freedom import Wanted

EXACT = 5e-7
"""Metres (radians) within which a point is where it should be."""


def snap(
    rig: Rig, channels: npt.ArrayLike, point: Place, state: State, *, joints: Iterable[str] | None = None
) -> Solution:
    """The pose in which `point` has `state` to a millionth of a metre, with the smallest change of one limb.

    `joints` are those that may move, by default the limb that the point belongs to. Only channels that drive nothing
    else move. A state out of reach gives the nearest pose; `reached` and `blockers` say so.
    """
    wanted: Wanted
    if state.position is None and state.turn is None:
        raise InvalidRequest(f"{point} is to be snapped to nothing: give a position, a turn or both")
    wanted = (
        "both"
        if state.position is not None and state.turn is not None
        else ("position" if state.turn is None else "orientation")
    )
    chosen = frozenset(limb(rig, point.parts[0][0].joint) if joints is None else joints)
    for joint in chosen:
        rig.joint_index(joint)
    free = frozenset(
        channel.name
        for channel in rig.channels
        if channel.poses and channel.drives and all(drive.joint in chosen for drive in channel.drives)
    )
    height = chains.size(rig)
    # The pull has to outweigh the wish to change little by as much as the answer is to be exact.
    settings = Settings(reached=EXACT / max(1.0, height), pull=1e12, iterations=100)
    return solve(build(rig, channels, PoseRequest((Pull(point, wanted),), channels=free), settings), state)


def limb(rig: Rig, joint: str) -> tuple[str, ...]:
    """The joints from where a limb leaves the body, or another limb, down to `joint`."""
    path = [joint]
    parent = rig.joint(joint).parent
    while parent != ROOT and len(chains.children(rig, rig.joints[parent].name)) == 1:
        path.append(rig.joints[parent].name)
        parent = rig.joints[parent].parent
    return tuple(reversed(path))
