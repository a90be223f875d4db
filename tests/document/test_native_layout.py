"""The file can be compared line by line."""

import difflib
import json

from inbetweener.document import Document, edits
from inbetweener.document.native.read import native_text
from inbetweener.kinodynamics import Spring
from tests.document.puppet import puppet


def changed_lines(before: Document, after: Document) -> list[str]:
    lines = [native_text(document).decode().splitlines() for document in (before, after)]
    return [line for line in difflib.ndiff(*lines) if line[0] in "+-"]


def test_it_is_plain_json_that_says_what_it_is() -> None:
    content = json.loads(native_text(puppet()))
    assert list(content)[:3] == ["format", "version", "name"]
    assert (content["format"], content["version"]) == ("inbetweener", 1)
    assert native_text(puppet()).endswith(b"}\n")


def test_moving_a_key_changes_one_line() -> None:
    moved = edits.move_key(puppet(), "walk", "hips.tx", 1, value=0.25)
    assert [line.split() for line in changed_lines(puppet(), moved)] == [["-", "[0.1,0.2],"], ["+", "[0.1,0.25],"]]


def test_limiting_a_channel_changes_one_line() -> None:
    limited = edits.set_limits(puppet(), "hips.rx", -1.0, 1.0)
    before, after = changed_lines(puppet(), limited)
    assert '"lower":null,"upper":null' in before
    assert '"lower":-1.0,"upper":1.0' in after


def test_putting_a_joint_between_leaves_the_others_alone() -> None:
    """Parents are names, so no numbers move."""
    renamed = edits.rename_joint(puppet(), "hips", "pelvis")
    joints = [line for line in changed_lines(puppet(), renamed) if '"order"' in line and line[0] == "+"]
    assert len(joints) == 2  # the joint itself and its child, which names it


def test_a_spring_and_a_target_have_a_line_each() -> None:
    changed = edits.set_springs(puppet(), "walk", {"smile": Spring(4.0)})
    assert len(changed_lines(puppet(), changed)) == 2
    switched = edits.switch_target(puppet(), "walk", "hand target", False)
    assert len(changed_lines(puppet(), switched)) == 2


def test_every_joint_channel_key_and_array_has_its_line() -> None:
    document = puppet()
    text = native_text(document).decode()
    lines = [line.strip().rstrip(",") for line in text.splitlines()]
    content = json.loads(text)
    for part in (*content["joints"], *content["channels"], *content["points"], *content["props"]):
        assert sum(json_or_none(line) == part for line in lines) == 1
    keys = sum(
        len(rows) for clip in content["clips"] for owner in (clip, *clip["layers"]) for rows in owner["curves"].values()
    )
    assert sum(isinstance(json_or_none(line), list) and line[1:2].isdigit() for line in lines) == keys
    assert sum(line.endswith("}") and '"zlib"' in line for line in lines) == len(content["arrays"])


def json_or_none(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
