"""Gestures that take hold of a point: its motion curve, a keyed pose, its timing, a sketch of bones."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.document.clearance import staying_clear
from inbetweener.document.edits.constraints import Breakage
from inbetweener.document.edits.drag import Dragged, Dragging, turning
from inbetweener.document.edits.grip import Grip
from inbetweener.document.edits.poses import Applying, Blending
from inbetweener.document.edits.pull import NoKeyThere, Pulling, PullResult
from inbetweener.document.edits.reach import REACH, Reaching, reach_of
from inbetweener.document.edits.sketch import Drawing, SketchResult
from inbetweener.document.edits.timing import Retiming
from inbetweener.document.edits.words import frame_read
from inbetweener.document.pose import Pose
from inbetweener.errors import InbetweenerError
from inbetweener.posing.strokes import fit_stroke
from inbetweener.studio.gestures.hand import FARTHEST, Outcome, require, require_sane, triple, wished_state
from inbetweener.studio.places import to_place, to_view
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.binary import MalformedMessage
from inbetweener.studio.protocol.to_page import BlockerInfo
from inbetweener.studio.watched import watched_motion
from inbetweener.tangents import DragRequest
from inbetweener.tangents.agreement import angles_between


class DragArc:
    """Pulls a point of the motion at one time, while the document's constraints hold."""

    def __init__(self, document: Document, clip: str, gesture: gestures.DragArc) -> None:
        self._wanted, self.time = gesture.wanted, gesture.time
        self._shown, place = document.clip(clip), to_place(document.rig, gesture.place)
        clear = staying_clear(document) if gesture.clear else None
        request = DragRequest(place, gesture.time, gesture.wanted, document.rules(clip), gesture.layer, clear=clear)
        self._reach = reach_of(self._shown, gesture.layer, gesture.reach)
        self._document, self._reaching = document, cast("Reaching | None", None)
        self._dragging = Dragging(document, clip, request)
        if self._reach is None:
            self._dragging.begin()
        else:
            self._request = replace(request, clear=None)
            self._reaching = Reaching(document, clip, self._request, self._reach)
        watched = None if gesture.keyed else watched_motion(document, clip)
        self._grip = Grip(document, clip, place, gesture.time, watched, keyed=gesture.keyed)
        self._last: Dragged | None = None
        verb = "Turn" if gesture.wanted == "orientation" else "Drag"
        self.label = f"{verb} {place} at frame {frame_read(self._shown, gesture.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Move the state towards a position, an orientation or both."""
        if self._reaching is not None:
            return self._reached(values)
        wish, wished_turn = wished_state(values, self._wanted)
        position, turn = self._grip.position(wish), self._grip.turn(wished_turn)
        made = self._last = self._dragging.to(position, turn)
        solution = made.solution
        return Outcome(
            made.document,
            reached=solution.reached,
            position=triple(self._grip.shown(solution.position)),
            wish=None if wish is None else triple(wish),
            distance=0.0 if position is None else float(np.linalg.norm(solution.position - position)),
            turn=0.0 if turn is None else float(angles_between(solution.turn[None], turn)[0]),
            held=solution.constraint_error,
            blockers=[BlockerInfo(each.name, each.share) for each in solution.blockers],
        )

    def settled(self, values: Sequence[float]) -> Outcome:
        """What is kept: what `edits.drag` makes of the last wish alone."""
        if self._reaching is not None:
            return self._reached(values, finer=True)
        wish, turn = wished_state(values, self._wanted)
        made = self._dragging.best(self._grip.position(wish), self._grip.turn(turn))
        return Outcome(made.document, reached=made.solution.reached)

    def _reached(self, values: Sequence[float], *, finer: bool = False) -> Outcome:
        """A drag on dense motion; the last number is how far it reaches, where the hand says."""
        count = {"position": 3, "orientation": 4, "both": 7}[self._wanted]
        wish, wished_turn = wished_state(values[:count], self._wanted)
        reach = float(require(values[count:], 1)[0]) if len(values) > count else self._reach
        position, turn = self._grip.position(wish), self._grip.turn(wished_turn)
        if finer or self._reaching is None or self._reaching.reach != reach:
            wide = reach_of(self._shown, self._request.layer, reach) or REACH
            self._reaching = Reaching(self._document, self._shown.name, self._request, wide)
        made = self._reaching.to(position, turn, finer=finer)
        return Outcome(
            made.document,
            reached=made.proof.reached,
            position=triple(self._grip.shown(made.position)),
            wish=None if wish is None else triple(wish),
            distance=made.proof.target_distance,
            turn=made.proof.target_turn,
            held=max((each.distance for each in made.proof.constraints), default=0.0),
            blockers=[BlockerInfo(each.name, each.share) for each in made.proof.blockers],
            text=f"reaches {self._reaching.reach:.2g} s, on layer {self._reaching.layer}; the wheel changes it",
        )

    def help_wanted(self) -> Callable[[], tuple[str, bool]]:
        """What looks for the key that would help the last move; it reads nothing that later moves change.

        It answers with a line, and whether nothing was found.
        """
        made, clip = self._last, self._shown

        def look() -> tuple[str, bool]:
            if made is None or made.solution.reached:
                return "the wish is reached; no key is needed", False
            found, release, posed = made.helpful_key(), made.helpful_release(), made.helpful_pose()
            told = []
            if release is not None:
                told.append(f"{turning(release)} would {self._brings(made, release.error)}")
            if found is not None:
                where = f"a key on frame {frame_read(clip, found.time)} for {found.joint}"
                told.append(f"{where} would {self._brings(made, found.error)}")
            if posed is not None:
                told.append(f"a key of the whole pose (K), pulled there (Q), would {self._brings(made, posed)}")
            return "; ".join(told) or "no key would bring it nearer", not told

        return look

    @staticmethod
    def _brings(made: Dragged, error: float) -> str:
        problem, turns = made.solution.problem, made.wish[0] is None
        if error <= problem.settings.reached * (1.0 if turns else problem.height):
            return "reach it"
        return f"bring it within {np.degrees(error):.2g}°" if turns else f"bring it within {100 * error:.2g} cm"


