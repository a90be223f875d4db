"""What one page is shown of looseness: the frames of a loose motion, what is set, and how far targets are missed."""

from inbetweener.document import Document, Loosening
from inbetweener.document.edits.loosen import held_joints
from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics import PRESETS, LooseMotion
from inbetweener.kinodynamics.collisions import why_not
from inbetweener.kinodynamics.looseness import Masses
from inbetweener.kinodynamics.soft.softened import Softened
from inbetweener.studio.loose_parts import chains, sway
from inbetweener.studio.looseness import from_looseness, from_target
from inbetweener.studio.protocol import loose, loose_messages
from inbetweener.studio.session.changes import ALWAYS, Span
from inbetweener.studio.session.loose_frames import LooseFrames, soft_vertices, swings_until
from inbetweener.studio.session.target_states import loose_state
from inbetweener.studio.watched import loose_motion


class Swinging:
    """Follows the clip that a page shows."""

    def __init__(self) -> None:
        self.loose: LooseFrames | None = None
        self._problem = ""
        self._shown: tuple[Document, str] | None = None
        self._described: tuple[object, ...] = ()
        self._stated: loose_messages.LooseState | None = None
        self._is_stated = True
        # What of the meshes the page knows to be soft; None: it knows nothing yet.
        self._softened: Softened | None = None
        self._soft: list[loose_messages.SoftInfo] | None = None

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

    def give_up(self, problem: str) -> loose_messages.Looseness:
        """Show it as keyed until it changes, because it cannot be simulated; what the page is told of that."""
        self.loose, self._problem = None, problem
        told = self.message()
        assert told is not None
        return told

    def message(self) -> loose_messages.Looseness | None:
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

    def soft_vertices(self) -> loose_messages.SoftVertices | None:
        """Which vertices are soft, if the page does not know it yet."""
        loosened = self.loose.motion.loosened if self.loose is not None else None
        softened = loosened.softened if loosened is not None else None
        if self._soft is not None and softened is self._softened:
            return None
        self._softened, soft = softened, []
        if loosened is not None:
            numbers = loosened.softened.numbers
            soft = [loose_messages.SoftInfo(mesh, soft_vertices(loosened, mesh).tolist()) for mesh in numbers]
        if soft == self._soft:
            return None
        self._soft = soft
        return loose_messages.SoftVertices(soft)

    def state(self) -> loose_messages.LooseState | None:
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

    def _message(self, document: Document, loosening: Loosening, layers: set[str]) -> loose_messages.Looseness:
        loosened = self.loose.motion.loosened if self.loose is not None else None
        channels = document.rig.channels
        springs, masses = loosening.looseness.springs, self._masses(loosening)
        return loose_messages.Looseness(
            on=loosening.on,
            loose=loosened is not None,
            problem=self._problem,
            unbumped=why_not(),
            settings=from_looseness(loosening.looseness),
            presets=[loose.SpringInfo(name, each.frequency, each.damping) for name, each in PRESETS.items()],
            sway=sway(document.rig, springs, masses),
            chains=chains(document.rig, springs, masses),
            held=sorted(held_joints(document, loosening.clip)),
            swinging=[channels[c].name for c in loosened.swinging.channels] if loosened is not None else [],
            following=[channels[c].name for c in loosened.following.channels] if loosened is not None else [],
            targets=[
                loose_messages.AimInfo(aim.name, aim.on, aim.name in layers, from_target(aim.target))
                for aim in loosening.aims
            ],
        )

    def _masses(self, loosening: Loosening) -> Masses:
        """What springs swing with; meshes were weighed for the motion, if it swings."""
        way = loosening.looseness.masses
        if way != "mesh":
            return way
        return "boxes" if self.loose is None else self.loose.motion.loosened.body.masses
