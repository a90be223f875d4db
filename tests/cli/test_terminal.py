"""Names come from files; a terminal must never obey them."""

import json
import os
import re
from pathlib import Path

import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.motion import Clip
from inbetweener.rig import Joint, Rig, joint_channels
from tests.cli.command import run_here
from tests.formats.bvh.samples import chain

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31mred\u202e[bold]x\r\x08"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A document in which everything that can have a name has an evil one."""
    joint = Joint(f"hips{EVIL}")
    rig = Rig((joint,), joint_channels(joint, "tx ty tz rx ry rz", limits={"tx": (-1.0, 1.0)}))
    document = Document(f"name{EVIL}", rig)
    document = edits.add_clip(document, Clip(f"one{EVIL}", 1.0))
    document = edits.add_clip(document, Clip(f"two{EVIL}", 1.0))
    document = edits.set_curves(document, f"one{EVIL}", {f"hips{EVIL}.tx": Curve.sampled([0.0, 1.0], [0.0, 5.0])})
    ib.save(document, tmp_path / "evil.tween")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("info", "evil.tween"),
        ("info", "evil.tween", "--json"),
        ("check", "evil.tween"),
        ("check", "evil.tween", "--json"),
        ("fit", "evil.tween", "-o", "out.tween"),
        ("drag", "evil.tween", "--point", "nobody", "--frame", "3", "--by", "0,0.1,0", "-o", "out.tween"),
        ("contacts", "evil.tween", "--clip", "nobody"),
        ("convert", "evil.tween", "out.bvh"),
        ("info", f"no{EVIL}.tween"),
    ],
)
def test_control_characters_are_written_out(folder: Path, words: tuple[str, ...]) -> None:
    done = run_here(words, folder)
    assert not CONTROLS.search(done.stdout + done.stderr)
    assert "owned" in done.stdout + done.stderr or words[-1] == "out.bvh"
    if words[-1] == "--json":
        # Programs get the name as it is.
        told = json.loads(done.stdout)
        assert EVIL in (told["name"] if words[0] == "info" else told["problems"][0])


@pytest.mark.parametrize("words", [("info",), ("info", "--json"), ("check",), ("convert", "--json")])
def test_a_file_whose_name_is_no_text_is_opened_and_told(tmp_path: Path, words: tuple[str, ...]) -> None:
    strange = os.fsdecode(b"b\xff")
    (tmp_path / f"{strange}.bvh").write_text(chain([0.0] * 9, [1.0] * 9))
    more = (f"{strange}.glb",) if words[0] == "convert" else ()
    done = run_here((*words, f"{strange}.bvh", *more), tmp_path)
    assert done.returncode == 0, done.stderr
    if "--json" in words:
        told = json.loads(done.stdout)
        assert told.get("name", told.get("output")) in ("b?", f"{strange}.glb")
    else:
        assert "b?" in done.stdout or "b\\udcff.bvh: no problems" in done.stdout
    assert (tmp_path / f"{strange}.glb").is_file() == bool(more)
