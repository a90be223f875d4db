"""Guidance as a gesture: a run on a thread of its own, steered while it goes, gone back along when it rests."""

import math
from collections.abc import Callable, Iterator, Sequence
from threading import Condition, Thread

from inbetweener.document import Document
from inbetweener.document.edits import guide_request, guided
from inbetweener.document.native.structs import from_struct
from inbetweener.errors import InbetweenerError
from inbetweener.guidance import Guide, GuideRequest, Iterate, Kernel, Problem, Report, build, report
from inbetweener.motion import Clip
from inbetweener.studio.gestures.hand import Outcome, require, require_sane
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.guidance import GuidanceSettings


class GuideTangents:
    """Leads tangents to less cost, iterate by iterate. `to` goes back to an iterate, and the run rests there.

    `to` a negative number shows the motion before the run instead: for comparing only, the run stays where it is.

    The thread alone changes the run; whoever holds the gesture only reads the way that it has come.
    """

    time: float | None = None

    def __init__(self, document: Document, clip: str, gesture: gestures.Guide) -> None:
        self.before, self.clip, self.layer = document, clip, gesture.layer
        self.settings = gesture.settings
        # What can be seen to be wrong at once is refused at once.
        request_of(document, clip, gesture.settings, gesture.layer)
        self.label = f"Guide {_chosen(gesture.settings)}"
        self.error: Exception | None = None
        self._run: Guide | None = None
        self._tangents: tuple[object, ...] = ()
        self._built: tuple[tuple[object, ...], Problem] | None = None
        self._steps: Iterator[Iterate] = iter(())
        self._at: int | None = None
        self.told = -1
        """The iterate that its page was told of last; −1 before the first."""
        self._door = Condition()
        self._wish: GuidanceSettings | None = gesture.settings
        self._going = self._takes = self._closed = False
        self._findings: Report | None = None
        self._objection: InbetweenerError | None = None
        self._looks_back = False

    # --- for whoever holds it ---------------------------------------------------------------------------------------

    def start(self, tell: Callable[[], object]) -> None:
        """Begin to optimise; `tell` is called on the run's own thread after every iterate, and when it rests."""
        Thread(target=self._work, args=(tell,), name="studio-guidance").start()

    def steer(self, settings: GuidanceSettings, iterate: int | None = None) -> None:
        """Go on with other sliders from an iterate, what is shown if none is named; the newest wins."""
        if _frame(settings) == _frame(self.settings):
            require_sound(self.before, settings)
        else:
            request_of(self.before, self.clip, settings, self.layer)
        with self._door:
            self._wish = self.settings = settings
            self._at = self._at if iterate is None else iterate
            self._looks_back = False
            self._door.notify_all()

    def stop(self) -> None:
        """Rest where the run is, after the step under way."""
        with self._door:
            self._going = False

    def close(self) -> None:
        """The gesture is over; the thread ends after its step."""
        with self._door:
            self._closed = True
            self._door.notify_all()

    def to(self, values: Sequence[float]) -> Outcome:
        """Go back, or forward again, to an iterate of the way so far."""
        (wish,) = map(float, require(values, 1))
        with self._door:
            self._going, self._looks_back = False, wish < 0
            at = max(0, min(round(wish), len(self.path) - 1))
            if not self._looks_back and at != self.at:
                self._at, self._findings = at, None
            self._door.notify_all()
        return Outcome(self.document())

    @property
    def looks_back(self) -> bool:
        """Whether the motion is shown as it was before the run."""
        with self._door:
            return self._looks_back

    def objection(self) -> InbetweenerError | None:
        """What could not be done of the newest wish; told once."""
        with self._door:
            said, self._objection = self._objection, None
        return said

    @property
    def path(self) -> list[Iterate]:
        """The way so far."""
        with self._door:
            return list(self._run.path) if self._run is not None else []

    @property
    def rests(self) -> bool:
        """Whether nothing is being computed or about to be."""
        with self._door:
            return not self._going and self._wish is None

    @property
    def at(self) -> int:
        """The iterate that is shown; −1 before the first."""
        count = len(self.path)
        with self._door:
            return count - 1 if self._at is None else min(self._at, count - 1)

    def document(self, iterate: int | None = None) -> Document:
        """The document as an iterate has it, the shown one if none is named; −1 is before the run."""
        with self._door:
            at = self.at if iterate is None else min(iterate, len(self.path) - 1)
            if self._run is None or at < 0 or self._looks_back:
                return self.before
            return guided(self.before, self.clip, self._run, at)

    def kept_at(self, iterate: int) -> Document:
        """The document as an iterate has it, or the last one of a run that ends before.

        Sliders that were moved last are gone on with first, and an iterate that is to come is waited for: the same
        requests lead to the same document.
        """

        def is_known() -> bool:
            return self._wish is None and not self._takes and (not self._going or iterate < len(self.path))

        with self._door:
            self._looks_back = False
            self._door.wait_for(lambda: iterate < 0 or self._closed or is_known())
            return self.document(iterate)

    @property
    def findings(self) -> Report | None:
        """What changed up to the shown iterate; None until that has been found."""
        with self._door:
            return self._findings

    # --- on the run's own thread ------------------------------------------------------------------------------------

    def _work(self, tell: Callable[[], object]) -> None:
        while self._is_wanted():
            try:
                self._go_on()
            except Exception as error:
                # Told by whoever holds the gesture, who lets go of it.
                self.error = error
                self.stop()
                with self._door:
                    self._door.notify_all()
                tell()
                return
            with self._door:
                self._door.notify_all()
            tell()

    def _is_wanted(self) -> bool:
        with self._door:
            self._door.wait_for(lambda: self._closed or self._going or self._wish is not None or self._findings is None)
            return not self._closed

    def _go_on(self) -> None:
        with self._door:
            wish, self._wish = self._wish, None
            self._takes = wish is not None
            going = self._going = self._going or wish is not None
            if going:
                self._findings = None
        if wish is not None:
            self._take(wish)
        elif not going:
            self._find()
        elif next(self._steps, None) is None:
            self.stop()

    def _find(self) -> None:
        with self._door:
            at, path = self.at, self.path
        found = report(path[: at + 1])
        with self._door:
            # Unless somebody has gone on to another iterate meanwhile.
            if self.at == at and not self._going and self._wish is None:
                self._findings = found

    def _take(self, wish: GuidanceSettings) -> None:
        try:
            self._apply(wish)
        except InbetweenerError as error:
            # A wish that cannot be, such as freezing all there is, must not cost a run that is under way.
            if self._run is None:
                raise
            with self._door:
                self._going, self._objection = False, error
        finally:
            with self._door:
                self._takes = False

    def _apply(self, settings: GuidanceSettings) -> None:
        problem = self._problem(settings)
        if self._run is None or self._tangents != tangents_of(settings):
            run = Guide(problem)
            self._steps = iter(run)
            next(self._steps)
            with self._door:
                self._run, self._at = run, None
        else:
            with self._door:
                if self._at is not None and self._at < len(self._run.path):
                    self._run.roll_back(self._at)
                self._at = None
            self._run.reweigh(problem)
            self._steps = iter(self._run)
            next(self._steps)
        self._tangents = tangents_of(settings)

    def _problem(self, settings: GuidanceSettings) -> Problem:
        """The problem with these sliders: built again only where other tangents may change, or other terms count."""
        frame = _frame(settings)
        if self._built is None or self._built[0] != frame:
            request = request_of(self.before, self.clip, settings, self.layer)
            self._built = frame, build(self.before.motion(self.clip), request)
        weights: dict[str, float] = {each.name: each.weight for each in settings.terms}
        joints, kernels = joint_factors(settings), kernels_of(settings, self.before.clip(self.clip))
        return self._built[1].reweighed(regularise=settings.regularise, joints=joints, kernels=kernels, weights=weights)


