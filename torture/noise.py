"""Noise at the Studio's door: messages that are malformed, oversized, out of order, or valid with absurd numbers.

`python -m torture.noise [--count MESSAGES] [--seed SEED]`. Half of them are sent over the socket to a Studio in a
process of its own, half to a session in this process, where the document can be looked at.
"""

import json
import logging
import struct
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec import inspect
from websockets.exceptions import ConnectionClosed

from benchmarks.harness import Figure
from inbetweener.document import Document, read_journal, validate
from inbetweener.studio.protocol import to_page
from inbetweener.studio.protocol.to_server import AnyRequest
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.studio import MESSAGE_LIMIT
from tests.studio.documents import arm, loose_arm
from tests.studio.pages import PageForTests, differences, session_of
from torture.command import main, told
from torture.script import KEPT
from torture.studios import FILE, StudioProcess, give_what_lies_beside, journals_of, prepared

A_ROUND = 1000
"""Messages on one document."""
LOOKS = 50
"""How often pages are looked at before they are said to disagree."""
PATIENCE = 600.0
"""Seconds to wait for an answer, however much else the machine has to do; what is judged is work."""
SLOWEST = 5.0
"""Seconds of work that a message may keep the next one waiting; a busy machine makes more of them."""

NAMES = [
    "swing",
    "still",
    "lean",
    "hips pin",
    "hips",
    "elbow",
    "hand",
    "hips.tx",
    "elbow.rz",
    "person",
    "",
    "\x00",
    "é" * 500,
]
CHANNELS = ["hips.tx", "hips.rz", "elbow.rz", "elbow.ry"]
KNOWN: dict[str, list[Any]] = {
    "joint": ["hips", "elbow", "hand"],
    "channel": CHANNELS,
    "layer": [None, None, "lean"],
    "gesture": [1],
    "time": [0.0, 0.1, 0.25, 0.4, 0.5],
    "constraint": ["hips pin"],
    "bones": [["hips", "elbow"], ["hand"]],
    "view": [{"origin": [0.3, 1, 0], "right": [1, 0, 0], "up": [0, 1, 0], "distance": 3}],
    "blending": ["linear", "differential"],
    "target": ["palm target"],
    "names": [["elbow"], ["hand", "elbow.rz"]],
    "springs": [[{"name": "elbow", "frequency": 3.0}], [{"name": "hand.rz", "frequency": 0.3, "damping": 0.0}]],
    "window": ["auto", "adaptive", 0.3],
    "frequency": [2.0, 5.0],
    "preset": ["relaxed", "drunk", "smooth", "flat"],
    "place": [{"parts": [{"joint": "hand", "offset": [0.1, 0, 0], "weight": 1}], "name": "palm"}],
    "soft": [[]],
    "path": [None, "beep.wav", "look.png", FILE],
    "pose": [KEPT.name],
    "limb": ["hand"],
    "step": [0, 1],
    "eye": [[3, 1, 2]],
    "folder": ["", "poses", "out"],
}
WILD = [
    0,
    1,
    -1,
    2,
    7,
    2**31,
    2**32,
    2**63,
    -(2**63),
    2**70,
    10**400,
    0.5,
    1e-320,
    1e308,
    -1e308,
    1e19,
    0.04166666666666,
]


def nonsense(random: Random) -> Any:
    """Any JSON value."""
    return random.choice(
        [
            None, True, False, random.choice(WILD), random.choice(NAMES), [], {}, [[]], {"id": {}}, [None] * 20,
            {"type": "undo"}, random.choice(WILD[:12]),
        ]
    )  # fmt: skip


def value_of(kind: inspect.Type, random: Random) -> Any:
    """A value that is mostly of the given type, and mostly wild."""
    if random.random() < 0.02:
        return nonsense(random)
    match kind:
        case inspect.StructType():
            made = {field.encode_name: value_of(field.type, random) for field in kind.fields}
            made |= {
                name: random.choice(known) for name, known in KNOWN.items() if name in made and random.random() < 0.8
            }
            if kind.tag_field is not None:
                made[kind.tag_field] = kind.tag
            return made
        case inspect.UnionType():
            return value_of(random.choice(kind.types), random)
        case inspect.ListType():
            return [value_of(kind.item_type, random) for _ in range(random.choice([0, 1, 1, 2, 5]))]
        case inspect.DictType():
            names = [value_of(kind.key_type, random) for _ in range(random.choice([0, 1, 1, 2]))]
            return {str(name): value_of(kind.value_type, random) for name in names}
        case inspect.TupleType():
            return [value_of(each, random) for each in kind.item_types]
        case inspect.LiteralType():
            return random.choice(kind.values)
        case inspect.IntType():
            return random.choice([0, 1, 1, 1, 1, 1, 2, 3, random.choice(WILD[:11])])
        case inspect.FloatType():
            return random.choice(WILD) if random.random() < 0.15 else random.uniform(-0.1, 1.1)
        case inspect.StrType():
            return random.choice(NAMES if random.random() < 0.5 else CHANNELS)
        case inspect.BoolType():
            return random.random() < 0.5
        case inspect.NoneType():
            return None
    raise TypeError(kind)


