"""Ten thousand messages of nonsense: each is answered or ignored, and only valid edits change the document."""

import json
import random
import struct
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from inbetweener.document import validate
from inbetweener.studio.protocol.to_server import AnyRequest
from tests.studio.documents import arm, loose_arm
from tests.studio.pages import PageForTests, differences, session_of

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


def nonsense(random: random.Random) -> Any:
    """Any JSON value."""
    return random.choice(
        [
            None, True, False, random.choice(WILD), random.choice(NAMES), [], {}, [[]], {"id": {}}, [None] * 20,
            {"type": "undo"}, random.choice(WILD[:12]),
        ]
    )  # fmt: skip


def value_of(kind: inspect.Type, random: random.Random) -> Any:
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
# Files and doors are the server's matter, and it answers for them.
OF_THE_SERVER = {"OpenExample", "OpenFile", "OpenLeft", "Save", "Export", "LogOut"}
KINDS = [each for each in REQUESTS.types if each.cls.__name__ not in OF_THE_SERVER]


def message(random: random.Random) -> str | bytes:
    """One message: random bytes, torn JSON, wild requests, wild moves."""
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
    hands = [each for each in KINDS if each.cls.__name__ in ("Begin", "Commit", "Cancel")]
    request = value_of(random.choice(hands if random.random() < 0.4 else KINDS), random)
    if isinstance(request, dict) and random.random() < 0.7:
        request["id"] = random.randrange(1, 1000)
    text = json.dumps(request)
    return text[: random.randrange(len(text) + 1)] if kind < 0.42 else text


def feed(page: PageForTests, messages: list[str | bytes]) -> None:
    for each in messages:
        page.page.receive(each)
    page.flush()


@pytest.mark.parametrize("seed", range(4))
def test_noise_leaves_a_sound_document_and_a_living_session(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    chance = random.Random(seed)
    session = session_of(loose_arm() if seed % 2 else arm())
    page, other = PageForTests(session), PageForTests(session)
    kinds: Counter[str] = Counter()
    session.editor.listen(lambda change: kinds.update([change.kind]))
    for _ in range(25):
        steps = session.editor.history
        feed(page, [message(chance) for _ in range(100)])
        if session.editor.history is steps:
            assert session.editor.document is steps.document
    if session.gestures.hand is not None:
        session.worker.submit(session.gestures.drop)
    page.wait_for_jobs()
    validate(session.editor.document)
    assert kinds["commit"] > 40, f"hardly anything was valid; the noise is too loud to test anything: {kinds}"
    assert kinds["cancel"] > 5
    # No fault of ours: whatever was wrong with a message was said in words.
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
    assert other.ask("undo")["type"] in ("done", "refused")
    fresh = PageForTests(session)
    other.fetch_all()
    if other.known.clip is not None:
        fresh.done("show-clip", clip=other.known.clip["name"])
    fresh.fetch_all()
    assert differences(other.known, fresh.known) == []
    session.stop()


@pytest.mark.parametrize(
    "text",
    ['{"type":"undo","id":5,"more":1}', '{"type":"jump-to","id":5,"step":-1}', '{"type":"commit","id":5}', '{"id":5}'],
)
def test_a_malformed_request_is_answered_with_its_id(text: str) -> None:
    session = session_of(arm())
    page = PageForTests(session)
    page.page.receive(text)
    page.flush()
    assert page.answers[5]["type"] == "refused"
    assert "did not understand" in page.answers[5]["text"]
    session.stop()


def test_deep_nesting_is_refused() -> None:
    session = session_of(arm())
    page = PageForTests(session)
    for text in ("[" * 1_000_000, '{"id":3,"type":' * 200_000):
        page.page.receive(text)
    page.flush()
    assert page.answers[0]["type"] == "refused"
    assert page.ask("undo")["type"] == "refused"
    session.stop()


def test_messages_are_decoded_as_the_generator_describes_them() -> None:
    """The noise is made from the same description: at least half of it must get past the decoder."""
    chance = random.Random(1)
    decoder = msgspec.json.Decoder(AnyRequest)
    passed = 0
    for _ in range(400):
        request = value_of(chance.choice(KINDS), chance)
        if isinstance(request, dict):
            request["id"] = 1
        try:
            decoder.decode(json.dumps(request))
            passed += 1
        except msgspec.MsgspecError:
            pass
    assert passed > 100
