"""Files that are broken on purpose: one clear line, or a document and a line that says what was mended."""

import json
from pathlib import Path

import pytest

from inbetweener.errors import FormatError
from inbetweener.formats.files import Reading
from inbetweener.formats.gltf import read
from tests.formats.gltf.samples import FOLDER, case_names


@pytest.mark.parametrize("name", case_names())
def test_validator_case(name: str, data: Path) -> None:
    path = FOLDER / name
    report = json.loads(Path(f"{path}.report.json").read_text())["issues"]
    errors = [issue for issue in report["messages"] if issue["severity"] == 0]
    try:
        outcome: Reading | FormatError = read(path)
    except FormatError as error:
        outcome = error
    if isinstance(outcome, FormatError):
        assert errors, "the validator accepts this file"
        assert "\n" not in str(outcome)
        assert outcome.place.startswith("/")
        assert str(path) in str(outcome)
    elif errors:
        # Some line names a place near what the validator points at.
        roots = {"/".join(error["pointer"].split("/")[:3]) for error in errors}
        assert any(line.startswith(tuple(roots)) for line in outcome.each), outcome.each


REFUSED = {
    "unresolved_channel_sampler": "/animations/0/channels/0/sampler: there is no sampler 1",
    "unresolved_channel_target": "/animations/0/channels/0/target/node: there is no node 0",
    "unresolved_joint": "/skins/0/joints/0: there is no node 0",
    "ibm_invalid_count": "/skins/2/inverseBindMatrices: 2 matrices for 3 joints",
    "sampler_output_format_invalid": "accessor 1 holds VEC4, expected VEC3",
    "empty_joints_array": "/skins/0/joints",
    "empty_objects": "/animations/0: Object missing required field `channels`",
}


@pytest.mark.parametrize(("name", "line"), REFUSED.items())
def test_refusals_name_the_place(name: str, line: str, data: Path) -> None:
    (path,) = (FOLDER / "validator-cases").rglob(f"{name}.gltf")
    with pytest.raises(FormatError) as caught:
        read(path)
    assert line in str(caught.value)


MENDED = {
    "invalid_input_values": "2 of 4 keys are dropped",
    "channel_duplicate_targets": "already moved by another channel",
    "channel_node_matrix": "node 0 is given as a matrix",
    "sampler_input_no_bounds": "lacks min and max",
    "no_common_root": "no common root",
    "skeleton_invalid": "node 2 is not above all joints",
    "invalid_ibm": "a last row is not 0 0 0 1",
    "no_joints_in_scene": "none of its joints is in a scene",
    "quaternion_non_unit_values": "not of length 1",
}


@pytest.mark.parametrize(("name", "line"), MENDED.items())
def test_repairs_say_what_was_mended(name: str, line: str, data: Path) -> None:
    (path,) = (FOLDER / "validator-cases").rglob(f"{name}.gltf")
    assert any(line in repair for repair in read(path).notes)