REQUESTS = inspect.type_info(AnyRequest)
# Files are the project's matter, which a session in this process has none of, and it answers for them.
OF_THE_PROJECT = {
    "OpenExample",
    "OpenFile",
    "OpenLeft",
    "Save",
    "Export",
    "ReadAgain",
    "ShowBatch",
    "MarkClip",
    "ShowPoses",
    "SavePose",
    "RenamePose",
    "DeletePose",
}
# Who is logged out has to be let in anew, by a word that only the terminal shows.
AT_THE_DOOR = [each for each in REQUESTS.types if each.cls.__name__ != "LogOut"]
IN_A_SESSION = [each for each in AT_THE_DOOR if each.cls.__name__ not in OF_THE_PROJECT]


def message(random: Random, kinds: list[Any]) -> str | bytes:
    """One message: random bytes, torn JSON, wild requests of these kinds, wild moves."""
    kind = random.random()
    if kind < 0.08:
        return random.randbytes(random.randrange(60))
    if kind < 0.3:
        count = random.choice([0, 1, 2, 3, 4, 6, 7, 17, 40000])
        values = [
            random.choice([random.uniform(-1, 1), float("nan"), float("inf"), 1e300, 1e7])
            for _ in range(min(count, 20))
        ]
        head = struct.pack(
            "<BBHIII",
            random.choice([1, 1, 1, 0, 9]),
            0,
            count,
            random.choice([1, 1, 2, 2**32 - 1]),
            random.randrange(2**32),
            0,
        )
        return head + struct.pack(f"<{len(values)}d", *values)
    if kind < 0.36:
        return random.choice(
            [
                "",
                "{",
                "null",
                "[]",
                "{}",
                '{"type":"undo","id":NaN}',
                '{"type":"undo","id":1e999}',
                '"' * 9,
                "\ud800",
                "[" * 5000,
                '{"a":' * 5000,
                "[" * 200_000,
            ]
        )
    # Hands let go often, or whatever comes after the first good gesture would only be told that it is busy.
    hands = [each for each in kinds if each.cls.__name__ in ("Begin", "Commit", "Cancel")]
    request = value_of(random.choice(hands if random.random() < 0.4 else kinds), random)
    if isinstance(request, dict) and random.random() < 0.7:
        request["id"] = random.randrange(1, 1000)
    text = json.dumps(request)
    return text[: random.randrange(len(text) + 1)] if kind < 0.42 else text


@dataclass
class Tally:
    """What was counted."""

    messages: int = 0
    oversized: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    work: float = 0.0
    slow: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)

    @contextmanager
    def measuring(self, sent: list[str | bytes], worked: Callable[[], float]) -> Iterator[None]:
        """Some messages are dealt with; `worked` tells for how long processors have been at it so far."""
        began, before = time.perf_counter(), worked()
        yield
        work = worked() - before
        self.messages += len(sent)
        self.seconds.append(time.perf_counter() - began)
        self.work = max(self.work, work)
        if work > SLOWEST:
            self.slow.append(f"{work:.1f} s for {[each[:300] for each in sent]}")


def drive(count: int, seed: int) -> list[Figure]:
    """Send `count` messages."""
    tally = Tally()
    number = 0
    while tally.messages < count:
        random = Random(f"{seed} {number}")
        document = loose_arm() if number // 2 % 2 else arm()
        (_at_the_door if number % 2 else _in_this_process)(
            document, random, min(A_ROUND, count - tally.messages), tally
        )
        number += 1
    return [
        Figure("messages", tally.messages, ""),
        Figure("of them too long for the door", tally.oversized, ""),
        Figure("changes of the document that they made", tally.kinds["commit"], "", at_least=count / 125),
        Figure("gestures that they broke off", tally.kinds["cancel"], "", at_least=count / 1000),
        Figure("until the next one is answered, median", 1e3 * float(np.median(tally.seconds)), "ms"),
        Figure("until the next one is answered, 99.9 of 100", 1e3 * float(np.percentile(tally.seconds, 99.9)), "ms"),
        Figure("until the next one is answered, longest", max(tally.seconds), "s"),
        Figure("of work on one or on twenty sent at once, longest", tally.work, "s", at_most=SLOWEST),
        Figure("longer than that", told(tally.slow), "", at_most=0),
        Figure("crashes, unsound documents, pages that disagree", told(tally.problems), "", at_most=0),
        Figure("tracebacks in the log", told(tally.tracebacks), "", at_most=0),
    ]


