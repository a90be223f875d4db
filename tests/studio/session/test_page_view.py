"""Whatever happens, a page that was told differences knows what a page that joins now is told."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.document import Document, Editor, edits
from inbetweener.errors import InbetweenerError
from inbetweener.motion import Clip, Layer
from inbetweener.rig import Rig
from inbetweener.studio.session import Session
from tests.studio.documents import arm
from tests.studio.pages import PATIENCE, PageForTests, differences, place, session_of

CHANNELS = [channel.name for channel in arm().rig.channels]
KEYED = ["hips.tx", "hips.ty", "hips.rz", "elbow.rz", "elbow.ry"]

times = st.one_of(st.sampled_from([0.0, 0.25, 0.37, 0.5, 1.0]), st.floats(-0.2, 1.2))
numbers = st.floats(-0.5, 0.5)
layers = st.sampled_from([None, "lean", "new"])
keys = st.lists(
    st.builds(lambda c, k, a: {"channel": c, "key": k, "layer": a}, st.sampled_from(KEYED), st.integers(0, 4), layers),
    min_size=1,
    max_size=4,
)
places = st.sampled_from([place("hand"), place("elbow", (0.1, 0.0, 0.0)), place("hips")])
gestures = st.one_of(
    st.fixed_dictionaries({"kind": st.just("drag-arc"), "place": places, "time": times}),
    st.fixed_dictionaries({"kind": st.just("scale-timing"), "place": places, "time": times}),
    st.fixed_dictionaries({"kind": st.just("pull-pose"), "place": places, "time": times}),
    st.fixed_dictionaries({"kind": st.just("move-keys"), "keys": keys, "copies": st.booleans()}),
    st.fixed_dictionaries(
        {"kind": st.just("drag-handle"), "key": keys.map(lambda k: k[0]), "side": st.sampled_from(["in", "out"])}
    ),
    st.fixed_dictionaries(
        {"kind": st.just("set-value"), "channel": st.sampled_from(CHANNELS), "time": times, "layer": layers}
    ),
    st.fixed_dictionaries({"kind": st.just("set-stiffness"), "channels": st.just(CHANNELS[:2])}),
    st.fixed_dictionaries({"kind": st.just("move-range"), "constraint": st.just("hips pin")}),
)
requests = st.one_of(
    gestures.map(lambda what: ("begin", {"gesture": 1, "what": what})),
    st.just(("commit", {"gesture": 1})),
    st.just(("cancel", {"gesture": 1})),
    st.just(("undo", {})),
    st.just(("redo", {})),
    st.integers(0, 6).map(lambda step: ("jump-to", {"step": step})),
    st.sampled_from(["swing", "still", "swung"]).map(lambda clip: ("show-clip", {"clip": clip})),
    st.lists(st.tuples(places, st.booleans()), max_size=2).map(
        lambda wishes: ("show-arcs", {"arcs": [{"arc": i, "place": p, "turns": t} for i, (p, t) in enumerate(wishes)]})
    ),
    st.builds(lambda p, s, e: ("add-pin", {"place": p, "start": min(s, e), "end": max(s, e)}), places, times, times),
    st.sampled_from([True, False]).map(lambda on: ("switch-constraint", {"name": "hips pin", "on": on})),
    st.just(("remove-constraint", {"name": "hips pin"})),
    st.builds(lambda t, a: ("insert-keys", {"channels": CHANNELS, "time": t, "layer": a}), times, layers),
    keys.map(lambda k: ("delete-keys", {"keys": k})),
    st.builds(
        lambda k, p: ("preset-tangents", {"keys": k, "preset": p}), keys, st.sampled_from(["flat", "linear", "stepped"])
    ),
    st.builds(lambda k, t: ("tie-tangents", {"keys": k, "tied": t}), keys, st.booleans()),
    st.builds(lambda k, i: ("set-interpolation", {"keys": k, "kind": i}), keys, st.sampled_from(["linear", "bezier"])),
    numbers.map(lambda x: ("set-limits", {"channel": "elbow.rz", "lower": -1.0 + x, "upper": None})),
    st.booleans().map(lambda free: ("set-free", {"channels": CHANNELS, "free": free})),
    st.just(("stiffen-as", {"preset": "person"})),
    st.just(("rename-document", {"name": "pole"})),
    st.builds(lambda s, e: ("set-clip-range", {"start": s, "end": e}), times, times),
    st.booleans().map(lambda loops: ("set-clip-loops", {"loops": loops})),
    st.booleans().map(lambda muted: ("change-layer", {"layer": "lean", "muted": muted})),
    numbers.map(lambda weight: ("change-layer", {"layer": "lean", "weight": weight})),
)
moves = st.lists(numbers, min_size=6, max_size=6).map(lambda values: ("move", values))

# What no message asks for today, but undo, opening files or scripts may bring about.
ELSEWHERE: dict[str, Callable[[Document], Document]] = {
    "add a layer": lambda old: edits.add_layer(old, "swing", Layer("new")),
    "remove a layer": lambda old: edits.remove_layer(old, "swing", "lean"),
    "rename the clip": lambda old: edits.rename_clip(old, "swing", "swung"),
    "remove the clip": lambda old: edits.remove_clip(old, "swing"),
    "remove the other clip": lambda old: edits.remove_clip(old, "still"),
    "add a clip": lambda old: edits.add_clip(old, Clip("swing", 0.5)),
    "change the rate": lambda old: edits.set_clip_rate(old, "swing", 30.0),
    "rename a joint": lambda old: edits.rename_joint(old, "elbow", "knee"),
    "new rig, same joints": lambda old: replace(old, rig=replace(old.rig)),
}
elsewhere = st.sampled_from(sorted(ELSEWHERE)).map(lambda name: ("edit", name))
others = st.sampled_from([("hold", None), ("catch up", None), ("save", None), ("open", None)])
STEPS = st.lists(st.one_of(requests, requests, moves, moves, elsewhere, others), min_size=1, max_size=14)
COUNTS = {"drag-arc": 3, "pull-pose": 3, "move-keys": 6, "drag-handle": 2, "move-range": 2}


class Life:
    """One page among the things that happen."""

    def __init__(self, document: Document) -> None:
        self.session: Session = session_of(document)
        self.page = PageForTests(self.session)
        self.kind = ""
        self.page.sequence = 0
        self.arcs: list[Any] = []

    def step(self, kind: str, what: Any) -> None:
        page = self.page
        match kind:
            case "move":
                page.sequence += 1
                page.send_move(what[: COUNTS.get(self.kind, 1)], 1)
                page.flush()
            case "hold":
                page.hold()
            case "catch up":
                page.catch_up()
            case "edit":
                self._on_worker(lambda: self.session.editor.apply(what, ELSEWHERE[what]))
            case "save":
                self._on_worker(self._save)
            case "open":
                self._on_worker(lambda: self.session.open(Editor(replace(arm(), name="opened"))))
            case _:
                answer = page.ask(kind, **what)
                if answer["type"] == "done" and kind == "begin":
                    self.kind, page.sequence = what["what"]["kind"], 0
                if answer["type"] == "done" and kind == "show-arcs":
                    self.arcs = what["arcs"]

    def _save(self) -> None:
        self.session.saved = self.session.editor.history.at
        for page in tuple(self.session.pages.values()):
            self.session.update(page)

    def _on_worker(self, work: Callable[[], object]) -> None:
        """Do something on the worker's thread; an edit that is refused there is just not done."""
        over = Event()

        def task() -> None:
            with suppress(InbetweenerError):
                work()
            over.set()

        self.session.worker.submit(task)
        assert over.wait(PATIENCE)

    def differences(self) -> list[str]:
        """What the page knows wrongly, or not at all."""
        page = self.page
        page.catch_up()
        page.fetch_all()
        fresh = PageForTests(self.session)
        if page.known.clip is not None:
            fresh.done("show-clip", clip=page.known.clip["name"])
        joints = {joint.name for joint in self.session.editor.shown.rig.joints}
        there = [arc for arc in self.arcs if arc["place"]["parts"][0]["joint"] in joints]
        fresh.done("show-arcs", arcs=there)
        fresh.fetch_all()
        shown = {arc["arc"] for arc in self.arcs}
        page.known.arcs = {
            number: arc for number, arc in page.known.arcs.items() if number in shown and len(arc["positions"])
        }
        fresh.known.arcs = {number: arc for number, arc in fresh.known.arcs.items() if len(arc["positions"])}
        return differences(page.known, fresh.known)


@settings(max_examples=200)
@given(STEPS)
def test_a_page_knows_what_a_page_that_joins_is_told(steps: list[tuple[str, Any]]) -> None:
    life = Life(arm())
    try:
        for step in steps:
            life.step(*step)
        assert life.differences() == []
    finally:
        life.session.stop()


@pytest.mark.parametrize(
    "document",
    [
        Document("nothing"),
        Document("no joints", clips=(Clip("empty", 1.0),)),
        Document("no clips", rig=arm().rig),
        Document("one frame", rig=arm().rig, clips=(Clip("still", 0.0),)),
        Document("no channels", rig=Rig(arm().rig.joints), clips=(Clip("still", 0.5),)),
    ],
    ids=lambda document: document.name,
)
def test_bare_documents_can_be_shown_and_left(document: Document) -> None:
    life = Life(document)
    try:
        assert life.differences() == []
        assert life.page.known.scene is not None
        assert life.page.known.scene["name"] == document.name
        life.step("open", None)
        assert life.differences() == []
        life.step("edit", "remove the clip")
        life.step("edit", "remove the other clip")
        assert life.differences() == []
    finally:
        life.session.stop()
