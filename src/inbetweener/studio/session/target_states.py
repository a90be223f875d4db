"""How far the motion that is shown is from its targets, measured as the solver measures it."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.kinodynamics import LooseMotion, PointTarget, PoseTarget, SoftPoint, Target
from inbetweener.kinodynamics.corrections import without_layers
from inbetweener.kinodynamics.residuals import earlier, turn_between
from inbetweener.kinodynamics.soft.hitting import soft_motion
from inbetweener.maths import quaternions
from inbetweener.motion import Motion
from inbetweener.skinning import Skin
from inbetweener.studio.gestures.values import triple
from inbetweener.studio.protocol.loose import ChannelMiss, LooseState, TargetState

STEP = 1.0 / 120.0
"""Seconds between two states that tell a speed, where nothing is simulated."""

NAMED = 3
"""Parts of a pose that are named where it is missed."""


def loose_state(document: Document, clip: str, loose: LooseMotion | None) -> LooseState:
    """The state of all targets of a clip, on or off; where nothing is loose, of its keyed motion."""
    aims = document.loosening(clip).aims
    lengths = loose.window(loose.clip.frame_times) if loose is not None else np.zeros(1)
    found = LooseState(targets=[], shortest=float(lengths.min()), longest=float(lengths.max()))
    if not aims:
        return found
    shown = loose if loose is not None else document.motion(clip)
    step = loose.loosened.step if loose is not None else STEP
    times = [aim.target.time for aim in aims]
    before = [earlier(loose, time) if loose is not None else time - step for time in times]
    bare = Motion(document.rig, without_layers(shown.clip, [aim.name for aim in aims]))
    # Rows (n, 2, C): now and a step earlier, as shown and as keyed before any correction.
    rows = shown.channels([*times, *before]).reshape(2, len(aims), -1).swapaxes(0, 1)
    keyed = bare.channels([*times, *(time - step for time in times)]).reshape(2, len(aims), -1).swapaxes(0, 1)
    for aim, now, wanted in zip(aims, rows, keyed, strict=True):
        found.targets.append(_state(aim.name, aim.target, document, shown, now, wanted, step))
    return found


def _state(
    name: str, target: Target, document: Document, shown: Motion, now: Floats, keyed: Floats, step: float
) -> TargetState:
    if isinstance(target, PoseTarget):
        return TargetState(name, None, None, None, None, None, _farthest(target, shown, now[0], keyed[0]))
    return _point_state(name, target, document, shown, now, keyed, step)


def _point_state(
    name: str, target: PointTarget, document: Document, shown: Motion, now: Floats, keyed: Floats, step: float
) -> TargetState:
    rig, point = shown.rig, target.point
    if isinstance(point, SoftPoint):
        return _soft_state(name, target, point, document, shown, keyed[0])
    (at, was), turns = rig.states(now, point)
    (keyed_at, keyed_was), keyed_turns = rig.states(keyed, point)
    wish = _wish(target.position, keyed_at)
    turn = speed = None
    if target.orientation is not None:
        given = target.orientation
        aimed = keyed_turns[0] if isinstance(given, str) else quaternions.to_matrix(np.array(given))
        turn = float(np.linalg.norm(turn_between(turns[:1], aimed)))
    if (velocity := _wish(target.velocity, (keyed_at - keyed_was) / step)) is not None:
        speed = float(np.linalg.norm((at - was) / step - velocity))
    distance = None if wish is None else float(np.linalg.norm(at - wish))
    return TargetState(name, triple(at), None if wish is None else triple(wish), distance, turn, speed, None)


def _soft_state(
    name: str, target: PointTarget, point: SoftPoint, document: Document, shown: Motion, keyed: Floats
) -> TargetState:
    """Of a vertex on something soft: where it is, and how fast where a speed of its own is asked for."""
    mesh = next(each for each in document.meshes if each.name == point.mesh)
    skin = Skin(mesh, document.rig)
    if isinstance(shown, LooseMotion):
        at = shown.soft_states([target.time], point)[0][0]
    else:
        at = skin.vertices(shown.channels([target.time])[0])[point.vertex].astype(np.float64)
    wish = _wish(target.position, skin.vertices(keyed)[point.vertex].astype(np.float64))
    distance = None if wish is None else float(np.linalg.norm(at - wish))
    speed = None
    if isinstance(shown, LooseMotion) and isinstance(target.velocity, tuple):
        speed = float(np.linalg.norm(soft_motion(shown, target.time, point)[1] - target.velocity))
    return TargetState(name, triple(at), None if wish is None else triple(wish), distance, None, speed, None)


def _wish(given: tuple[float, float, float] | str | None, keyed: Floats) -> Floats | None:
    if given is None:
        return None
    return keyed if isinstance(given, str) else np.array(given)


def _farthest(target: PoseTarget, shown: Motion, now: Floats, keyed: Floats) -> list[ChannelMiss]:
    """The parts of a pose that are farthest from their values: joints by their farthest channel, and controls."""
    rig = shown.rig
    if not isinstance(target.pose, str):
        numbers = [rig.channel_index(name) for name in target.pose]
        misses = np.abs(now[numbers] - list(target.pose.values()))
    else:
        numbers = _loose_channels(shown)
        misses = np.abs(now - keyed)[numbers]
    found: dict[str, ChannelMiss] = {}
    for n in np.argsort(-misses, kind="stable"):
        channel = rig.channels[numbers[n]]
        joints = {drive.joint for drive in channel.drives}
        joint = joints.pop() if len(joints) == 1 else None
        miss = ChannelMiss(channel.name, channel.kind, joint, float(misses[n]))
        found.setdefault(joint or channel.name, miss)
        if len(found) == NAMED:
            break
    return list(found.values())


def _loose_channels(shown: Motion) -> list[int]:
    """The channels that a pose as keyed asks for: those that are loose; where nothing is, all."""
    if not isinstance(shown, LooseMotion):
        return list(range(len(shown.rig.channels)))
    loosened = shown.loosened
    return [*loosened.swinging.channels.tolist(), *loosened.following.channels.tolist()]