class PullPose:
    """Pulls a point of a keyed pose; what is pinned or in contact at that time stays."""

    def __init__(self, document: Document, clip: str, gesture: gestures.PullPose) -> None:
        self._wanted = gesture.wanted
        place, shown = to_place(document.rig, gesture.place), document.clip(clip)
        try:
            self._pulling = Pulling(
                document,
                clip,
                place,
                gesture.time,
                gesture.wanted,
                document.rules(clip),
                key=gesture.key,
                alone=gesture.alone,
                planted=gesture.planted,
                symmetric=gesture.symmetric,
                layer=gesture.layer,
            )
        except NoKeyThere as error:
            number = frame_read(shown, gesture.time)
            raise NoKeyThere(f"there is no key on frame {number}: press K to key the pose here") from error
        self.time = self._pulling.time
        self._grip = Grip(document, clip, place, self.time, watched_motion(document, clip))
        # What is held counts for the side that is pulled; that the other gives way is said.
        self._breakage = Breakage(document, clip) if gesture.symmetric else None
        self.label = f"{'Turn' if gesture.alone else 'Pose'} {place} at frame {frame_read(shown, self.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Pull towards a position, an orientation or both, from the pose that the last move led to."""
        return self._pulled(self._pulling.to, values)

    def settled(self, values: Sequence[float]) -> Outcome:
        """What is kept: what `edits.pull` makes of the last wish alone."""
        return self._pulled(self._pulling.best, values)

    def _pulled(self, pull: Callable[[Floats | None, Floats | None], PullResult], values: Sequence[float]) -> Outcome:
        wish, turn = wished_state(values, self._wanted)
        made = pull(self._grip.position(wish), self._grip.turn(turn))
        return Outcome(
            made.document,
            reached=made.reached,
            position=triple(self._grip.shown(np.array(made.position))),
            wish=None if wish is None else triple(wish),
            distance=made.distance,
            turn=made.turn,
            held=made.held,
            blockers=[BlockerInfo(each.name, each.share) for each in made.blockers],
            text="" if self._breakage is None else self._breakage.text(made.document),
        )


class BlendPose:
    """Mixes a pose with those around it; what stands or is pinned is said when it gives way."""

    def __init__(self, document: Document, clip: str, gesture: gestures.BlendPose) -> None:
        require_sane("a time", gesture.time)
        self._document = document
        self._blending = Blending(
            document,
            clip,
            gesture.time,
            gesture.how,
            channels=gesture.channels,
            layer=gesture.layer,
            other=gesture.other,
            planted=gesture.planted,
        )
        self._breakage = Breakage(document, clip)
        self.time: float | None = gesture.time
        self.label = f"{_BLENDS[gesture.how]} at frame {frame_read(document.clip(clip), gesture.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Mix so much."""
        (amount,) = map(float, require(values, 1))
        made = self._blending.to(amount)
        if made is self._document:
            return Outcome(made, reached=False, text="there are no keys before and after this frame to mix")
        return Outcome(made, text=self._breakage.text(made))


class ReachPose:
    """Leads a pose to one that is kept; what stands or is pinned is said when it gives way."""

    def __init__(self, document: Document, clip: str, gesture: gestures.ReachPose, pose: Pose) -> None:
        self._applying = Applying(
            document,
            clip,
            gesture.time,
            pose,
            mirrored=gesture.mirrored,
            channels=gesture.channels,
            layer=gesture.layer,
            key=gesture.key,
        )
        self._breakage = Breakage(document, clip)
        self.time: float | None = gesture.time
        self.label = f"Blend to {pose.name} at frame {frame_read(document.clip(clip), gesture.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Go so far."""
        (amount,) = map(float, require(values, 1))
        made = self._applying.to(amount)
        return Outcome(made.document, text=self._breakage.text(made.document) or made.problem)


