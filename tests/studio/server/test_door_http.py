"""Nothing is served without a cookie, the right Host and, where there is one, the right Origin."""

import re
import socket
import time
from pathlib import Path

import httpx
import pytest
from starlette.routing import Route, WebSocketRoute
from websockets.exceptions import ConnectionClosed

from inbetweener.studio.nearby import enter
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.server.app import application
from inbetweener.studio.server.credentials import KEY_HEADER, mint
from inbetweener.studio.server.exchange_routes import exchange_routes
from inbetweener.studio.server.guard import KEYED
from inbetweener.studio.server.project_routes import project_routes
from inbetweener.studio.server.studio import Studio
from tests.studio.served import join, served

PATHS = ("/", "/index.html", "/mesh/1", "/download/a.tween", "/thumbnail/waving.png", "/nothing")


def get(studio: Studio, path: str = "/", **headers: str) -> httpx.Response:
    return httpx.get(studio.address.rstrip("/") + path, headers=headers)


@pytest.mark.parametrize("path", PATHS)
def test_without_a_cookie_every_path_is_refused_with_a_remedy(studio: Studio, path: str) -> None:
    answer = get(studio, path)
    assert answer.status_code == 403
    assert "Open the address that the terminal shows" in answer.text


def test_a_token_opens_the_door_once(studio: Studio) -> None:
    invitation = studio.invitation()
    first = httpx.get(invitation)
    assert first.status_code == 303
    assert re.fullmatch(r"/#key=[0-9a-f]{32}", first.headers["location"])
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert get(studio, Cookie=cookie.partition(";")[0]).status_code == 200
    assert httpx.get(invitation).status_code == 403


def test_a_page_that_is_in_may_use_an_old_address(studio: Studio) -> None:
    invitation = studio.invitation()
    again = httpx.get(invitation + "&aa=0", headers=enter(invitation))
    assert again.status_code == 303
    assert again.headers["location"] == "/?aa=0"


def test_looking_without_getting_does_not_use_a_token_up(studio: Studio) -> None:
    invitation = studio.invitation()
    assert httpx.head(invitation).status_code == 403
    assert httpx.get(invitation).status_code == 303


