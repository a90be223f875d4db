"""A page for tests: sends what a browser would, applies what it is told, and can be compared with another page.

The decoding is written against the protocol's description alone, not with the server's own encoders.
"""

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import numpy as np
import pytest

from inbetweener.document import Document, Editor
from inbetweener.studio.session import Session

PATIENCE = 60.0


class Arrays:
    """Reads plain numbers one after another."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def take(self, kind: str, *shape: int) -> np.ndarray:
        count = int(np.prod(shape))
        found = np.frombuffer(self.data, kind, count, self.at).reshape(shape)
        self.at += found.nbytes
        return found

    def end(self) -> None:
        assert self.at == len(self.data), f"{len(self.data) - self.at} bytes too many"


@dataclass
class Known:
    """All that a page knows about the document."""

    scene: dict[str, Any] | None = None
    clip: dict[str, Any] | None = None
    constraints: list[Any] | None = None
    history: dict[str, Any] | None = None
    curves: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)
    poses: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    arcs: dict[int, dict[str, np.ndarray]] = field(default_factory=dict)
    obstacles: dict[str, Any] | None = None
    plans: dict[int, int] = field(default_factory=dict)
    blends: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    looseness: dict[str, Any] | None = None
    loose_state: dict[str, Any] | None = None
    keyed: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    compared: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    soft_vertices: list[Any] = field(default_factory=list)
    soft: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)


class Hearing:
    """Applies what a page is told, whichever way it came."""

    def __init__(self) -> None:
        self.known = Known()
        self.revision = 0
        self.answers: dict[int, dict[str, Any]] = {}
        self.told: list[dict[str, Any]] = []
        self.moves: list[dict[str, Any]] = []

    def hear(self, message: str | bytes) -> None:
        if isinstance(message, str):
            self._text(json.loads(message))
        else:
            self._binary(message)

    def _text(self, message: dict[str, Any]) -> None:
        self.told.append(message)
        known = self.known
        match message["type"]:
            case "done" | "refused":
                self.answers[message["id"]] = message
            case "answer":
                self.moves.append(message)
            case "changed":
                self.revision = message["revision"]
                for frame in [f for f in known.poses if message["first"] <= f <= message["last"]]:
                    del known.poses[frame]
                for frame in [f for f in known.keyed if message["first"] <= f <= message["last"]]:
                    del known.keyed[frame]
                for kept in (known.blends, known.soft):
                    for key in [k for k in kept if message["first"] <= k[1] <= message["last"]]:
                        del kept[key]
            case "scene":
                known.scene = message
            case "clip":
                known.clip = message
                known.poses = {f: pose for f, pose in known.poses.items() if f < message["frames"]}
                known.blends = {k: blend for k, blend in known.blends.items() if k[1] < message["frames"]}
                known.keyed = {f: pose for f, pose in known.keyed.items() if f < message["frames"]}
                known.soft = {k: offsets for k, offsets in known.soft.items() if k[1] < message["frames"]}
            case "skins":
                known.plans = {each["mesh"]: each["plan"] for each in message["items"]}
                known.blends = {k: blend for k, blend in known.blends.items() if k[0] in known.plans}
            case "constraints":
                known.constraints = message["items"]
            case "history":
                known.history = message
            case "looseness":
                known.looseness = message
            case "soft-vertices":
                known.soft_vertices = message["meshes"]
                numbers = {each["mesh"] for each in message["meshes"]}
                known.soft = {k: offsets for k, offsets in known.soft.items() if k[0] in numbers}
            case "loose-state":
                known.loose_state = message
            case "obstacles":
                known.obstacles = message

    def _binary(self, data: bytes) -> None:
        kind, flag, small, a, b, c = struct.unpack_from("<BBHIII", data)
        assert a == self.revision, "arrays of another revision than was announced"
        arrays = Arrays(data, 16)
        if kind == 2:
            joints, channels = arrays.take("<u4", 2)
            world, values = arrays.take("<f4", c, joints, 3, 4), arrays.take("<f4", c, channels)
            kept = (self.known.poses, self.known.keyed, self.known.compared)[flag]
            for i in range(c):
                kept[b + i] = (world[i], values[i])
        elif kind == 3:
            keys, start = int(arrays.take("<u4", 1)[0]), arrays.take("<f4", 1)
            arc = {
                "start": start,
                "per_frame": np.array([small]),
                "positions": arrays.take("<f4", c, 3),
                "speeds": arrays.take("<f4", c),
            }
            if flag:
                arc["turns"] = arrays.take("<f4", c, 4)
            arc["keys"], arc["key_positions"] = arrays.take("<f4", keys), arrays.take("<f4", keys, 3)
            self.known.arcs[b] = arc
        elif kind == 4:
            if flag:
                self.known.curves = {}
            table = arrays.take("<u4", c, 3)
            assert int(table[:, 2].sum()) == b
            for channel, layer, count in table.tolist():
                rows = arrays.take("<f4", count, 8)
                if count:
                    self.known.curves[channel, layer] = rows
                else:
                    self.known.curves.pop((channel, layer), None)
        elif kind == 5:
            plan, nodes, joints = arrays.take("<u4", 3).tolist()
            assert plan == self.known.plans[small], "differentials of another plan than was announced"
            differentials = arrays.take("<f4", c, nodes, 8)
            stretches = (
                arrays.take("<f4", c, joints, 3, 4)
                if flag & 1
                else np.tile(np.eye(3, 4, dtype="<f4"), (c, joints, 1, 1))
            )
            for i in range(c if not flag & 6 else 0):
                self.known.blends[small, b + i] = (differentials[i], stretches[i])
        elif kind == 6:
            vertices = int(arrays.take("<u4", 1)[0])
            offsets = arrays.take("<f4", c, vertices, 3)
            for i in range(c):
                self.known.soft[small, b + i] = offsets[i]
        else:
            raise AssertionError(f"a message of kind {kind}")
        arrays.end()


class PageForTests(Hearing):
    """A page of a session; batches can be held up, so that the page falls behind."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.gestures = False
        self._waiting = 0
        self._ids = 0
        self.sequence = 0
        self._joined = Event()
        self.page = session.join(self._arrived)
        self._joined.set()
        self.flush()

    # --- sending ----------------------------------------------------------------------------------------------------

    def ask(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        number = self.send(kind, **fields)
        self.flush()
        for _ in range(1000):
            if number in self.answers:
                break
            self._work_on()
        return self.answers[number]

    def done(self, kind: str, /, **fields: Any) -> str | None:
        """Ask for something that must not be refused; the line in the answer."""
        answer = self.ask(kind, **fields)
        assert answer["type"] == "done", answer
        return answer["text"]

    def refused(self, kind: str, /, **fields: Any) -> str:
        """Ask for something that must be refused; the reason given."""
        answer = self.ask(kind, **fields)
        assert answer["type"] == "refused", answer
        return answer["text"]

    def send(self, kind: str, /, **fields: Any) -> int:
        self._ids += 1
        self.page.receive(json.dumps({"type": kind, "id": self._ids, **fields}))
        return self._ids

    def begin(self, kind: str, /, gesture: int = 1, **fields: Any) -> None:
        self.done("begin", gesture=gesture, what={"kind": kind, **fields})
        self.sequence = 0

    def move(self, *values: float, gesture: int = 1) -> dict[str, Any]:
        """Move the hand and wait for the answer."""
        self.sequence += 1
        self.send_move(values, gesture)
        self.flush()
        return self.moves[-1]

    def send_move(self, values: Sequence[float], gesture: int) -> None:
        head = struct.pack("<BBHIII", 1, 0, len(values), gesture, self.sequence, 0)
        self.page.receive(head + np.array(values, "<f8").tobytes())

    def flush(self) -> None:
        """Wait until the worker has done all that waits."""
        reached = Event()
        self.session.worker.submit(reached.set)
        assert reached.wait(PATIENCE)

    def settle(self) -> None:
        """Wait until the worker has done what it does at leisure, such as simulating what nobody looks at."""
        for _ in range(10_000):
            reached, told = Event(), []

            def look(reached: Event = reached, told: list[bool] = told) -> None:
                told.append(self.page.view.is_sent)
                reached.set()

            self.session.worker.at_leisure(object(), look)
            assert reached.wait(PATIENCE)
            if told[0]:
                return
        raise AssertionError("there is no end to what is told at leisure")

    def _work_on(self) -> None:
        """Wait for jobs, which end on the worker after the work itself."""
        over = Event()

        def look() -> None:
            jobs = self.session.jobs.running
            if jobs:
                jobs[0].when_over.append(lambda _: over.set())
            else:
                over.set()

        self.session.worker.submit(look)
        assert over.wait(PATIENCE)
        self.flush()

    def wait_for_jobs(self) -> None:
        """Wait until no job is under way that might still change the document."""
        while self.session.jobs.running:
            self._work_on()

    # --- receiving --------------------------------------------------------------------------------------------------

    def _arrived(self, batch: list[str | bytes]) -> None:
        for message in batch:
            self.hear(message)
        if self.gestures:
            self._waiting += 1
        else:
            # The first batch may come before `join` has returned the page.
            assert self._joined.wait(PATIENCE)
            self.page.drained()

    def hold(self) -> None:
        """Let the connection stall: nothing more leaves the server's door."""
        self.gestures = True

    def catch_up(self) -> None:
        """Let it flow again."""
        self.gestures = False
        waiting, self._waiting = self._waiting, 0
        for _ in range(waiting):
            self.page.drained()
        self.flush()

    def fetch_all(self) -> None:
        """Ask for the poses that are missing, as a page does when it needs them; loose ones come as there is time."""
        if self.known.clip is None:
            return
        for frame in range(self.known.clip["frames"]):
            if frame not in self.known.poses:
                self.done("fetch-poses", first=frame, count=64)
        self.settle()


def session_of(document: Document) -> Session:
    return Session(Editor(document))


def place(joint: str, offset: tuple[float, float, float] = (0.0, 0.0, 0.0), name: str = "") -> dict[str, Any]:
    return {"parts": [{"joint": joint, "offset": list(offset), "weight": 1.0}], "name": name}


def differences(one: Known, other: Known) -> list[str]:
    """In what two pages disagree."""
    told = ("scene", "clip", "constraints", "history", "plans", "looseness", "soft_vertices")
    found = [name for name in told if getattr(one, name) != getattr(other, name)]
    for name in ("curves", "poses", "arcs", "blends", "soft"):
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine.keys() != theirs.keys():
            found.append(f"{name}: {sorted(mine.keys() ^ theirs.keys())[:5]} known to one only")
        for key in mine.keys() & theirs.keys():
            if not _same(mine[key], theirs[key]):
                found.append(f"{name} {key}")
    return found


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return all(map(_same, one, other))
    return bool(np.array_equal(one, other))


def page_of(made: Callable[[], Document]) -> Any:
    """A fixture: a page of a session of a document that is made for each test, and ends with it."""

    @pytest.fixture
    def page() -> Iterator[PageForTests]:
        session = session_of(made())
        yield PageForTests(session)
        session.stop()

    return page