_BLENDS = {
    "tween": "Breakdown",
    "push": "Push the pose",
    "neighbour": "Blend to a neighbour",
    "rest": "Blend to rest",
    "clip": "Blend to another clip",
}


def _retiming(document: Document, clip: str, gesture: gestures.ScaleTiming | gestures.MoveTick) -> Retiming:
    place = to_place(document.rig, gesture.place)
    return Retiming(document, clip, place, gesture.time, document.rules(clip), gesture.layer)


class ScaleTiming:
    """Widens or narrows the tangents around a time, in the channels that move a place."""

    def __init__(self, document: Document, clip: str, gesture: gestures.ScaleTiming) -> None:
        self._retiming, self.time = _retiming(document, clip, gesture), gesture.time
        self.label = f"Timing of {self._retiming.place} at frame {frame_read(document.clip(clip), self.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Faster by an amount, slower below zero; as much of it as all curves allow."""
        (amount,) = map(float, require(values, 1))
        made = self._retiming.faster(amount)
        return Outcome(made.document, reached=made.reached, text=made.moves)


class MoveTick:
    """Lets the body arrive at a spot of its path on the frame that is dragged there."""

    def __init__(self, document: Document, clip: str, gesture: gestures.MoveTick) -> None:
        self._retiming, self.time = _retiming(document, clip, gesture), gesture.time
        self._retiming.look_ahead()
        place = self._retiming.place
        self._grip = Grip(document, clip, place, gesture.time, watched_motion(document, clip))
        self.label = f"Move the tick of {place} at frame {frame_read(document.clip(clip), self.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """As near to the pointer as the path comes and the widths allow."""
        wish = require(values, 3)
        made = self._retiming.to(np.asarray(self._grip.position(wish)))
        return Outcome(
            made.document,
            made.reached,
            triple(self._grip.shown(np.array(made.position))),
            triple(wish),
            distance=made.distance,
            text=made.moves,
        )


LEAST_POINTS = 3
"""A hand that has only just begun has drawn nothing yet."""


class _Sketching:
    """What a stroke and a twist share: the pose that they start from."""

    def __init__(self, document: Document, clip: str, bones: list[str], time: float) -> None:
        self._bones = tuple(bones)
        for name in self._bones:
            document.rig.joint_index(name)
        self.time: float | None = time
        self._drawing = Drawing(document, clip, time)

    def _named(self, verb: str) -> str:
        what = self._bones[0] if len(self._bones) == 1 else f"{len(self._bones)} bones"
        drawing = self._drawing
        return f"{verb} {what} at frame {frame_read(drawing.document.clip(drawing.clip), drawing.time)}"

    def _outcome(self, draw: Callable[[], SketchResult]) -> Outcome:
        """The document with the sketch; as it was, and why, where there can be no such sketch."""
        try:
            drawn = draw()
        except InbetweenerError as error:
            return Outcome(self._drawing.document, reached=False, text=str(error))
        return Outcome(drawn.document, text="; ".join(drawn.remarks))


class Sketch(_Sketching):
    """Bones follow a stroke. A stroke at a time that has a sketch already is drawn from how that one looks."""

    def __init__(self, document: Document, clip: str, gesture: gestures.Sketch) -> None:
        super().__init__(document, clip, gesture.bones, gesture.time)
        self._gesture, self._view = gesture, to_view(gesture.view)
        self.label = self._named("Sketch")

    def to(self, values: Sequence[float]) -> Outcome:
        """Follow the stroke so far: x and y of each of its points, and the pressure where that is told."""
        asked = self._gesture
        numbers, width = np.array(values, np.float64), 3 if asked.pressed else 2
        if len(numbers) % width or not (np.abs(numbers) <= FARTHEST).all():
            each = "two numbers a point, in metres" + (", and its pressure" if asked.pressed else "")
            raise MalformedMessage(f"a stroke has {each}")
        if len(numbers) < width * LEAST_POINTS:
            return Outcome(self._drawing.document, reached=False, text="a stroke needs more than a point; draw on")
        told = numbers.reshape(-1, width)
        return self._outcome(
            lambda: self._drawing.stroke(
                fit_stroke(told[:, :2], pressures=told[:, 2] if asked.pressed else None),
                self._bones,
                self._view,
                mode=asked.drawing,
                stretch=asked.stretch,
                carry=asked.carry,
                support=asked.support,
            )
        )


class TwistBones(_Sketching):
    """A chain of bones is twisted about itself, by any number of turns."""

    def __init__(self, document: Document, clip: str, gesture: gestures.TwistBones) -> None:
        require_sane("a place on a bone", gesture.place)
        super().__init__(document, clip, gesture.bones, gesture.time)
        self._place = min(max(gesture.place, 0.01), 1.0)
        self.label = self._named("Twist")

    def to(self, values: Sequence[float]) -> Outcome:
        """Twist by an angle in radians."""
        (angle,) = map(float, require(values, 1))
        if angle == 0.0:
            return Outcome(self._drawing.document)
        return self._outcome(lambda: self._drawing.twist(self._bones, angle, self._place))
