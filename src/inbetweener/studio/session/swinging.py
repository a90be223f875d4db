"""What one page is shown of looseness: the frames of a loose motion, what is set, and how far targets are missed."""

from inbetweener.document import Document, Loosening
from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics import PRESETS, LooseMotion, Spring, as_a_whole
from inbetweener.kinodynamics.collisions import why_not
from inbetweener.rig import Rig
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
        # What presets are for a body as a whole takes a look at all its masses: once a rig.
        self._whole: tuple[Rig, list[loose.SpringInfo]] | None = None

    def leave(self) -> None:
        """Nothing is shown, or something else altogether comes next."""
        self.loose, self._shown, self._described, self._stated, self._problem = None, None, (), None, ""

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
        # What presets are for the body as a whole depends on its joints and what moves them.
        body = document.rig.joints, [channel.name for channel in document.rig.channels]
        described = (kept, layers, None if self.loose is None else self.loose.motion.loosened, self._problem, body)
        if described == self._described:
            return None
        self._described = described
        return self._message(document, kept or Loosening(name), set(layers))

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

    def is_told(self, around: float) -> bool:
        """Whether the page has been told everything near a frame."""
        return self._is_stated and (self.loose is None or self.loose.is_told(around))

    def _message(self, document: Document, loosening: Loosening, layers: set[str]) -> loose_messages.Looseness:
        loosened = self.loose.motion.loosened if self.loose is not None else None
        channels = document.rig.channels
        soft = []
        if loosened is not None:
            soft = [
                loose_messages.SoftInfo(mesh, soft_vertices(loosened, mesh).tolist())
                for mesh in loosened.softened.numbers
            ]
        return loose_messages.Looseness(
            on=loosening.on,
            loose=loosened is not None,
            problem=self._problem,
            unbumped=why_not(),
            settings=from_looseness(loosening.looseness),
            presets=[loose.SpringInfo(name, each.frequency, each.damping) for name, each in PRESETS.items()],
            whole=self._whole_body(document.rig),
            swinging=[channels[c].name for c in loosened.swinging.channels] if loosened is not None else [],
            following=[channels[c].name for c in loosened.following.channels] if loosened is not None else [],
            soft=soft,
            targets=[
                loose_messages.AimInfo(aim.name, aim.on, aim.name in layers, from_target(aim.target))
                for aim in loosening.aims
            ],
        )

    def _whole_body(self, rig: Rig) -> list[loose.SpringInfo]:
        if self._whole is None or self._whole[0] is not rig:
            # All presets are tighter on every joint by the same: their stiffness and their damping.
            one = Spring(1.0, 1.0)
            factor = next(iter(as_a_whole(rig, one).values()), one).frequency
            self._whole = (
                rig,
                [loose.SpringInfo(n, each.frequency * factor, each.damping * factor) for n, each in PRESETS.items()],
            )
        return self._whole[1]
