"""Malformed messages close nothing but themselves."""

import random
import struct

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.studio import MESSAGE_LIMIT, Studio
from tests.studio.served import join

BAD: list[str | bytes] = [
    "",
    "{",
    "[]",
    "null",
    '"x"',
    "{}",
    '{"type":"undo"}',
    '{"type":"undo","id":"x"}',
    '{"type":"undo","id":1e400}',
    '{"type":"no-such","id":1}',
    '{"type":"undo","id":1,"more":2}',
    '{"type":"begin","id":1,"gesture":0,"what":{}}',
    "[" * 100_000,
    '{"type":"show-clip","id":1,"clip":"' + "x" * 1000 + '"}',
    b"",
    b"\x00",
    b"\x01" * 15,
    b"\xff" * 64,
    struct.pack("<BBHIII3d", 1, 0, 3, 1, 1, 0, float("nan"), 0.0, 0.0),
    struct.pack("<BBHIII", 1, 0, 60_000, 1, 1, 0),
]


def test_each_is_answered_and_the_connection_goes_on(studio: Studio) -> None:
    with join(studio) as client:
        document = studio.session.editor.document
        for bad in BAD:
            client.latest.pop(to_page.Refused, None)
            client.send(bad)
            refused = client.wait(to_page.Refused, 10)
            assert refused.text.startswith("The Studio did not understand the page"), bad
        # A well-formed move of a gesture that nobody began is dropped without a word.
        client.send(struct.pack("<BBHIII3d", 1, 0, 3, 9, 1, 0, 0.0, 0.0, 0.0))
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
        assert studio.session.editor.document is document


def test_a_flood_of_noise_leaves_the_server_up_and_the_document_intact(studio: Studio) -> None:
    chance = random.Random(7)
    document = studio.session.editor.document
    with join(studio) as client:
        for _ in range(2000):
            noise = chance.randbytes(chance.randrange(60))
            client.send(noise if chance.random() < 0.5 else noise.decode("latin-1"))
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
    assert studio.session.editor.document is document
    assert studio.session.editor.history.at == 0


def shout(client: Client) -> None:
    # The server may hang up while this is still being sent, or after.
    client.send("x" * (MESSAGE_LIMIT + 1))
    client.wait(to_page.Refused, 10)


def test_a_message_beyond_the_limit_closes_its_own_connection_only(studio: Studio, browser: httpx.Client) -> None:
    with join(studio) as other:
        client = join(studio)
        with pytest.raises(ConnectionClosed):
            shout(client)
        client.close()
        other.ask(to_server.ShowArcs(id=0, arcs=[]))
    assert browser.get("/").status_code == 200


def test_a_message_just_within_the_limit_is_read(studio: Studio) -> None:
    with join(studio) as client:
        client.send("x" * MESSAGE_LIMIT)
        assert client.wait(to_page.Refused, 10).text.startswith("The Studio did not understand")
