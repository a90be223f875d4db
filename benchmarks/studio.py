"""The Studio under the hand: drags over a real socket, from Python and from the page; the first view; playback.

`python -m benchmarks.studio [--json]`. The server is a process of its own, the page runs in Chromium without a display.
"""

import gzip
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np

import hatch_build
import inbetweener as ib
from benchmarks.harness import Figure, Timing, main
from inbetweener import formats
from inbetweener.document import Document, edits
from inbetweener.studio.nearby import enter
from inbetweener.studio.protocol import binary, edit_requests, gestures, loose_requests, to_page, to_server
from inbetweener.studio.server.app import BUNDLE
from inbetweener.studio.server.client import Client

DRAGS, MOVES = 8, 60
REACH = 0.08
"""How far a drag goes, in metres."""
CHROMIUM = [
    "--no-sandbox", "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip
# Asked within the page: Playwright's own way to wait evaluates strings, which the page's security policy forbids.
SHOWN = """() => new Promise((resolve) => {
  const look = () => {
    const drawn = document.querySelector("ib-viewport")?.stage?.drawn > 0;
    if (drawn && window.inbetweener.model.scene.value) resolve();
    else setTimeout(look, 5);
  };
  look();
})"""
# Nothing is drawn meanwhile, texts neither; what arrives is decoded and kept as always.
ROUND_TRIPS = """async ([point, seconds, moves, reach]) => {
  const { model } = window.inbetweener, connection = model.connection;
  window.requestAnimationFrame = () => 0;
  document.body.style.display = "none";
  const found = model.scene.value.points.find((each) => each.name === point);
  const { joint, offset } = found ?? { joint: point, offset: [0, 0, 0] };
  const place = { parts: [{ joint, offset, weight: 1 }], name: point };
  const start = model.positionOf(place, Math.round(model.frameOf(seconds)));
  const gesture = connection.nextGesture(), trips = [];
  await connection.ask({ type: "begin", gesture, what: { kind: "drag-arc", place, time: seconds } });
  for (let sequence = 1; sequence <= moves; sequence++) {
    const answered = new Promise((resolve) => {
      const stop = model.answer.subscribe((answer) => {
        if (answer && answer.sequence === sequence && answer.gesture === gesture) resolve(stop);
      });
    });
    const sent = performance.now();
    connection.move(gesture, sequence, [start[0], start[1] + reach * Math.sin(sequence / 9), start[2]]);
    const stop = await answered;
    trips.push(performance.now() - sent);
    if (typeof stop === "function") stop();
  }
  await connection.ask({ type: "cancel", gesture });
  return trips;
}"""
PLAYBACK = """async (seconds) => {
  const { playback } = window.inbetweener.model;
  const began = performance.now();
  // It is told at once what it is, and then what it becomes.
  let shown = -1, frames = 0, last = playback.frame.value;
  const stop = playback.frame.subscribe((frame) => {
    const cycle = playback.frames - 1;
    frames += (frame - last + cycle) % cycle;
    last = frame;
    shown++;
  });
  playback.playing.value || playback.toggle();
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const took = (performance.now() - began) / 1000;
  playback.toggle();
  return { share: frames / (playback.rate * took), shown: shown / took };
}"""


def measure() -> list[Figure]:
    hatch_build.build()
    figures = [_bundle()]
    with serving("flying-robot") as (invitation, _), _entered(invitation) as client:
        figures += _drags(client, "flying robot", "body", 36 / 24, at_most=5.0)
    with serving("conductor") as (invitation, _), _entered(invitation) as client:
        _stand(client, end=2.0)
        figures += _drags(client, "human, two contacts", "palm_l", 0.75, at_most=8.0)
    with serving("diver") as (invitation, _), _entered(invitation) as client:
        _stand(client, end=0.6)
        figures += _drags(client, "human, beyond what two contacts allow", "palm_l", 0.4, drags=1, moves=24, reach=0.3)
    return [*figures, *_posing(), *_loose(), *_in_the_browser()]


def _posing() -> list[Figure]:
    """A person's hips pulled while the feet stay, keyed between its poses; and the breakdown slider there."""
    figures = []
    with serving("conductor") as (invitation, _), _entered(invitation) as client:
        place, seconds = client.place("hips"), 9 / 24
        began = client.position(place, seconds)
        pull = gestures.PullPose(place, seconds, key=True, planted=True)
        circle = [np.array([np.sin(a), np.cos(a) - 2.0, 0.0]) for a in np.linspace(0.0, 2 * np.pi, MOVES)]
        pulled = _moved(client, pull, [began + 0.03 * each for each in circle])
        slid = _moved(client, gestures.BlendPose(seconds), [np.array([0.5 + 0.8 * each[0]]) for each in circle])
        for what, timing, most in (("a pull with planted feet", pulled, 8.0), ("the breakdown slider", slid, 5.0)):
            figures.append(Figure(f"human, {what}: server side of a move, median", 1e3 * timing.median, "ms"))
            figures.append(Figure(f"human, {what}: server side of a move, p95", 1e3 * timing.p95, "ms", at_most=most))
    return figures


def _moved(client: Client, gesture: gestures.AnyGesture, ways: list[np.ndarray]) -> Timing:
    """The same hand several times; the first one warms everything up and does not count."""
    seconds = []
    for drag in range(DRAGS + 1):
        number = client.begin(gesture)
        answers = [client.move(number, move, way) for move, way in enumerate(ways, start=1)]
        client.ask(to_server.Cancel(id=0, gesture=number))
        seconds += [answer.server_ms / 1e3 for answer in answers] if drag else []
    return Timing(np.array(seconds))


def _loose() -> list[Figure]:
    """A boxer who swings: his fist's curve dragged, a spring slid, and how long until a changed shot is all there."""
    figures = []
    with serving("boxer") as (invitation, _), _entered(invitation) as client:
        for preset in ("firm", "relaxed"):
            client.ask(loose_requests.LoosenAs(id=0, preset=preset))
            figures += _drags(client, f"boxer, {preset}", "palm_r", 31 / 24, at_most=16.0, loose=True)
        figures.append(_slide(client))
        shots = Timing(np.array([_shot(client, preset) for preset in 4 * ("firm", "relaxed")][3::2]))
        return [*figures, Figure("boxer, relaxed: until all frames of the shot are there", 1e3 * shots.median, "ms")]


def _slide(client: Client) -> Figure:
    """Slide the spring of an arm; what is told with an answer is the frame that is looked at."""
    gesture = client.begin(gestures.SetSpring(["upper_arm_r", "forearm_r", "hand_r"]))
    answers = [client.move(gesture, move, np.array([3.0 + move / MOVES, 0.5])) for move in range(1, MOVES + 1)]
    client.ask(to_server.Cancel(id=0, gesture=gesture))
    timing = Timing(np.array([answer.server_ms / 1e3 for answer in answers[5:]]))
    return Figure("boxer: server side of a move of a spring's slider, p95", 1e3 * timing.p95, "ms", at_most=30.0)


def _shot(client: Client, preset: str) -> float:
    """Seconds from loosening a shot anew until the last of its frames has come."""
    sent = time.perf_counter()
    missing = set(range(client.wait(to_page.Clip).frames))
    client.send(msgspec.json.encode(loose_requests.LoosenAs(id=2**30, preset=preset)).decode())
    while missing:
        data = client.receive(time.monotonic() + 60.0)
        if isinstance(data, bytes) and data[0] == binary.POSES:
            first, count = struct.unpack_from("<II", data, 8)
            missing -= set(range(first, first + count))
    return time.perf_counter() - sent


def _entered(invitation: str) -> Client:
    return Client(invitation.partition("?")[0], enter(invitation))


@contextmanager
def serving(example: str, document: Document | None = None) -> Iterator[tuple[str, float]]:
    """A Studio in a process of its own, on a glTF file if given: its address with token, and when it was started."""
    with tempfile.TemporaryDirectory(prefix="inbetweener-bench-") as folder:
        if document is not None:
            formats.write(document, example := f"{folder}/{example}")
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "inbetweener", "studio", example, "--no-open", "--port", "0", "--folder", folder],
            env={**os.environ, "INBETWEENER_STATE": f"{folder}/.state"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield found[0], started
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)


