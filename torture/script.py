"""Scripted editing: what animators do to a small arm, chosen by chance, the same for the same seed.

Every step is made of the page's own requests and moves, so that it can be played on a real Studio and on a session in
this process alike.
"""

from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Protocol

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document.pose import Pose
from inbetweener.studio.protocol import edit_requests, gestures, loose_requests, to_server
from inbetweener.studio.protocol.parts import KeyRef, Part, Place, ViewPlane
from inbetweener.studio.session import Refusal
from tests.sounds import PNG, beep
from tests.studio.documents import arm

HAND = Place([Part("hand", (0.0, 0.0, 0.0), 1.0)], "hand")
PALM = Place([Part("hand", (0.1, 0.0, 0.0), 1.0)], "palm")
FRONT = ViewPlane((0.3, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), 3.0)
CHANNELS = ["hips.tx", "hips.rz", "elbow.rz", "elbow.ry"]
WAY = arm().motion("swing").states([0.25, 0.4, 0.5], arm().rig.point("hand"))[0]

BESIDE = {"beep.wav": beep(0.3), "look.png": PNG}
"""What lies beside the document in its project: a sound and a picture that clips are given."""
KEPT = Pose.of(arm(), "reach", "swing", 0.5)
"""A pose that the project keeps."""


class Player(Protocol):
    """A page that can be asked and that moves a hand; the Studio's client is one."""

    def ask(self, request: to_server.AnyRequest) -> object:
        """Send a request and wait for its answer; raises what is refused."""

    def begin(self, gesture: gestures.AnyGesture) -> int:
        """Take hold of something; returns the gesture's number."""

    def move(self, gesture: int, sequence: int, values: Floats) -> object:
        """Move the hand and wait for what became of it."""


@dataclass(frozen=True)
class Step:
    """One thing that a person does: a request, or a gesture with its moves."""

    request: to_server.AnyRequest | None = None
    gesture: gestures.AnyGesture | None = None
    moves: tuple[tuple[float, ...], ...] = ()

    def play(self, page: Player) -> Refusal | None:
        """Do it; what the Studio refuses is an answer too, and a hand that was refused lets go."""
        number = None
        try:
            if self.request is not None:
                page.ask(self.request)
            if self.gesture is not None:
                number = page.begin(self.gesture)
                for sequence, values in enumerate(self.moves, 1):
                    page.move(number, sequence, np.array(values))
                page.ask(to_server.Commit(id=0, gesture=number))
        except Refusal as refusal:
            if number is not None:
                with suppress(Refusal):
                    page.ask(to_server.Cancel(id=0, gesture=number))
            return refusal
        return None


def step(random: Random) -> Step:
    """One step; most of them change the document, some are refused."""
    kind = random.random()
    if kind < 0.1:
        return Step(to_server.Undo(id=0))
    if kind < 0.15:
        return Step(to_server.Redo(id=0))
    return Step(random.choice(REQUESTS)(random)) if kind < 0.7 else random.choice(GESTURES)(random)


def _keys(random: Random) -> list[KeyRef]:
    return [KeyRef(channel, random.randrange(3)) for channel in random.sample(CHANNELS, 2)]


