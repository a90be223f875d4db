"""A page in one file holds all that it shows, the same each time; what it shows is what the motion is."""

import base64
import gzip
import json
import re
import struct
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.errors import InbetweenerError
from inbetweener.studio import sharing
from tests.cli.command import run_here


def recording(page: str) -> dict:
    (packed,) = re.findall(r'<script type="text/plain" id="recording">([^<]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def poses(messages: list[dict]) -> dict[int, np.ndarray]:
    """World matrices (J, 3, 4) by frame, read as the page reads them."""
    found = {}
    for data in (base64.b64decode(each["data"]) for each in messages if "data" in each):
        if data[0] != 2:
            continue
        _, first, frames, joints, _ = struct.unpack_from("<5I", data, 4)
        world = np.frombuffer(data, "<f4", frames * joints * 12, 24).reshape(frames, joints, 3, 4)
        found |= {first + i: each for i, each in enumerate(world)}
    return found


def test_every_frame_is_there_as_the_motion_has_it():
    document = ib.example("boxer")
    clip = document.clip()
    told = recording(ib.share(document).html)
    found = poses(told["clips"][0]["messages"])
    assert sorted(found) == list(range(len(clip.frame_times)))
    world = document.rig.world_from_joint(document.motion().channels(clip.frame_times))
    assert np.abs(np.stack([found[i] for i in sorted(found)]) - world).max() < 1e-5


def test_what_the_page_fetches_lies_within():
    told = recording(ib.share(ib.example("flying-robot")).html)
    texts = " ".join(each["text"] for clip in told["clips"] for each in clip["messages"] if "text" in each)
    addresses = set(re.findall(r'"(/(?:mesh|plan)/[^"]+)"', texts))
    assert addresses
    assert addresses == set(told["files"])


def test_the_same_document_makes_the_same_page():
    assert ib.share(ib.example("waving")).html == ib.share(ib.example("waving")).html


def test_motion_curves_are_those_wished_for():
    document = ib.example("waving")
    places = [each["place"]["parts"][0]["joint"] for each in recording(ib.share(document).html)["arcs"]]
    assert places == ["hand_l", "hand_r", "foot_l", "foot_r"]
    (wished,) = recording(ib.share(document, points=["head"]).html)["arcs"]
    assert wished["place"]["parts"][0]["joint"] == "head"
    with pytest.raises(InbetweenerError, match="hedd"):
        ib.share(document, points=["hedd"])


def test_a_name_from_a_stranger_is_text_only():
    document = ib.edits.rename_document(ib.example("waving"), "</script><script>alert(1)</script>")
    page = ib.share(document)
    assert page.html.count("<script") == 2
    assert "<script" not in page._repr_html_()


def test_a_notebook_shows_it_in_a_frame(monkeypatch: pytest.MonkeyPatch):
    shown = []

    class Notebook:
        @staticmethod
        def get_ipython() -> object:
            return object()

        class display:
            display = staticmethod(shown.append)

    monkeypatch.setitem(sharing.sys.modules, "IPython", Notebook)
    ib.show(ib.example("waving"), height=300)
    (page,) = shown
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert "height:300px" in page._repr_html_()


def test_without_a_screen_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sharing, "has_display", lambda: False)
    with pytest.raises(InbetweenerError, match=r"share\(document\)\.save"):
        ib.show(ib.example("waving"))


def test_the_command_writes_it(tmp_path: Path):
    done = run_here(["share", "waving", "-o", "wave.html", "--point", "head"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert recording((tmp_path / "wave.html").read_text())["name"] == "waving"
    refused = run_here(["share", "waving", "-o", "wave.mp4"], tmp_path)
    assert refused.returncode == 2
    assert "wave.html" in refused.stderr
