"""The real command, in a process of its own: started, stopped, killed, started twice."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from inbetweener.studio.nearby import enter
from inbetweener.studio.protocol import edit_requests, to_page, to_server
from inbetweener.studio.server.client import Client

Start = Callable[..., "Running"]


class Running:
    """A Studio in another process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + (process.stderr.read() if process.stderr else "")
        self.invitation = found[0]

    @property
    def address(self) -> str:
        return self.invitation.partition("?")[0]

    def join(self) -> Client:
        return Client(self.address, enter(self.invitation))

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal and wait; returns the exit status and what was said on stderr."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=30)
        return self.process.returncode, said


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start `inbetweener studio …` in a folder of the test's own; whatever still runs at the end is killed."""
    running: list[Running] = []

    def command(*arguments: str | Path) -> Running:
        process = subprocess.Popen(
            [sys.executable, "-m", "inbetweener", "studio", "--no-open", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "INBETWEENER_STATE": str(tmp_path / "state")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(Running(process))
        return running[-1]

    try:
        yield command
    finally:
        for each in running:
            if each.process.poll() is None:
                each.process.kill()
            each.process.communicate()


def test_killed_after_commits_everything_is_there_at_the_next_start(start: Start) -> None:
    first = start("waving", "--folder", "work", "--port", "0")
    with first.join() as client:
        for name in ("one", "two", "three"):
            client.ask(edit_requests.RenameDocument(id=0, name=name))
        client.ask(to_server.Save(id=0, path="mine"))
        client.ask(edit_requests.RenameDocument(id=0, name="four"))
        client.ask(to_server.Undo(id=0))
        client.ask(edit_requests.RenameDocument(id=0, name="five"))
        headers = client.headers
        assert first.end(signal.SIGKILL)[0] == -signal.SIGKILL
    port = first.address.rstrip("/").rpartition(":")[2]
    second = start("--folder", "work", "--port", port)
    assert second.address == first.address
    # The page comes back with the cookie and the key that it has.
    with Client(second.address, headers) as client:
        assert [notice.text for notice in client.notices] == ["Recovered 1 edit of mine.tween that was not saved"]
        history = client.newest(to_page.History)
        assert history.labels == ["Open", *(f"Rename to {name}" for name in ("one", "two", "three", "five"))]
        assert (history.at, history.saved) == (4, 3)
        assert client.newest(to_page.Scene).name == "five"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_cleanly_even_with_a_page_open(start: Start, tmp_path: Path, number: int) -> None:
    running = start("waving", "--folder", "work", "--port", "0")
    with running.join() as client:
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
        status, said = running.end(number)
    assert status == 0
    assert "Traceback" not in said
    assert [path.name for path in (tmp_path / "work" / ".inbetweener").iterdir()] == ["studio.lock"]


def test_a_second_one_on_the_same_folder_hands_out_a_fresh_address(start: Start) -> None:
    first = start("waving", "--folder", "work", "--port", "0")
    enter(first.invitation)
    second = start("waving", "--folder", "work", "--port", "0")
    assert second.process.wait(30) == 0
    assert second.address == first.address
    assert second.invitation != first.invitation
    assert httpx.get(second.invitation).status_code == 303
    assert httpx.get(first.invitation).status_code == 403
    assert second.process.stderr is not None
    assert "already running" in second.process.stderr.read()
    assert first.end(signal.SIGINT)[0] == 0


def test_a_port_that_is_taken_is_left_to_its_owner(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        running = start("waving", "--folder", "work", "--port", port)
        assert running.address != f"http://127.0.0.1:{port}/"
        status, said = running.end(signal.SIGINT)
    assert status == 0
    assert f"Port {port} is taken" in said


def test_others_can_reach_it_only_with_a_warning(start: Start) -> None:
    _, said = start("waving", "--folder", "work", "--port", "0", "--host", "0.0.0.0").end(signal.SIGINT)
    assert "others on the network can reach this Studio" in said
    assert "nothing on the way is encrypted" in said


def test_a_key_alone_is_wrong_usage(run: Callable[..., object]) -> None:
    done = run("studio", "--no-open", "--folder", "work", "--key", "key.pem", expect=2)
    assert "--certificate" in done.stderr  # type: ignore[attr-defined]


def test_a_file_brings_its_folder(start: Start, tmp_path: Path) -> None:
    import inbetweener as ib

    (tmp_path / "mine").mkdir()
    ib.save(ib.example("waving"), tmp_path / "mine" / "wave.tween")
    running = start(Path("mine") / "wave.tween", "--port", "0")
    with running.join() as client:
        files = client.newest(to_page.Files)
        assert (files.folder, files.path) == (str(tmp_path / "mine"), "wave.tween")
        assert files.recent == ["wave.tween"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["no-such-example"], "neither a file nor an example"),
        (["no-such.bvh"], "no such file"),
        (["waving", "--host", "192.0.2.1"], "cannot listen at 192.0.2.1"),
        (["waving", "--certificate", "absent.pem"], "TLS cannot be spoken with absent.pem: No such file"),
        (["waving", "--behind", "studio.example"], "is no address to be reached at"),
    ],
)
def test_what_cannot_be_opened_is_one_clear_line(run: Callable[..., object], arguments: list[str], says: str) -> None:
    done = run("studio", "--no-open", "--folder", "work", *arguments, expect=1)
    assert says in done.stderr  # type: ignore[attr-defined]
    assert len(done.stderr.strip().splitlines()) == 1  # type: ignore[attr-defined]