REQUESTS = [
    lambda r: edit_requests.RenameDocument(id=0, name=f"take {r.randrange(10**6)}"),
    lambda r: edit_requests.RenameDocument(id=0, name=f"{r.randrange(10**6)}{'x' * 390}"),
    lambda r: edit_requests.InsertKeys(id=0, channels=r.sample(CHANNELS, 2), time=r.uniform(0.0, 1.0)),
    lambda r: edit_requests.DeleteKeys(id=0, keys=_keys(r)),
    lambda r: edit_requests.PresetTangents(id=0, keys=_keys(r), preset=r.choice(["smooth", "flat", "linear"])),
    lambda r: edit_requests.TieTangents(id=0, keys=_keys(r), tied=r.random() < 0.5),
    lambda r: edit_requests.SetInterpolation(id=0, keys=_keys(r), kind=r.choice(["bezier", "linear", "constant"])),
    lambda r: edit_requests.SetLimits(id=0, channel="elbow.rz", lower=-r.uniform(2, 3), upper=r.uniform(2, 3)),
    lambda r: edit_requests.AddPin(id=0, place=r.choice([HAND, PALM]), start=0.1, end=r.uniform(0.1, 0.9)),
    lambda r: edit_requests.RemoveConstraint(id=0, name=r.choice(["hips pin", "hand pin", "palm pin", "hand pin 2"])),
    lambda r: edit_requests.SwitchConstraint(id=0, name="hips pin", on=r.random() < 0.5),
    lambda r: edit_requests.ChangeLayer(id=0, layer="lean", weight=r.random()),
    lambda r: edit_requests.ChangeLayer(id=0, layer="lean", muted=r.random() < 0.5),
    lambda r: edit_requests.SetClipLoops(id=0, loops=r.random() < 0.5),
    lambda r: edit_requests.SetClipRange(id=0, start=0.0, end=r.uniform(0.6, 1.4)),
    lambda r: loose_requests.LoosenAs(id=0, preset=r.choice(["firm", "relaxed", "loose"]), joints=["elbow"]),
    lambda r: loose_requests.SwitchLooseness(id=0, on=r.random() < 0.7),
    lambda r: edit_requests.ChangeLayer(id=0, rename="extra", weight=r.random(), override=r.random() < 0.5),
    lambda r: edit_requests.ChangeLayer(id=0, layer="extra", weight=r.random(), time=r.choice([0.0, 0.5])),
    lambda r: edit_requests.InsertKeys(id=0, channels=r.sample(CHANNELS, 2), time=r.choice([0.1, 0.6]), layer="extra"),
    lambda r: edit_requests.MergeLayer(id=0, layer="extra", down=r.random() < 0.3),
    lambda r: edit_requests.KeyCamera(
        id=0, time=r.choice([0.0, 0.3, 0.5]), eye=(r.uniform(2, 4), 1, 3), target=(0, 1, 0)
    ),
    lambda r: edit_requests.KeyCamera(id=0, time=r.choice([None, 0.5]), remove=True),
    lambda r: edit_requests.ChangeSound(id=0, path="beep.wav", start=r.uniform(-0.2, 0.5)),
    lambda r: edit_requests.ChangeSound(id=0, muted=r.random() < 0.5, remove=r.random() < 0.3),
    lambda r: edit_requests.ChangePicture(id=0, path="look.png", height=r.uniform(0.5, 3)),
    lambda r: edit_requests.ChangePicture(id=0, opacity=r.random(), remove=r.random() < 0.3),
    lambda r: edit_requests.ApplyPose(
        id=0,
        pose=KEPT.name,
        time=r.choice([0.0, 0.25, 0.5]),
        amount=r.random(),
        layer=r.choice([None, "lean", "extra"]),
    ),
    lambda r: loose_requests.SwitchTarget(id=0, name="palm target", on=r.random() < 0.5),
]


def _moves(start: Floats, random: Random) -> tuple[tuple[float, ...], ...]:
    way = np.array([random.uniform(-0.08, 0.08) for _ in start])
    return tuple(tuple((start + share * way).tolist()) for share in (0.3, 0.7, 1.0))


def _drag(random: Random) -> Step:
    keyed = gestures.DragArc(HAND, 0.4, keyed=random.random() < 0.5)
    return Step(gesture=keyed, moves=_moves(WAY[1], random))


def _stroke(random: Random) -> Step:
    turn = random.uniform(0.5, 2.0)
    at = np.linspace(0.0, turn, 20)
    points = np.stack([-0.3 + 0.6 / turn * np.sin(at), 0.6 / turn * (1.0 - np.cos(at))], axis=1).ravel().tolist()
    sketch = gestures.Sketch(["hips", "elbow"], 0.4, FRONT)
    return Step(gesture=sketch, moves=tuple(tuple(points[: 2 * count]) for count in (5, 12, 20)))


GESTURES = [
    _drag,
    lambda r: Step(gesture=gestures.PullPose(HAND, 0.5), moves=_moves(WAY[2], r)),
    lambda r: Step(gesture=gestures.ScaleTiming(HAND, 0.4), moves=((r.uniform(-0.1, 0.1),),)),
    lambda r: Step(gesture=gestures.SetValue("elbow.rz", 0.25), moves=_moves(np.array([0.9]), r)),
    lambda r: Step(gesture=gestures.SetSpring(["elbow"]), moves=((r.uniform(1.5, 5.0), r.uniform(0.2, 0.9)),)),
    lambda r: Step(gesture=gestures.MoveKeys(_keys(r)), moves=((r.uniform(-0.05, 0.05), 0.1, 1, 1, 0, 0),)),
    lambda r: Step(gesture=gestures.MoveRange("hips pin"), moves=((0.1, r.uniform(0.1, 0.6)),)),
    _stroke,
]
