"""A WebSocket is refused before it is accepted, unless cookie, Host and Origin are right."""

from socket import create_connection

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from inbetweener.studio.nearby import enter
from inbetweener.studio.server.credentials import KEY_HEADER
from inbetweener.studio.server.studio import Studio


def knock(studio: Studio, headers: dict[str, str], origin: str | None, host: str | None = None, key: str = "") -> str:
    """Connect and return the first message; raises InvalidStatus where the server does not accept."""
    # A request to another host, sent here: what a name does that was made to lead to this machine.
    uri = f"ws://{host or f'127.0.0.1:{studio.port}'}/socket{key}"
    with (
        create_connection(("127.0.0.1", studio.port)) as wire,
        connect(uri, sock=wire, origin=origin, additional_headers=headers, compression=None) as socket,
    ):
        return str(socket.recv(10))


def own(studio: Studio) -> str:
    return studio.address.rstrip("/")


def test_a_page_that_was_let_in_is_welcome(studio: Studio) -> None:
    assert '"type":"welcome"' in knock(studio, enter(studio.invitation()), own(studio))


def test_localhost_is_the_same_machine(studio: Studio) -> None:
    host = f"localhost:{studio.port}"
    assert '"type":"welcome"' in knock(studio, enter(studio.invitation()), f"http://{host}", host)


@pytest.mark.parametrize("cookie", [None, "a=b", "inbetweener-0=1"])
def test_without_the_cookie(studio: Studio, cookie: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        knock(studio, {} if cookie is None else {"Cookie": cookie}, own(studio))
    assert refused.value.response.status_code == 403


def test_a_cookie_that_another_port_has_seen_opens_nothing(studio: Studio) -> None:
    known, other = enter(studio.invitation()), enter(studio.invitation())
    for key in ("", "?key=", "?key=0", f"?key={other[KEY_HEADER]}"):
        with pytest.raises(InvalidStatus) as refused:
            knock(studio, {"Cookie": known["Cookie"]}, own(studio), key=key)
        assert refused.value.response.status_code == 403
    # As a browser tells it, which can give a socket no header.
    right = f"?key={known[KEY_HEADER]}"
    assert '"type":"welcome"' in knock(studio, {"Cookie": known["Cookie"]}, own(studio), key=right)


@pytest.mark.parametrize("origin", [None, "null", "http://elsewhere.example", "http://127.0.0.1:1"])
def test_with_another_origin_or_none(studio: Studio, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        knock(studio, enter(studio.invitation()), origin)
    assert refused.value.response.status_code == 403


def test_with_another_host_even_when_the_origin_agrees(studio: Studio) -> None:
    host = f"elsewhere.example:{studio.port}"
    with pytest.raises(InvalidStatus) as refused:
        knock(studio, enter(studio.invitation()), f"http://{host}", host)
    assert refused.value.response.status_code == 403


def test_a_token_is_no_cookie(studio: Studio) -> None:
    token = studio.invitation().partition("?")[2]
    with (
        pytest.raises(InvalidStatus),
        connect(f"ws://127.0.0.1:{studio.port}/socket?{token}", origin=own(studio), compression=None),
    ):
        pass