def _in_this_process(document: Document, random: Random, count: int, tally: Tally) -> None:
    session = session_of(document)
    give_what_lies_beside(session)
    page, other = PageForTests(session), PageForTests(session)
    session.editor.listen(lambda change: tally.kinds.update([change.kind]))
    with _logged(tally.tracebacks):
        for _ in range(count):
            history = session.editor.history
            sent = message(random, IN_A_SESSION)
            with tally.measuring([sent], time.process_time):
                page.page.receive(sent)
                page.flush()
            page.told.clear()
            if session.editor.history is history and session.editor.document is not history.document:
                tally.problems.append(f"another document in the same history after {sent[:300]!r}")
        if session.gestures.hand is not None:
            session.worker.submit(session.gestures.drop)
        # Bakes of absurd lengths take minutes, which is why they are jobs and can be stopped.
        for job in session.jobs.running:
            page.ask("cancel-job", job=job.number)
        validate(session.editor.document)
        if other.ask("undo")["type"] not in ("done", "refused"):
            tally.problems.append("the other page gets no answer")
        fresh = PageForTests(session)
        other.fetch_all()
        if other.known.clip is not None:
            fresh.done("show-clip", clip=other.known.clip["name"])
        fresh.fetch_all()
        tally.problems += differences(other.known, fresh.known)
        session.stop()


@contextmanager
def _logged(into: list[str]) -> Iterator[None]:
    """Gather what the Studio logs as errors: whatever is wrong with a message should be said in words."""

    class Gathering(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            into.append(logging.Formatter().format(record))

    handler = Gathering(logging.ERROR)
    ours = logging.getLogger("inbetweener")
    ours.addHandler(handler)
    try:
        yield
    finally:
        ours.removeHandler(handler)


def _at_the_door(document: Document, random: Random, count: int, tally: Tally) -> None:
    """Two pages of a real Studio, one message or many at a time; a page that is thrown out comes back."""
    with tempfile.TemporaryDirectory(prefix="inbetweener-noise-") as folder, ExitStack() as stack:
        root = prepared(Path(folder) / "root", document)
        studio = StudioProcess(root)
        stack.callback(studio.kill)
        pages = [_Door(studio.join), _Door(studio.join)]
        for page in pages:
            stack.callback(page.leave)
        while count > 0:
            sent = [message(random, AT_THE_DOOR) for _ in range(min(count, random.choice([1, 1, 1, 1, 5, 20])))]
            count -= len(sent)
            for bad in [each for each in sent if isinstance(each, str) and not _is_unicode(each)]:
                sent.remove(bad)
                tally.messages += 1
                if not random.choice(pages).is_thrown_out_by(bad):
                    tally.problems.append("text that is none was taken")
            with tally.measuring(sent, lambda: studio.work):
                random.choice(pages).shout(sent)
            if random.random() < 0.001:
                tally.oversized += 1
                tally.messages += 1
                count -= 1
                if not random.choice(pages).is_thrown_out_by("x" * (MESSAGE_LIMIT + 1)):
                    tally.problems.append("a message beyond the limit was taken")
        # A job that is still under way may end between two looks.
        if not any(len({page.shown() for page in pages}) == 1 for _ in range(LOOKS)):
            tally.problems.append(f"the pages disagree: {[page.shown() for page in pages]}")
        if not studio.is_alive:
            tally.problems.append("the Studio is dead")
        studio.kill()
        log = (root / "log").read_text()
        tally.tracebacks += [log] if "Traceback" in log else []
        for journal in journals_of(root):
            validate(read_journal(journal).history.document)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


class _Door:
    """A page over the socket that can be thrown out and comes back."""

    def __init__(self, join: Callable[[], Client]) -> None:
        self._join = join
        self._page = join()
        self._asked = 3 * 10**9

    def shout(self, messages: list[str | bytes]) -> None:
        """Send, and wait until a question that was asked last is answered."""
        self._asked += 1
        for each in messages:
            self._page.send(each)
        self._page.send(json.dumps({"type": "show-arcs", "id": self._asked, "arcs": []}))
        end = time.monotonic() + PATIENCE
        while True:
            answer = self._page.receive(end)
            if isinstance(answer, to_page.Done | to_page.Refused) and answer.id == self._asked:
                return

    def is_thrown_out_by(self, sent: str) -> bool:
        try:
            self._page._socket.send(sent.encode("utf-8", "surrogatepass"), text=True)
            while True:
                self._page.receive(time.monotonic() + 10.0)
        except ConnectionClosed:
            self._page.close()
            self._page = self._join()
            return True
        except TimeoutError:
            return False

    def leave(self) -> None:
        self._page.close()

    def shown(self) -> tuple[Any, ...]:
        """What a page shows once it has come anew."""
        self._page.close()
        self._page = self._join()
        self.shout([])
        history = self._page.newest(to_page.History)
        return tuple(history.labels), history.at, self._page.newest(to_page.Scene).name


if __name__ == "__main__":
    main("noise", drive, 100_000)
