"""A straight key on every frame, for programs that read no slopes: judged from the raw file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.formats.gltf import write
from tests.formats.gltf.made import animated, held, moving_documents, weighted
from tests.formats.gltf.oracle import Oracle


def written(document: Document, folder: Path) -> Oracle:
    path = folder / "a.glb"
    write(document, path, sampled=True)
    return Oracle(path)


def keyed(animation: dict[str, Any]) -> set[tuple[int, str]]:
    return {(channel["target"]["node"], channel["target"]["path"]) for channel in animation["channels"]}


@pytest.mark.parametrize("document", moving_documents(), ids=lambda document: document.name)
def test_joints_are_exact_on_frames(document: Document, tmp_path: Path) -> None:
    truth = written(document, tmp_path)
    clip = document.clip("move")
    shift = 1.0 if document.name == "before-zero" else 0.0
    expected = document.motion("move").joint_positions(clip.frame_times)
    assert np.abs(truth.positions(0, clip.frame_times + shift) - expected).max() < 3e-6


def test_whatever_is_no_step_is_straight_with_a_key_a_frame(tmp_path: Path) -> None:
    curves = {"bone_0.ty": weighted((0, 0), (1, 1), (2, 0)), "bone_1.rz": weighted((0, 0), (2, 3)),
              "bone_2.tx": held((0, 1), (1, 2), (2, 0))}  # fmt: skip
    truth = written(animated("sampled", curves), tmp_path)
    move = truth.json["animations"][0]
    modes = {}
    for channel in move["channels"]:
        sampler = move["samplers"][channel["sampler"]]
        count = truth.json["accessors"][sampler["input"]]["count"]
        modes[channel["target"]["node"], channel["target"]["path"]] = sampler.get("interpolation", "LINEAR"), count
    assert modes == {
        (0, "translation"): ("LINEAR", 49),
        (1, "rotation"): ("LINEAR", 49),
        (2, "translation"): ("STEP", 3),
    }


def test_an_end_between_frames_gets_a_key(tmp_path: Path) -> None:
    document = animated("short", {"bone_0.ty": weighted((0, 0), (2, 3))})
    document = replace(document, clips=(replace(document.clip("move"), end=1.51),))
    assert written(document, tmp_path).key_times(0)[-1] == pytest.approx(1.51)


def test_every_clip_keys_what_any_clip_moves(tmp_path: Path) -> None:
    document = animated("held", {"bone_0.ty": weighted((0, 0), (2, 3)), "bone_1.rz": weighted((0, 0.5), (2, 2))})
    truth = written(document, tmp_path)
    move, still = truth.json["animations"]
    assert keyed(move) == keyed(still) == {(0, "translation"), (1, "rotation")}
    rest = document.motion("still").joint_positions(np.array([0.0, 1.0]))
    assert np.abs(truth.positions(1, np.array([0.0, 1.0])) - rest).max() < 1e-6


def test_all_joints_of_a_skin_are_keyed(tmp_path: Path) -> None:
    document = example("waving")
    truth = written(document, tmp_path)
    joints = {joint for skin in truth.json["skins"] for joint in skin["joints"]}
    paths = ("translation", "rotation", "scale")
    assert {(joint, path) for joint in joints for path in paths} <= keyed(truth.json["animations"][0])
