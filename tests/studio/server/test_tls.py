"""Over TLS, and behind a proxy: the same door, whose cookie then never travels in the clear."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import httpx
import pytest
import trustme

from inbetweener.studio.nearby import enter
from inbetweener.studio.project.workspace import Workspace
from inbetweener.studio.protocol import to_server
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.guard import NoOrigin, public_origin
from inbetweener.studio.server.studio import CannotListen, Studio
from tests.studio.served import served


@dataclass
class Signed:
    """A certificate for this machine, and what trusts it."""

    certificate: Path
    key: Path
    trusted: ssl.SSLContext


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Signed:
    authority = trustme.CA()
    made = authority.issue_cert("localhost", "127.0.0.1")
    folder = tmp_path_factory.mktemp("certificate")
    chain = b"".join(pem.bytes() for pem in made.cert_chain_pems)
    (folder / "certificate.pem").write_bytes(chain)
    made.private_key_pem.write_to_path(folder / "key.pem")
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    return Signed(folder / "certificate.pem", folder / "key.pem", trusted)


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory, signed: Signed) -> Iterator[Studio]:
    with served(tmp_path_factory.mktemp("studio"), certificate=signed.certificate, key=signed.key) as running:
        yield running


def test_the_address_says_so_and_a_page_works_over_it(secure: Studio, signed: Signed) -> None:
    assert secure.address == f"https://127.0.0.1:{secure.port}/"
    with Client(secure.address, enter(secure.invitation(), signed.trusted), signed.trusted) as client:
        client.ask(to_server.ShowArcs(id=0, arcs=[]))


def test_the_cookie_never_travels_in_the_clear(secure: Studio, signed: Signed) -> None:
    answer = httpx.get(secure.invitation(), verify=signed.trusted)
    assert answer.status_code == 303
    assert "Secure" in answer.headers["set-cookie"].split("; ")
    assert f"connect-src 'self' wss://127.0.0.1:{secure.port};" in answer.headers["content-security-policy"]


def test_a_page_that_came_in_the_clear_is_another_page(secure: Studio, signed: Signed) -> None:
    known = enter(secure.invitation(), signed.trusted)
    for origin, status in ((f"https://127.0.0.1:{secure.port}", 200), (f"http://127.0.0.1:{secure.port}", 403)):
        answer = httpx.get(secure.address, headers={**known, "Origin": origin}, verify=signed.trusted)
        assert answer.status_code == status
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(f"http://127.0.0.1:{secure.port}/")


def test_who_does_not_trust_the_certificate_does_not_come_in(secure: Studio) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        enter(secure.invitation())


@pytest.mark.parametrize("wrong", ["absent", "no certificate", "another's key", "no key"])
def test_a_certificate_that_does_not_do_is_one_line(tmp_path: Path, signed: Signed, wrong: str) -> None:
    certificate, key = signed.certificate, signed.key
    match wrong:
        case "absent":
            certificate = tmp_path / "absent.pem"
        case "no certificate":
            certificate = tmp_path / "no.pem"
            certificate.write_text("hello")
        case "another's key":
            key = tmp_path / "other.pem"
            trustme.CA().issue_cert("localhost").private_key_pem.write_to_path(key)
        case "no key":
            key = None
    with pytest.raises(CannotListen, match=r"^TLS cannot be spoken with .*\.pem.*: (no certificate with|No such file)"):
        Studio(Workspace(tmp_path / "project", state=tmp_path / "state"), port=0, certificate=certificate, key=key)


@contextmanager
def proxy(signed: Signed) -> Iterator[tuple[int, list[int]]]:
    """Speaks TLS at a port, and passes what it hears on to the port that is put into the list, as it is."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(signed.certificate, signed.key)
    onward: list[int] = []
    threads: list[Thread] = []

    def passing(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        with suppress(OSError):
            while True:
                plain, _ = listening.accept()
                outer = context.wrap_socket(plain, server_side=True)
                inner = socket.create_connection(("127.0.0.1", onward[0]))
                for pair in ((outer, inner), (inner, outer)):
                    threads.append(Thread(target=passing, args=pair, daemon=True))
                    threads[-1].start()
                opened.extend((outer, inner))

    opened: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Thread(target=serve, daemon=True)
        server.start()
        yield listening.getsockname()[1], onward
        listening.shutdown(socket.SHUT_RDWR)
        server.join(20)
    for each in opened:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
    for thread in threads:
        thread.join(20)
    for each in opened:
        each.close()


def test_behind_a_proxy_it_is_known_by_its_public_name(tmp_path: Path, signed: Signed) -> None:
    with proxy(signed) as (port, onward), served(tmp_path, behind=f"https://localhost:{port}") as studio:
        onward.append(studio.port)
        assert studio.address == f"https://localhost:{port}/"
        answer = httpx.get(studio.invitation(), verify=signed.trusted)
        assert answer.status_code == 303
        assert "Secure" in answer.headers["set-cookie"].split("; ")
        known = enter(studio.invitation(), signed.trusted)
        with Client(studio.address, known, signed.trusted) as client:
            client.ask(to_server.ShowArcs(id=0, arcs=[]))
        own = f"http://127.0.0.1:{studio.port}"
        for host, origin, status in (
            (f"localhost:{port}", f"https://localhost:{port}", 200),
            (f"localhost:{port}", f"http://localhost:{port}", 403),
            (f"localhost:{port}", own, 403),
            (f"127.0.0.1:{studio.port}", own, 200),
            (f"127.0.0.1:{studio.port}", f"https://localhost:{port}", 403),
            ("studio.example", "https://studio.example", 403),
        ):
            answer = httpx.get(f"{own}/", headers={**known, "Host": host, "Origin": origin})
            assert answer.status_code == status, (host, origin)


def test_what_a_proxy_says_of_itself_is_not_believed(tmp_path: Path) -> None:
    said = {
        "X-Forwarded-Host": "studio.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "192.0.2.1",
        "Forwarded": "for=192.0.2.1;host=studio.example;proto=https",
    }
    with served(tmp_path, behind="https://studio.example") as studio:
        own = f"http://127.0.0.1:{studio.port}"
        query = studio.invitation().partition("/?")[2]
        foreign = httpx.get(f"{own}/?{query}", headers={**said, "Host": "elsewhere.example"})
        assert foreign.status_code == 403
        answer = httpx.get(f"{own}/?{query}", headers=said)
        assert answer.status_code == 303
        assert "Secure" not in answer.headers["set-cookie"]
        assert answer.headers["location"].startswith("/#key=")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("https://studio.example", "https://studio.example"),
        ("https://Studio.Example:443/", "https://studio.example"),
        ("http://studio.example:80", "http://studio.example"),
        ("https://studio.example:8443", "https://studio.example:8443"),
        ("https://[::1]:8443", "https://[::1]:8443"),
    ],
)
def test_origins_are_written_as_browsers_do(said: str, meant: str) -> None:
    assert public_origin(said) == meant


@pytest.mark.parametrize(
    "said",
    ["", "studio.example", "ftp://studio.example", "https://", "https://a/path", "https://a?b", "https://a#b",
     "https://user@a", "https://a:x", "https://a b"],
)  # fmt: skip
def test_what_is_no_origin_is_refused(said: str) -> None:
    with pytest.raises(NoOrigin, match=r"say a scheme and a name"):
        public_origin(said)