def _frame(settings: GuidanceSettings) -> tuple[object, ...]:
    return tangents_of(settings), terms_of(settings)


def _chosen(settings: GuidanceSettings) -> str:
    if settings.channels is None:
        return "all channels"
    return settings.channels[0] if len(settings.channels) == 1 else f"{len(settings.channels)} channels"


def request_of(document: Document, clip: str, settings: GuidanceSettings, layer: str | None) -> GuideRequest:
    """The same request as `edits.guide` makes of the same words; frozen keys of other layers wait for theirs."""
    require_sound(document, settings)
    terms: dict[str, float] = {each.name: each.weight for each in settings.terms}
    return guide_request(
        document,
        channels=settings.channels,
        start=settings.start,
        end=settings.end,
        terms=terms,
        style=settings.style if "style" in terms else None,
        gravity=settings.gravity,
        held_root=settings.held_root,
        masses=settings.masses,
        regularise=settings.regularise,
        joints=joint_factors(settings),
        kernels=kernels_of(settings, document.clip(clip)),
        frozen=[(each.channel, each.key) for each in settings.frozen if each.layer == layer],
        seamless=settings.seamless,
        clear=settings.clear,
        layer=layer,
        clip=clip,
        own=settings.own,
    )


def require_sound(document: Document, settings: GuidanceSettings) -> None:
    """Refuse names and numbers that cannot be, before a run has to deal with them."""
    for each in settings.joints:
        document.rig.joint_index(each.joint)
    for name in settings.channels or ():
        document.rig.channel_index(name)
    for key in settings.frozen:
        document.rig.channel_index(key.channel)
    if settings.style is not None:
        document.clip(settings.style)
    require_sane("a kernel's centre", *(each.centre for each in settings.kernels or ()))
    require_sane("an end of the stretch", *(end for end in (settings.start, settings.end) if end is not None))


def joint_factors(settings: GuidanceSettings) -> dict[str, float]:
    """Factors by joint; infinite where tangents stay."""
    return {each.joint: math.inf if each.factor is None else each.factor for each in settings.joints}


def kernels_of(settings: GuidanceSettings, clip: Clip) -> tuple[Kernel, ...]:
    """The bells, which are the clip's where the page names none."""
    return clip.kernels if settings.kernels is None else tuple(map(from_struct, settings.kernels))


def tangents_of(settings: GuidanceSettings) -> tuple[object, ...]:
    """Which tangents may change, and what must hold: with others, a run begins anew."""
    stretch = settings.start, settings.end
    return settings.channels, stretch, settings.frozen, settings.seamless, settings.clear, settings.own


def terms_of(settings: GuidanceSettings) -> tuple[object, ...]:
    """What counts, however much: with other terms, the problem must be built again, and the run goes on."""
    body = settings.gravity, settings.held_root, settings.masses
    return sorted(each.name for each in settings.terms), body, settings.style
