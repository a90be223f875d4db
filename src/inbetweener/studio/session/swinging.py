"""What one page is shown of looseness: the frames of a loose motion, what is set, and how far targets are missed."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Aim, Document, Loosening
from inbetweener.document.edits.loosen import held_joints
from inbetweener.document.edits.solve import giving
from inbetweener.document.native.structs import to_struct, to_told
from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics import PRESETS, LooseMotion, PointTarget, PoseTarget, SoftPoint, Target
from inbetweener.kinodynamics.collisions import why_not
from inbetweener.kinodynamics.corrections import without_layers
from inbetweener.kinodynamics.looseness import Masses
from inbetweener.kinodynamics.residuals import earlier, turn_between
from inbetweener.kinodynamics.soft.hitting import soft_motion
from inbetweener.kinodynamics.soft.softened import Softened
from inbetweener.maths import quaternions
from inbetweener.motion import Motion
from inbetweener.skinning import Skin
from inbetweener.studio.gestures.hand import triple
from inbetweener.studio.looseness import chains, sway
from inbetweener.studio.protocol import loose
from inbetweener.studio.protocol.loose import ChannelMiss, LooseState, TargetState
from inbetweener.studio.session.changes import ALWAYS, Span
from inbetweener.studio.session.loose_frames import LooseFrames, soft_vertices, swings_until
from inbetweener.studio.watched import loose_motion

STEP = 1.0 / 120.0
"""Seconds between two states that tell a speed, where nothing is simulated."""

NAMED = 3
"""Parts of a pose that are named where it is missed."""


def _aim(document: Document, clip: str, aim: Aim, solved: bool) -> loose.AimInfo:
    gives, could = giving(document, clip, aim.target) if isinstance(aim.target, PointTarget) else ([], [])
    return to_struct(aim, loose.AimInfo, solved=solved, gives=gives, could=could)


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
        return _soft_state(name, target, point, document, shown, keyed, step)
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
    name: str,
    target: PointTarget,
    point: SoftPoint,
    document: Document,
    shown: Motion,
    keyed: Floats,
    step: float,
) -> TargetState:
    """Of a vertex on something soft: where it is, and how fast where a speed is asked for."""
    mesh = next(each for each in document.meshes if each.name == point.mesh)
    skin = Skin(mesh, document.rig)
    if isinstance(shown, LooseMotion):
        at = shown.soft_states([target.time], point)[0][0]
    else:
        at = skin.vertices(shown.channels([target.time])[0])[point.vertex].astype(np.float64)
    keyed_at, keyed_was = (skin.vertices(pose)[point.vertex].astype(np.float64) for pose in keyed)
    wish = _wish(target.position, keyed_at)
    distance = None if wish is None else float(np.linalg.norm(at - wish))
    speed = None
    velocity = _wish(target.velocity, (keyed_at - keyed_was) / step)
    if isinstance(shown, LooseMotion) and velocity is not None:
        speed = float(np.linalg.norm(soft_motion(shown, target.time, point)[1] - velocity))
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


class Swinging:
    """Follows the clip that a page shows."""

    def __init__(self) -> None:
        self.loose: LooseFrames | None = None
        self._problem = ""
        self._shown: tuple[Document, str] | None = None
        self._described: tuple[object, ...] = ()
        self._stated: loose.LooseState | None = None
        self._is_stated = True
        # What of the meshes the page knows to be soft; None: it knows nothing yet.
        self._softened: Softened | None = None
        self._soft: list[loose.SoftInfo] | None = None

    def leave(self) -> None:
        """Nothing is shown, or something else altogether comes next."""
        self.loose, self._shown, self._described, self._stated, self._problem = None, None, (), None, ""
        self._softened, self._soft = None, None

    def follow(self, document: Document, clip: str, span: Span | None) -> Span | None:
        """Be ready for a clip whose keyed motion differs within a span; where what is watched may differ."""
        before = self.loose.motion if self.loose is not None else None
        self._shown, self._is_stated = (document, clip), False
        after: LooseMotion | None = None
        try:
            self._problem, after = "", loose_motion(document, clip)
            seen = swings_until(span, before, after)
        except InbetweenerError as error:
            # A window that no longer fits a shortened clip, say: it is shown as keyed, and the page says why.
            self._problem, after = str(error), None
            seen = span if before is None else ALWAYS
        if after is None:
            self.loose = None
        elif self.loose is None or self.loose.values.shape != (len(after.clip.frame_times), len(after.rig.channels)):
            self.loose = LooseFrames(after)
        else:
            self.loose.follow(after, seen)
        return seen

    def give_up(self, problem: str) -> loose.Looseness:
        """Show it as keyed until it changes, because it cannot be simulated; what the page is told of that."""
        self.loose, self._problem = None, problem
        told = self.message()
        assert told is not None
        return told

    def message(self) -> loose.Looseness | None:
        """What is set, if the page does not know it yet."""
        assert self._shown is not None
        document, name = self._shown
        kept = next((each for each in document.loosenings if each.clip == name), None)
        layers = [layer.name for layer in document.clip(name).layers]
        # How springs swing together depends on the joints, what moves them, and which of them are held.
        body = document.rig.joints, [channel.name for channel in document.rig.channels], held_joints(document, name)
        described = (kept, layers, None if self.loose is None else self.loose.motion.loosened, self._problem, body)
        if described == self._described:
            return None
        self._described = described
        return self._message(document, kept or Loosening(name), set(layers))

    def soft_vertices(self) -> loose.SoftVertices | None:
        """Which vertices are soft, if the page does not know it yet."""
        loosened = self.loose.motion.loosened if self.loose is not None else None
        softened = loosened.softened if loosened is not None else None
        if self._soft is not None and softened is self._softened:
            return None
        self._softened, soft = softened, []
        if loosened is not None:
            numbers = loosened.softened.numbers
            soft = [loose.SoftInfo(mesh, soft_vertices(loosened, mesh).tolist()) for mesh in numbers]
        if soft == self._soft:
            return None
        self._soft = soft
        return loose.SoftVertices(soft)

    def state(self) -> loose.LooseState | None:
        """How things stand, if that is not what the page was told last; asked for when there is time."""
        if self._is_stated or self._shown is None:
            return None
        self._is_stated = True
        document, clip = self._shown
        motion = self.loose.motion if self.loose is not None else None
        try:
            state = loose_state(document, clip, motion)
        except InbetweenerError:
            # Whoever shows the frames meets the same error, and says it.
            return None
        if state == self._stated:
            return None
        self._stated = state
        return state

    def is_sent(self, around: float) -> bool:
        """Whether the page has been told everything near a frame."""
        return self._is_stated and (self.loose is None or self.loose.is_sent(around))

    def _message(self, document: Document, loosening: Loosening, layers: set[str]) -> loose.Looseness:
        loosened = self.loose.motion.loosened if self.loose is not None else None
        channels = document.rig.channels
        springs, masses = loosening.looseness.springs, self._masses(loosening)
        return loose.Looseness(
            on=loosening.on,
            loose=loosened is not None,
            problem=self._problem,
            unbumped=why_not(),
            settings=to_struct(loosening.looseness, loose.LoosenessSettings),
            presets=to_told(PRESETS, list[loose.SpringInfo]),
            sway=sway(document.rig, springs, masses),
            chains=chains(document.rig, springs, masses),
            held=sorted(held_joints(document, loosening.clip)),
            swinging=[channels[c].name for c in loosened.swinging.channels] if loosened is not None else [],
            following=[channels[c].name for c in loosened.following.channels] if loosened is not None else [],
            targets=[_aim(document, loosening.clip, aim, aim.name in layers) for aim in loosening.aims],
        )

    def _masses(self, loosening: Loosening) -> Masses:
        """What springs swing with; meshes were weighed for the motion, if it swings."""
        way = loosening.looseness.masses
        if way != "mesh":
            return way
        return "boxes" if self.loose is None else self.loose.motion.loosened.body.masses
