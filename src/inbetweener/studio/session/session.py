"""The session: one document under the hands of all connected pages."""

import logging
from collections.abc import Callable
from dataclasses import replace
from inspect import getdoc
from typing import Any, TypeVar

from inbetweener.builtin import example
from inbetweener.document import Changed, Document, Editor
from inbetweener.document.edits import new_clip, picture, skin, sound
from inbetweener.document.edits.result import Result
from inbetweener.document.pose import Pose
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.guidance.terms.own import OWN
from inbetweener.studio.protocol import edit_requests, loose_requests, to_page, to_server
from inbetweener.studio.session import bones, edit_jobs
from inbetweener.studio.session.edits import EDITS, Stroke
from inbetweener.studio.session.edits.loose import take_pose
from inbetweener.studio.session.edits.poses import apply_pose
from inbetweener.studio.session.gesture_runner import GestureRunner
from inbetweener.studio.session.jobs import Ending, Job, Jobs, Progress
from inbetweener.studio.session.obstacles import ObstacleWatch
from inbetweener.studio.session.page import Page, Send
from inbetweener.studio.session.page_view import LATER, RESTING, Kind, text
from inbetweener.studio.session.skins import Plans
from inbetweener.studio.session.worker import Refusal, Worker, mistake

Handler = Callable[[Page, Any], str | Job | None]
"""Carries a request out on the worker; a line that it returns goes into `Done.text`, a job's end is the answer."""
Edit = Callable[[Document], Document]
R = TypeVar("R", bound=Result)
Verb = Callable[[Document, Callable[[int, int], None]], R]
"""What is done to a document, telling work done and work in all meanwhile."""
_log = logging.getLogger(__name__)