def _bundle() -> Figure:
    weight = sum(len(gzip.compress(path.read_bytes())) for path in BUNDLE.rglob("*") if path.is_file())
    return Figure("page, compressed", weight / 1024, "KiB", at_most=400)


def _stand(client: Client, end: float) -> None:
    """Plant both feet and remove their slide, as an animator does before shaping the rest."""
    for foot in ("ball_l", "ball_r"):
        client.ask(edit_requests.AddContact(id=0, place=client.place(foot), start=0.0, end=end))
    client.ask(edit_requests.HoldContacts(id=0))


def _drags(
    client: Client,
    what: str,
    point: str,
    seconds: float,
    at_most: float | None = None,
    drags: int = DRAGS,
    moves: int = MOVES,
    reach: float = REACH,
    loose: bool = False,
) -> list[Figure]:
    """Drag around a circle, as a hand does; the first drag warms everything up and does not count."""
    place = client.place(point)
    began = client.position(place, seconds)
    server, trips, told = [], [], []
    for drag in range(drags + 1):
        gesture = client.begin(gestures.DragArc(place, seconds))
        for move in range(1, moves + 1):
            angle = 2 * np.pi * move / moves
            target = began + reach * np.array([np.sin(angle), 1 - np.cos(angle), 0.0])
            known = client.wait(to_page.Changed).revision
            sent = time.perf_counter()
            answer = client.move(gesture, move, target)
            answered = time.perf_counter()
            # A page that is still being told of frames at leisure hears of a move a little later than of its answer.
            while loose and client.newest(to_page.Changed).revision <= known:
                client.receive(time.monotonic() + 60.0)
            if drag:
                trips.append(answered - sent)
                told.append(time.perf_counter() - sent)
                server.append(answer.server_ms / 1e3)
        client.ask(to_server.Cancel(id=0, gesture=gesture))
    own, whole, shown = (Timing(np.array(each)) for each in (server, trips, told))
    return [
        Figure(f"{what}: server side of a move, median", 1e3 * own.median, "ms"),
        Figure(f"{what}: server side of a move, p95", 1e3 * own.p95, "ms", at_most=at_most),
        Figure(f"{what}: round trip from Python, median", 1e3 * whole.median, "ms"),
        Figure(f"{what}: round trip from Python, p95", 1e3 * whole.p95, "ms"),
        *([Figure(f"{what}: until the motion has come, p95", 1e3 * shown.p95, "ms")] if loose else []),
    ]


