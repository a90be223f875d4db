"""What is recognised can be corrected, saved, handed to a pipeline and taken back."""

import json
from pathlib import Path

import pytest

import inbetweener as ib
from inbetweener.anatomy import Part, from_json, recognise, to_json
from inbetweener.document import edits
from inbetweener.document.validation import problems
from inbetweener.errors import InvalidDocument, InvalidRig, UnknownName
from inbetweener.rig import Joint, Rig
from tests.cli.command import run_here


def test_a_correction_counts_is_mirrored_saved_and_forgotten(tmp_path: Path) -> None:
    document = ib.example("waving")
    assert document.anatomy()["forearm_l"].role == "forearm"
    changed = edits.set_roles(document, [Part("forearm_l", "twist", "left", confidence=0.3)], mirror=True)
    assert changed.roles == (Part("forearm_l", "twist", "left"), Part("forearm_r", "twist", "right"))
    ib.save(changed, tmp_path / "waving.tween")
    again = ib.load(tmp_path / "waving.tween")
    assert again == changed
    assert [again.anatomy()[name].role for name in ("forearm_l", "forearm_r", "hand_l")] == ["twist", "twist", "hand"]
    assert edits.forget_roles(again, ["forearm_l", "forearm_r"]).anatomy() == document.anatomy()
    renamed = edits.rename_joint(again, "forearm_l", "ulna")
    assert renamed.roles[0].joint == "ulna"
    assert not problems(renamed)


def test_roles_of_joints_that_are_not_there_are_refused() -> None:
    document = ib.example("waving")
    with pytest.raises(UnknownName, match="no joint called 'tentacle'"):
        edits.set_roles(document, [Part("tentacle", "tail")])
    with pytest.raises(UnknownName, match="no role called 'flipper'"):
        Part("hand_l", "flipper")  # type: ignore[arg-type]
    with pytest.raises(InvalidRig, match="confidence of 2"):
        Part("hand_l", "hand", confidence=2.0)


def test_json_goes_out_and_comes_back() -> None:
    found = ib.example("waving").anatomy()
    assert from_json(to_json(found)) == found.parts
    with pytest.raises(InvalidDocument, match="this is no anatomy"):
        from_json(b'{"format": "inbetweener-anatomy", "kind": "humanoid", "parts": [{"joint": "a", "role": "fin"}]}')
    with pytest.raises(InvalidDocument, match="its format is 'other'"):
        from_json(b'{"format": "other", "kind": "humanoid", "parts": []}')


def test_the_command_tells_corrects_and_takes_back(tmp_path: Path) -> None:
    told = run_here(["recognise", "waving"], tmp_path)
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[-1].startswith("humanoid: ")
    done = run_here(["recognise", "waving", "--set", "hand_l=control:left", "-o", "out.tween", "--json"], tmp_path)
    facts = json.loads(done.stdout)
    (tmp_path / "roles.json").write_text(done.stdout)
    assert {p["joint"]: p["role"] for p in facts["parts"]}["hand_r"] == "control"
    assert {part.joint for part in ib.load(tmp_path / "out.tween").roles} == {"hand_l", "hand_r"}
    back = run_here(["recognise", "waving", "--roles", "roles.json", "--json"], tmp_path)
    assert {p["joint"]: p["role"] for p in json.loads(back.stdout)["parts"]}["hand_l"] == "control"
    wrong = run_here(["recognise", "waving", "--set", "hand_l=fin"], tmp_path)
    assert wrong.returncode == 2
    assert "roles are" in wrong.stderr


@pytest.mark.parametrize("count", [0, 1, 3])
def test_anything_is_answered_for_every_joint(count: int) -> None:
    rig = Rig(tuple(Joint(f"{n}", n - 1) for n in range(count)))
    found = recognise(rig)
    assert [part.joint for part in found] == [joint.name for joint in rig.joints]
    assert found.kind == "object"
    assert not found.body
