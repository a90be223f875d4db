"""Dragging a motion curve: the tangents' drag, as a gesture."""

from collections.abc import Callable, Sequence

import numpy as np

from inbetweener.document import Document
from inbetweener.document.edits.drag import Dragged, Dragging, turning
from inbetweener.document.edits.grip import Grip
from inbetweener.document.edits.words import frame_of
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import triple, wished_state
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.to_page import BlockerInfo
from inbetweener.studio.watched import watched_motion
from inbetweener.tangents import DragRequest
from inbetweener.tangents.agreement import angles_between


class DragArc:
    """Pulls a point of the motion at one time, while the document's constraints hold."""

    def __init__(self, document: Document, clip: str, gesture: gestures.DragArc) -> None:
        self._wanted, self.time = gesture.wanted, gesture.time
        self._shown, place = document.clip(clip), to_place(document.rig, gesture.place)
        request = DragRequest(place, gesture.time, gesture.wanted, document.rules(clip), gesture.layer)
        self._dragging = Dragging(document, clip, request)
        self._dragging.begin()
        watched = None if gesture.keyed else watched_motion(document, clip)
        self._grip = Grip(document, clip, place, gesture.time, watched, keyed=gesture.keyed)
        self._last: Dragged | None = None
        verb = "Turn" if gesture.wanted == "orientation" else "Drag"
        self.label = f"{verb} {place} at frame {frame_of(self._shown, gesture.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Move the state towards a position, an orientation or both."""
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
        wish, turn = wished_state(values, self._wanted)
        made = self._dragging.best(self._grip.position(wish), self._grip.turn(turn))
        return Outcome(made.document, reached=made.solution.reached)

    def help_wanted(self) -> Callable[[], str]:
        """What looks for the key that would help the last move; it reads nothing that later moves change."""
        made, clip = self._last, self._shown

        def look() -> str:
            if made is None or made.solution.reached:
                return "the wish is reached; no key is needed"
            found, release, posed = made.helpful_key(), made.helpful_release(), made.helpful_pose()
            told = []
            if release is not None:
                told.append(f"{turning(release)} would {self._brings(made, release.error)}")
            if found is not None:
                where = f"a key on frame {frame_of(clip, found.time)} for {found.joint}"
                told.append(f"{where} would {self._brings(made, found.error)}")
            if posed is not None:
                told.append(f"a key of the whole pose (K), pulled there (Q), would {self._brings(made, posed)}")
            return "; ".join(told) or "no key would bring it nearer"

        return look

    @staticmethod
    def _brings(made: Dragged, error: float) -> str:
        problem, turns = made.solution.problem, made.wish[0] is None
        if error <= problem.settings.reached * (1.0 if turns else problem.height):
            return "reach it"
        return f"bring it within {np.degrees(error):.2g}°" if turns else f"bring it within {100 * error:.2g} cm"