def seven_clips() -> Document:
    """A skinned person as game libraries have them: with Mixamo's names, and clips for whatever it does."""
    document = ib.example("conductor")
    for joint in document.rig.joints:
        document = edits.rename_joint(document, joint.name, f"mixamorig:{joint.name}")
    for number in range(2, 8):
        document = edits.duplicate_clip(document, document.clips[0].name, f"clip {number}")
    return document


def _in_the_browser() -> list[Figure]:
    from playwright.sync_api import sync_playwright

    figures = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM)
        # The animator's browser is open; what counts is the Studio.
        browser.new_page().goto("about:blank")
        with serving("flying-robot") as (invitation, started):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto(f"{invitation}&aa=0")
            page.evaluate(SHOWN)
            shown = time.perf_counter() - started
            figures.append(Figure("first view, from starting the server", shown, "s", at_most=3))
            played: Any = page.evaluate(PLAYBACK, 4)
            figures.append(Figure("playback: share of real time", played["share"], "", at_least=0.95))
            figures.append(Figure("playback: frames shown (without a graphics card)", played["shown"], "1/s"))
            trips: Any = page.evaluate(ROUND_TRIPS, ["body", 36 / 24, DRAGS * MOVES, REACH])
            timing = Timing(np.array(trips[MOVES:]) / 1e3)
            figures.append(Figure("round trip from the page, drawing paused, median", 1e3 * timing.median, "ms"))
            figures.append(Figure("round trip from the page, drawing paused, p95", 1e3 * timing.p95, "ms", at_most=12))
            page.close()
        with serving("person.glb", seven_clips()) as (invitation, started):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto(f"{invitation}&aa=0")
            page.evaluate(SHOWN)
            shown = time.perf_counter() - started
            figures.append(Figure("first view of a person with seven clips", shown, "s", at_most=3))
            page.close()
        browser.close()
    return figures


if __name__ == "__main__":
    main("studio", measure)