class Session:
    """Everything that pages ask for, one thing at a time, on the worker's thread."""

    def __init__(self, editor: Editor, *, server: str = "") -> None:
        self.worker = Worker()
        self.jobs = Jobs(self.worker, self.tell)
        self.plans = Plans()
        self.gestures = GestureRunner(self)
        self.obstacles = ObstacleWatch(self)
        self.editor = editor
        self.pages: dict[int, Page] = {}
        self.saved: int | None = None
        self.on_change: list[Callable[[], None]] = []
        self.library: Callable[[str], Document] = example
        """Other documents by their names: built-in examples, and what a project has beside them."""
        self.content: Callable[[str], bytes] = _no_files
        """What is in a file, by its path: a project has some."""
        self.poses: Callable[[str], Pose] = _no_pose
        """Poses that are kept, by their names."""
        self.selection: tuple[str, ...] = ()
        """What is selected on the page where something was selected last, by name."""
        self._server = server
        self.revision = 1
        self._kind: Kind = "open"
        self._label = ""
        self._pages_seen = 0
        self._is_ending = False
        self._last_begun: tuple[Document, Document] | None = None
        self._stop_listening = editor.listen(self._changed)
        self._handlers: dict[type, Handler] = {
            to_server.ShowClip: self._show_clip,
            to_server.ShowArcs: lambda page, request: page.send(page.view.show_arcs(request.arcs)),
            to_server.FetchPoses: self._fetch_poses,
            to_server.Selected: self._selected,
            loose_requests.ShowKeyed: self._show_keyed,
            to_server.FetchBones: lambda page, request: bones.shapes(self, page, request),
            to_server.ChooseBones: lambda page, request: bones.choose(self, page, request),
            to_server.Begin: self.gestures.begin,
            to_server.Commit: self.gestures.commit,
            to_server.Cancel: self.gestures.cancel,
            to_server.Undo: self._undo,
            to_server.Redo: self._redo,
            to_server.JumpTo: self._jump,
            to_server.CancelJob: self._cancel_job,
            to_server.SuggestKey: self.gestures.suggest_key,
            to_server.ShowCosts: self._show_costs,
            to_server.SteerGuidance: self.gestures.guiding.steer,
            to_server.StopGuidance: self.gestures.guiding.stop,
            edit_requests.SuggestContacts: lambda page, request: edit_jobs.suggest(self, page, request),
            edit_requests.HoldContacts: lambda page, request: edit_jobs.hold(self, page, request),
            edit_requests.RemoveSlide: lambda page, request: edit_jobs.remove_slide(self, page, request),
            edit_requests.AgreePoses: lambda page, request: edit_jobs.agree(self, page, request),
            loose_requests.SolveTargets: lambda page, request: edit_jobs.solve(self, page, request),
            loose_requests.ContactToTargets: lambda page, request: edit_jobs.hold_contact(self, page, request),
            loose_requests.BakeLoose: lambda page, request: edit_jobs.bake(self, page, request),
            loose_requests.MeasureWindows: lambda page, request: edit_jobs.measure(self, page, request),
            edit_requests.CleanCapture: lambda page, request: edit_jobs.clean(self, page, request),
            edit_requests.AddCharacter: lambda page, request: edit_jobs.add(self, page, request),
            edit_requests.RemoveCharacter: lambda page, request: edit_jobs.remove(self, page, request),
            edit_requests.BringClip: lambda page, request: edit_jobs.bring(self, page, request),
            edit_requests.BendPath: lambda page, request: edit_jobs.bend_path(self, page, request),
            edit_requests.Travel: lambda page, request: edit_jobs.travel(self, page, request),
            edit_requests.FitKeys: lambda page, request: edit_jobs.fit(self, page, request),
            edit_requests.BindSkin: self._bind,
            edit_requests.ChangeSound: self._change_sound,
            edit_requests.ChangePicture: self._change_picture,
            loose_requests.TakePose: lambda page, request: self._stroke(
                page,
                lambda document, clip: take_pose(
                    document, clip, request, None if request.pose is None else self.poses(request.pose)
                ),
            ),
            edit_requests.ApplyPose: lambda page, request: self._stroke(
                page, lambda document, clip: apply_pose(document, clip, request, self.poses(request.pose))
            ),
        }

    # --- pages ------------------------------------------------------------------------------------------------------

    def join(self, send: Send) -> Page:
        """A new page; it is told everything."""
        self._pages_seen += 1
        page = Page(self, self._pages_seen, send)
        self.worker.submit(lambda: self._welcome(page))
        return page

    def leave(self, page: Page) -> None:
        """A page is gone; a gesture of its own is cancelled, but guidance waits for the next page."""
        self.worker.submit(lambda: self._left(page))

    def stop(self) -> None:
        """Finish what was asked for, then end; committed work is in the journal."""
        self._is_ending = True
        self.worker.submit(self.gestures.drop)
        self.jobs.stop()
        self.obstacles.stop()
        self.worker.stop()

    def tell(self, message: to_page.AnyMessage) -> None:
        """Tell all pages."""
        for page in tuple(self.pages.values()):
            page.send([text(message)])

    def handle_with(self, handlers: dict[type, Handler]) -> None:
        """Let others carry out requests that are not about the document itself, such as files."""
        self._handlers |= handlers

    def open(self, editor: Editor) -> None:
        """Put another document in front of all pages; on the worker's thread."""
        self.gestures.drop()
        self._stop_listening()
        self.editor = editor
        self._stop_listening = editor.listen(self._changed)
        self._tell_change("open", "")

    @property
    def document(self) -> Document:
        """The document as committed, which pages edit; without a clip, with one that the first edit makes real."""
        return self._begun(self.editor.document)

    @property
    def shown(self) -> Document:
        """The document as pages show it, clip and all: the preview of a gesture under way, else as committed."""
        return self._begun(self.editor.shown)

    def _begun(self, document: Document) -> Document:
        if document.clips:
            return document
        # Looked at again and again: what is found by identity must stay the same.
        if self._last_begun is None or self._last_begun[0] is not document:
            self._last_begun = document, new_clip(document)
        return self._last_begun[1]

    def kept(self, made: Document) -> Document:
        """What is kept of an edit: a clip that was only shown, and that the edit left alone, is not made by it."""
        if self._last_begun is None or self._last_begun[0] is not self.editor.document:
            return made
        before, begun = self._last_begun
        if made is begun:
            return before
        if any(getattr(made, each) is not getattr(begun, each) for each in ("constraints", "loosenings", "stagings")):
            return made
        return replace(made, clips=tuple(clip for clip in made.clips if clip is not begun.clips[0]))

    # --- requests, on the worker's thread ---------------------------------------------------------------------------

    def handle(self, page: Page, request: to_server.AnyRequest) -> None:
        """Carry a request out and answer it."""
        try:
            if (handler := self._handlers.get(type(request))) is not None:
                said = handler(page, request)
            else:
                said = self._edit(page, request)
        except InbetweenerError as error:
            code = error.code if isinstance(error, Refusal) else ""
            page.send([text(to_page.Refused(id=request.id, text=str(error), code=code))])  # type: ignore[arg-type]
        except Exception as error:
            _log.exception("%s failed", type(request).__name__)
            page.send([text(to_page.Refused(id=request.id, text=mistake(error)))])
        else:
            if isinstance(said, Job):
                said.when_over.append(lambda job: page.send([text(_answer(request.id, job))]))
            else:
                page.send([text(to_page.Done(id=request.id, text=said))])

    def update(self, page: Page) -> None:
        """Show a page what it has not seen, unless it is behind; then once it has caught up."""
        if page.number not in self.pages or page.may_be_skipped():
            return
        around = self.gestures.hand.time if self.gestures.hand is not None else None
        clip = page.view.clip
        batch = page.view.update(self.shown, self.revision, self._kind, self._label, around)
        if page.must_hear_history(self.editor.history, self.saved):
            batch.append(text(self._history()))
        page.send(batch)
        self._go_on(page)
        self._measure_costs(page)
        # Only now is it known what the page shows: a page that was behind sees its first clip later than it joined.
        if page.view.clip != clip:
            self.obstacles.look(exact=self.gestures.hand is None)
        self.gestures.guiding.offer(page, is_new=clip == "")

    def _go_on(self, page: Page) -> None:
        """Tell a page when there is time what there was none for; a hand that moves comes first."""

        def tell() -> None:
            # A page that is behind gets an update once it has caught up, and this again with it.
            if page.number in self.pages and not page.may_be_skipped():
                page.send(page.view.at_leisure(RESTING if self.gestures.hand is None else LATER))
                self._go_on(page)

        if not (page.view.is_sent or self._is_ending):
            self.worker.at_leisure(("loose", page.number), tell)

    def _measure_costs(self, page: Page) -> None:
        """Tell a page what its motion costs, when there is time: a hand that moves comes first."""

        def tell() -> None:
            found = page.costs.message(self.shown, page.view.motion)
            if found is not None and page.number in self.pages:
                page.send([text(found)])

        if page.costs.is_wanted and not self._is_ending:
            self.worker.at_leisure(("costs", page.number), tell)

    def _show_costs(self, page: Page, request: to_server.ShowCosts) -> None:
        page.costs.wish(request.settings)
        self._measure_costs(page)

    def _fetch_poses(self, page: Page, request: to_server.FetchPoses) -> None:
        if request.step is not None:
            steps = self.editor.history.steps
            if not 0 <= request.step < len(steps):
                raise Refusal("there is no such step in the history any more")
            page.send(page.view.compared(steps[request.step].document, request.first, request.count))
            return
        page.send(page.view.poses(request.first, request.count, request.looked))
        self._go_on(page)

    def _selected(self, _page: Page, request: to_server.Selected) -> None:
        self.selection = tuple(request.names)

    def _show_keyed(self, page: Page, request: loose_requests.ShowKeyed) -> None:
        page.view.show_keyed(request.on)
        self._go_on(page)

    def _welcome(self, page: Page) -> None:
        from inbetweener import __version__

        self.pages[page.number] = page
        terms = [to_page.OwnTerm(name, (getdoc(term) or name).partition("\n")[0]) for name, term in OWN.items()]
        page.send([text(to_page.Welcome(version=__version__, server=self._server, page=page.number, terms=terms))])
        self.update(page)
        page.send([text(job.message()) for job in self.jobs.running])

    def _left(self, page: Page) -> None:
        self.pages.pop(page.number, None)
        self.gestures.drop(page)

    def _edit(self, page: Page, request: to_server.AnyRequest) -> str | None:
        return self._stroke(page, lambda document, clip: EDITS[type(request)](document, clip, request))

    def _stroke(self, page: Page, edit: Callable[[Document, str], Stroke]) -> str | None:
        self.gestures.require_free()
        begun = self.document
        stroke = edit(begun, page.view.clip)
        made = begun if stroke.document == begun else stroke.document
        self.editor.apply(stroke.label, lambda _: self.kept(made))
        return stroke.text

    def carry_out(self, label: str, verb: Verb[R], step: Callable[[R], str] | None = None) -> Job:
        """Let a verb work on the document beside the worker, and make what came of it one step of the history.

        The step is called like the job, or as `step` calls it.
        """
        self.gestures.require_free()
        document = self.document

        def work(progress: Progress) -> R:
            progress()
            return verb(document, lambda done, total: progress(done / total))

        def then(result: R) -> Ending:
            if result.document is not document:
                self.apply_later(document, step(result) if step else label, lambda _: self.kept(result.document))
            return Ending("; ".join(filter(None, (*result.lines, result.problem))), bool(result.problem))

        return self.jobs.start(label, work, then)

    def _bind(self, _page: Page, _request: edit_requests.BindSkin) -> Job:
        return self.carry_out("Find skin weights", lambda document, _progress: skin(document, weights="auto"))

    def _change_sound(self, page: Page, request: edit_requests.ChangeSound) -> None:
        self.gestures.require_free()
        path = request.path
        made = sound(
            self.document,
            None if path is None else self.content(path),
            name=None if path is None else path.rpartition("/")[2],
            start=request.start,
            muted=request.muted,
            remove=request.remove,
            clip=page.view.clip,
        )
        self.editor.apply(made.done, lambda _: self.kept(made.document))

    def _change_picture(self, page: Page, request: edit_requests.ChangePicture) -> None:
        self.gestures.require_free()
        path = request.path
        made = picture(
            self.document,
            None if path is None else self.content(path),
            name=None if path is None else path.rpartition("/")[2],
            position=request.position,
            height=request.height,
            turn=request.turn,
            opacity=request.opacity,
            start=request.start,
            remove=request.remove,
            clip=page.view.clip,
        )
        self.editor.apply(made.done, lambda _: self.kept(made.document))

    def apply_later(self, began_from: Document, label: str, edit: Edit) -> None:
        """Apply what a job found, if the document is still the one that it began from."""
        if self.gestures.hand is not None or self.document is not began_from:
            raise Refusal(f"{label}: the document was changed meanwhile, so the result was dropped; ask again")
        self.editor.apply(label, edit)

    def _cancel_job(self, _page: Page, request: to_server.CancelJob) -> None:
        if not self.jobs.cancel(request.job):
            raise Refusal("that work is over already")

    def _show_clip(self, page: Page, request: to_server.ShowClip) -> None:
        page.send(page.view.show_clip(self.shown, request.clip, self.revision))
        self._go_on(page)
        self._measure_costs(page)
        self.obstacles.look(exact=self.gestures.hand is None)

    # --- history ----------------------------------------------------------------------------------------------------

    def _undo(self, _page: Page, _request: to_server.Undo) -> str | None:
        self.gestures.require_free()
        label = self.editor.history.undo_label
        self.editor.undo()
        return label

    def _redo(self, _page: Page, _request: to_server.Redo) -> str | None:
        self.gestures.require_free()
        label = self.editor.history.redo_label
        self.editor.redo()
        return label

    def _jump(self, _page: Page, request: to_server.JumpTo) -> None:
        self.gestures.require_free()
        steps = len(self.editor.history.steps)
        if request.step >= steps:
            raise Refusal(f"there is no step {request.step}; the history has {steps}")
        while self.editor.history.at > request.step:
            self.editor.undo()
        while self.editor.history.at < request.step:
            self.editor.redo()

    def _history(self) -> to_page.History:
        history = self.editor.history
        return to_page.History(labels=[step.label for step in history.steps], at=history.at, saved=self.saved)

    def _changed(self, change: Changed) -> None:
        self._tell_change(change.kind, change.label)

    def _tell_change(self, kind: Kind, label: str) -> None:
        self.revision += 1
        self._kind, self._label = kind, label
        for page in tuple(self.pages.values()):
            self.update(page)
        # An edit in one stroke is committed right after its preview, and looked at then.
        if kind != "preview" or self.gestures.hand is not None:
            self.obstacles.look(exact=kind != "preview")
        for listener in self.on_change:
            listener()


def _no_files(path: str) -> bytes:
    raise Refusal(f"there is no folder in which {path} could be")


def _no_pose(name: str) -> Pose:
    raise UnknownName("pose", name, ())


def _answer(number: int, job: Job) -> to_page.Done | to_page.Refused:
    """The answer to a request that a job carried out."""
    if job.state == "done":
        return to_page.Done(id=number, text=job.ending.text or None)
    return to_page.Refused(id=number, text=job.ending.text)
