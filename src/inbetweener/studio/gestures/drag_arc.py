"""Dragging a motion curve: the tangents' drag, as a gesture."""

from collections.abc import Callable, Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.document.bent_drag import TRIES, BentDrag
from inbetweener.document.edits import drag_point, set_curves
from inbetweener.studio.gestures.breakage import Breakage
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.loose_grip import LooseGrip
from inbetweener.studio.gestures.moments import frame
from inbetweener.studio.gestures.values import triple, wished_state
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.to_page import BlockerInfo
from inbetweener.tangents import Drag, DragRequest, Settings, Solution, suggest_key
from inbetweener.tangents.agreement import angles_between

QUICK = Settings(effort=2500)
"""Under the hand the next move comes in a sixtieth of a second. A drag out of reach stops looking four times sooner
than it might; measured on a diver held by both feet, it then falls short by one per cent more."""


class DragArc:
    """Pulls a point of the motion at one time, while the document's constraints hold."""

    def __init__(self, document: Document, clip: str, gesture: gestures.DragArc) -> None:
        self._document, self._clip, self._gesture = document, clip, gesture
        self._place = to_place(document.rig, gesture.place)
        self.time = gesture.time
        self._bent = BentDrag(document, clip, self._place, gesture.time)
        rules = self._bent.rules(document.rules(clip))
        request = DragRequest(self._bent.place, gesture.time, gesture.wanted, rules, gesture.layer)
        self.drag = Drag(self._bent.motion, request, QUICK)
        self._grip = LooseGrip(document, clip, self._place, gesture.time, keyed=gesture.keyed)
        self._breakage = Breakage(document, clip) if self._bent.is_bent else None
        self._last: tuple[Solution, Floats | None, Floats | None] = (self.drag.solution, None, None)

    @property
    def label(self) -> str:
        """What the history will call it."""
        verb = "Turn" if self._gesture.wanted == "orientation" else "Drag"
        return f"{verb} {self._place} at frame {frame(self._document.clip(self._clip), self.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Move the state towards a position, an orientation or both."""
        wish, wished_turn = wished_state(values, self._gesture.wanted)
        position, turn = self._grip.position(wish), self._grip.turn(wished_turn)
        aim, aimed_turn = position, self._bent.turn(turn)
        for _ in range(TRIES):
            solution = self.drag.to(aim, aimed_turn)
            document = self._changed()
            further = self._bent.aim(document, solution.position, position, aim)
            if further is None:
                break
            aim = further
        self._last = (solution, aim, aimed_turn)
        at, turned = self._bent.state(document) if self._bent.is_bent else (solution.position, solution.turn)
        return Outcome(
            document,
            reached=solution.reached,
            position=triple(self._grip.shown(at)),
            wish=None if wish is None else triple(wish),
            distance=0.0 if position is None else float(np.linalg.norm(at - position)),
            turn=0.0 if turn is None else float(angles_between(turned[None], turn)[0]),
            held=solution.constraint_error,
            blockers=[BlockerInfo(each.name, each.share) for each in solution.blockers],
            text="" if self._breakage is None else self._breakage.text(document),
        )

    def settled(self, values: Sequence[float]) -> Outcome:
        """What is kept: what `drag_point` makes of the last wish alone, with as much effort as it may take."""
        wish, wished_turn = wished_state(values, self._gesture.wanted)
        rules = self._document.rules(self._clip)
        request = DragRequest(self._place, self.time, self._gesture.wanted, rules, self._gesture.layer)
        kept, proof = drag_point(
            self._document, self._clip, request, self._grip.position(wish), self._grip.turn(wished_turn)
        )
        return Outcome(self._document if kept == self._document else kept, reached=proof.reached)

    def _changed(self) -> Document:
        names, before, after = self.drag.problem.names, self.drag.problem.curves, self.drag.commit()
        changed = {name: after[name] for name in names if after[name] is not before[name]}
        return set_curves(self._document, self._clip, changed, layer=self._gesture.layer) if changed else self._document

    def help_wanted(self) -> Callable[[], str]:
        """What looks for the key that would help the last move; it reads nothing that later moves change."""
        solution, position, turn = self._last
        clip = self._document.clip(self._clip)

        def look() -> str:
            if solution.reached:
                return "the wish is reached; no key is needed"
            found = suggest_key(solution, position, turn)
            if found is None:
                return "no single key would bring it nearer"
            where = f"a key on frame {frame(clip, found.time)} for {found.joint}"
            settings, unit = solution.problem.settings, 1.0 if position is None else solution.problem.height
            if found.error <= settings.reached * unit:
                return f"{where} would reach it"
            left = f"{np.degrees(found.error):.2g}°" if position is None else f"{100 * found.error:.2g} cm"
            return f"{where} would bring it within {left}"

        return look