def test_a_link_on_another_site_brings_the_strict_cookie_through_a_page_of_our_own(studio: Studio) -> None:
    answer = httpx.get(studio.invitation(), headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert 'http-equiv="refresh" content="0;url=/#key=' in answer.text
    assert "set-cookie" in answer.headers


@pytest.mark.parametrize("token", ["", "x", "0" * 48, "é", "%00", "a" * 5000])
def test_wrong_tokens_are_refused(studio: Studio, token: str) -> None:
    answer = httpx.get(f"{studio.address}?token={token}")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_a_token_of_another_start_or_secret_is_refused(studio: Studio) -> None:
    for token in (mint(studio.workspace.secret(), "another start"), mint(bytes(32), "")):
        assert httpx.get(f"{studio.address}?token={token}").status_code == 403


def test_a_token_cannot_lead_elsewhere(studio: Studio) -> None:
    invitation = studio.invitation().replace("/?token", "//elsewhere.example/?token")
    assert httpx.get(invitation).headers["location"].startswith("/elsewhere.example/#")


@pytest.mark.parametrize("cookie", ["", "a=b", "{name}=wrong", "{name}=", "{name}", "{name}=é"])
def test_wrong_cookies_are_refused(studio: Studio, cookie: str) -> None:
    name = enter(studio.invitation())["Cookie"].partition("=")[0]
    answer = httpx.get(studio.address, headers={"Cookie": cookie.format(name=name).encode()})
    assert answer.status_code == 403


def test_hosts(studio: Studio) -> None:
    cookie, port = enter(studio.invitation())["Cookie"], studio.port
    for good in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"):
        assert get(studio, Cookie=cookie, Host=good).status_code == 200, good
    for bad in (
        "elsewhere.example",
        f"elsewhere.example:{port}",
        "127.0.0.1",
        f"127.0.0.1:{port + 1}",
        f"127.0.0.1.elsewhere.example:{port}",
        f"127.0.0.2:{port}",
        f"x@127.0.0.1:{port}",
        "127.0.0.1:x",
        f"127.0.0.1:{port}#",
        f"127.0.0.1:{port}?",
        f"127.0.0.1:{port}/",
        "[::1",
        "",
    ):
        answer = get(studio, Cookie=cookie, Host=bad)
        assert answer.status_code in (400, 403), bad
        assert "set-cookie" not in answer.headers


def test_a_token_with_the_wrong_host_is_refused_and_not_used_up(studio: Studio) -> None:
    invitation = studio.invitation()
    assert httpx.get(invitation, headers={"Host": f"elsewhere.example:{studio.port}"}).status_code == 403
    assert httpx.get(invitation).status_code == 303


def test_origins(studio: Studio) -> None:
    cookie, own = enter(studio.invitation())["Cookie"], studio.address.rstrip("/")
    assert get(studio, Cookie=cookie, Origin=own).status_code == 200
    for bad in ("null", "http://elsewhere.example", f"https://127.0.0.1:{studio.port}", f"{own}.elsewhere.example"):
        assert get(studio, Cookie=cookie, Origin=bad).status_code == 403, bad


def test_posts_must_tell_their_origin(studio: Studio) -> None:
    address, known = f"{studio.address}upload?name=a.bvh", enter(studio.invitation())
    assert httpx.post(address, headers=known, content=b"x").status_code == 403
    other = {**known, "Origin": "http://elsewhere.example"}
    assert httpx.post(address, headers=other, content=b"x").status_code == 403
    assert not list(studio.workspace.folder.glob("*.bvh"))


def test_every_answer_tells_the_browser_to_trust_nobody_else(studio: Studio, browser: httpx.Client) -> None:
    for answer in (browser.get("/"), browser.get("/nothing"), get(studio)):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers


def test_every_browser_has_a_cookie_of_its_own(studio: Studio) -> None:
    first, second = (enter(studio.invitation()) for _ in range(2))
    assert first["Cookie"] != second["Cookie"]
    assert first[KEY_HEADER] != second[KEY_HEADER]
    crossed = {"Cookie": first["Cookie"], KEY_HEADER: second[KEY_HEADER]}
    assert [get(studio, "/door", **each).status_code for each in (first, second, crossed)] == [204, 204, 403]


@pytest.mark.parametrize(
    "path",
    ["/door", "/mesh/1", "/mesh/1/texture", "/part/1", "/plan/1", "/download/a", "/aside/a", "/thumbnail/waving.png"],
)
def test_the_cookie_alone_gives_the_page_and_nothing_else(studio: Studio, path: str) -> None:
    cookie = enter(studio.invitation())["Cookie"]
    assert get(studio, Cookie=cookie).status_code == 200
    refused = get(studio, path, Cookie=cookie)
    assert refused.status_code == 403
    assert "lost its key" in refused.text


def test_whatever_is_served_but_the_page_itself_wants_the_key(tmp_path: Path) -> None:
    with served(tmp_path) as studio:
        own = [*project_routes(studio.project), *exchange_routes(studio.project)]
        app = application(studio.session, lambda page: None, own)
        routes = [route.path for route in app.routes if isinstance(route, Route | WebSocketRoute)]
    assert len(routes) > 8
    assert {path.split("/")[1] for path in routes} == KEYED


@pytest.mark.parametrize("target", ["mesh/1", "nothing", "//mesh/1", "/%6desh/1", "*"])
def test_odd_targets_are_no_way_around_the_key(studio: Studio, target: str) -> None:
    cookie = enter(studio.invitation())["Cookie"]
    with socket.create_connection(("127.0.0.1", studio.port), timeout=10) as wire:
        head = (
            f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        )
        wire.sendall(head.encode())
        status = wire.makefile("rb").readline().split()[1]
    assert status in (b"400", b"403", b"404")


def test_a_cookie_ends_after_a_month(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    known, now = enter(studio.invitation()), time.time()
    for days, status in ((0, 204), (29, 204), (31, 403)):
        monkeypatch.setattr("inbetweener.studio.server.credentials.time.time", lambda days=days: now + days * 86400)
        assert get(studio, "/door", **known).status_code == status
    later = known["Cookie"].replace(".", ".9", 1)
    assert get(studio, "/door", **{**known, "Cookie": later}).status_code == 403


def test_log_out_everywhere(tmp_path: Path) -> None:
    with served(tmp_path) as studio:
        fresh: list[str] = []
        studio.on_log_out = fresh.append
        with join(studio) as one, join(studio) as other:
            one.ask(to_server.LogOut(id=0))
            with pytest.raises(ConnectionClosed):
                other.wait(to_page.Warming)
            for gone in (one, other):
                assert get(studio, "/door", **gone.headers).status_code == 403
        (invitation,) = fresh
        assert get(studio, "/door", **enter(invitation)).status_code == 204
    with served(tmp_path) as again:
        assert get(again, "/door", **one.headers).status_code == 403
