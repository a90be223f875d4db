"""Messages of nonsense: each is answered or ignored, and only valid edits change the document."""

import json
from random import Random

import msgspec
import pytest

from inbetweener.studio.protocol.to_server import AnyRequest
from tests.studio.documents import arm
from tests.studio.pages import PageForTests, session_of
from torture import noise


@pytest.mark.parametrize("rounds", [1, pytest.param(3, marks=pytest.mark.thorough)])
def test_noise_leaves_a_sound_document_and_a_living_session(rounds: int) -> None:
    figures = noise.drive(rounds * noise.A_ROUND, 0)
    assert figures[0].value >= rounds * noise.A_ROUND
    assert [figure.what for figure in figures if figure.holds is False] == []


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
    chance = Random(1)
    decoder = msgspec.json.Decoder(AnyRequest)
    passed = 0
    for _ in range(400):
        request = noise.value_of(chance.choice(noise.AT_THE_DOOR), chance)
        if isinstance(request, dict):
            request["id"] = 1
        try:
            decoder.decode(json.dumps(request))
            passed += 1
        except msgspec.MsgspecError:
            pass
    assert passed > 100
