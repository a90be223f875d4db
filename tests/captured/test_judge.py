"""The judge of captured motion: its evaluator against what can be worked out by hand, and what it tells."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from benchmarks.library import __main__ as library
from benchmarks.library import gltf, ours, plain
from benchmarks.library.peers import PEERS, Absent, Peer, Thinned
from benchmarks.library.search import Search
from tests.captured import plain as beside_ours
from tests.formats.bvh.samples import chain

SWING = [[7.0] + [0.0] * 5 + [angle, 0.0, 0.0] for angle in (0.0, 90.0)]
"""The arm, ten units above its base, turns about z from upright to a quarter to the left; its tip is five units on."""
TWIST = [[7.0] + [0.0] * 5 + [0.0, 0.0, angle] for angle in (0.0, 90.0)]
"""It turns about its own bone."""


def captured(folder: Path, *rows: list[float]) -> plain.Capture:
    path = folder / "arm.bvh"
    path.write_text(chain(*rows))
    return plain.read(path)


def waving(frames: int = 40) -> str:
    times = np.arange(frames) / 8
    rows = [
        [0.0, 10.0, np.sin(t), 5 * np.sin(2 * t), 0.0, 0.0, 40 * np.sin(t), 9 * np.cos(3 * t), 20 * t] for t in times
    ]
    return chain(*rows)


def test_between_frames_an_arm_is_halfway_round(tmp_path: Path) -> None:
    places = captured(tmp_path, *SWING).looked_at()
    assert places.shape == (5, 2 * 2 + 1, 3)
    angles = np.radians([0.0, 22.5, 45.0, 67.5, 90.0])
    # Positions of the root are absolute, so its OFFSET counts for nothing.
    tips = [7.0, 10.0, 0.0] + 5 * np.stack([-np.sin(angles), np.cos(angles), 0 * angles], axis=1)
    np.testing.assert_allclose(places[:, 2], tips, atol=1e-12)


def test_a_twist_is_seen_three_centimetres_beside_the_bone_alone(tmp_path: Path) -> None:
    capture = captured(tmp_path, *TWIST)
    still = captured(tmp_path, TWIST[0], TWIST[0])
    twisted, untwisted = capture.looked_at(), still.looked_at()
    joints = plain.Distance.between(twisted[:, :3], untwisted[:, :3])
    assert joints.quarters_max < 1e-12
    off = plain.Distance.between(twisted, untwisted)
    # A chord of 90°, and of 22.5°, 45°, 67.5° between: 2 r sin(angle / 2), for one point of five.
    chords = 2 * 0.03 * np.sin(np.radians([0.0, 22.5, 45.0, 67.5, 90.0]) / 2)
    assert off.frames_max == pytest.approx(chords[-1])
    assert off.frames_mean == pytest.approx(chords[[0, -1]].mean() / 5)
    assert off.quarters_mean == pytest.approx(chords.mean() / 5)


def test_keys_are_evaluated_as_their_cubics_say() -> None:
    places = np.array([[0.0, 1.0], [2.0, 3.0], [3.0, -1.0], [4.0, 5.0]])
    before, after = places - np.array([0.5, -0.2]), places + np.array([1.5, 0.7])
    kinds = np.array([plain.BEZIER, plain.LINEAR, plain.CONSTANT, plain.BEZIER])
    keys = plain.Keys(places[:, 0], places[:, 1], before, after, kinds)
    u = np.linspace(0.0, 1.0, 23)
    hull = [np.repeat(each[None], len(u), axis=0) for each in (places[0], after[0], before[1], places[1])]
    while len(hull) > 1:
        hull = [(1 - u)[:, None] * a + u[:, None] * b for a, b in pairwise(hull)]
    np.testing.assert_allclose(keys.at(hull[0][:, 0]), hull[0][:, 1], atol=1e-9)
    np.testing.assert_allclose(keys.at(np.array([2.25, 3.0, 3.9, 4.0, -1.0, 9.0])), [2.0, -1.0, -1.0, 5.0, 1.0, 5.0])


def test_slide_is_the_farthest_pair_and_pops_are_what_jerks_harder() -> None:
    assert plain.slide(np.array([[0.0, 0.0, 0.0], [0.0, 3.0, 0.0], [4.0, 0.0, 0.0]])) == 5.0
    even = np.stack([np.arange(6.0), np.zeros(6), np.zeros(6)], axis=1)[:, None]
    jerked = even.copy()
    jerked[3, 0, 1] = 0.004
    # 4 mm to the side and back: 4, 8 and 4 mm a frame a frame, of which one is more than 5.
    assert plain.pops(even, jerked) == 1


def test_our_keys_judged_without_our_kernels_are_where_our_kernels_have_them(tmp_path: Path) -> None:
    (tmp_path / "arm.bvh").write_text(waving())
    take = ours.Take.of(tmp_path / "arm.bvh")
    made, _ = ours.fitted(take, 0.02)
    assert made.keys < sum(len(curve) for curve in take.dense.curves.values()) / 2
    at = np.arange(4 * take.capture.frames - 3) / 4
    by_kernels = beside_ours.ours(take.document, made.clip, at)
    np.testing.assert_allclose(take.capture.positions(at, made), by_kernels, atol=1e-8)


def test_a_pose_set_in_front_is_cut_for_everybody(tmp_path: Path) -> None:
    rows = waving().splitlines()
    first = next(n for n, row in enumerate(rows) if row.startswith("Frame Time")) + 1
    rows[first] = " ".join(["0"] * 6 + ["170", "0", "0"])
    (tmp_path / "arm.bvh").write_text("\n".join(rows))
    take = ours.Take.of(tmp_path / "arm.bvh")
    assert take.is_cut
    assert take.capture.frames == len(take.dense.frame_times) == 39


def test_what_is_written_as_gltf_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "arm.bvh").write_text(waving())
    capture = plain.read(tmp_path / "arm.bvh").in_metres(0.01)
    gltf.write(capture, tmp_path / "arm.glb")
    tracks = gltf.read(tmp_path / "arm.glb", capture)
    assert (tracks.keys, tracks.whole_keys) == (40 * (4 + 3 + 4), 40 * 3)
    np.testing.assert_allclose(capture.looked_at(tracks), capture.looked_at(), atol=1e-7)


class Shifting(Peer):
    """Puts the whole body 1.1ⁿ mm off at setting n, with 1000 − n keys."""

    name, step, coarsest, first = "shifting", 1.1, 90, 60

    @classmethod
    def install(cls) -> str:
        return "1"

    @classmethod
    @contextmanager
    def open(cls, take: ours.Take, folder: Path) -> Iterator[Peer]:
        yield cls(take.capture)

    def __init__(self, capture: plain.Capture) -> None:
        self.capture = capture
        self.thinned: list[int] = []

    def thin(self, way: str, number: int) -> Thinned:
        self.thinned.append(number)
        shifted = self.capture.translations + [0.001 * self.step**number, 0.0, 0.0] * (np.arange(2) == 0)[:, None]
        moved = plain.Capture(**{**vars(self.capture), "translations": shifted})
        return Thinned(str(number), moved, 1000 - number, 1000 - number, 0.0)


def test_the_coarsest_setting_within_an_error_is_found_in_few_tries(tmp_path: Path) -> None:
    capture = captured(tmp_path, *SWING)
    peer = Shifting(capture)
    search = Search(peer, capture, capture.looked_at())
    found = search.within(0.01 + 1e-9, lambda off: off.quarters_max)
    # 1.1²⁴ = 9.85, 1.1²⁵ = 10.8
    assert found is not None
    assert found[0].keys == 1000 - 24
    assert found[1].frames_max == pytest.approx(0.001 * 1.1**24)
    assert len(peer.thinned) < 8
    assert search.within(0.0009, lambda off: off.quarters_max) is None


def absent(kind: type[Peer]) -> str:
    raise Absent("not on this machine")


def test_every_clip_is_told_and_absent_peers_and_broken_clips_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "arm.bvh").write_text(waving())
    (tmp_path / "broken.bvh").write_text(waving().replace("Frames: 40", "Frames: many"))
    for peer in PEERS:
        monkeypatch.setattr(peer, "install", classmethod(absent))
    status = library.main([str(tmp_path), "--json", "--tolerance", "5", "20"])
    told = json.loads(capsys.readouterr().out)
    assert status == 1
    assert told["peers"] == {peer.name: "absent: not on this machine" for peer in PEERS}
    assert [clip["name"] for clip in told["clips"]] == ["arm"]
    rows = [(row["clip"], row["program"], row.get("tolerance_mm")) for row in told["rows"]]
    programs = [("arm", program, mm) for program in ("ours", "ours, standing") for mm in (5.0, 20.0)]
    assert rows == [*programs, ("broken", "ours", None)]
    assert "Frames" in told["rows"][-1]["problem"]
    fit, rough = told["rows"][:2]
    assert fit["joints_mm"]["quarters_max"] <= 5.05
    assert fit["keys"] > rough["keys"] > 0
    assert fit["keys_a_channel_second"] == pytest.approx(fit["keys"] / 5 / (39 * 0.04)), "five channels move"
    failed = next(figure for figure in told["figures"] if figure["what"] == "clips that failed")
    assert (failed["value"], failed["holds"]) == (1.0, False)


def test_a_peer_is_brought_to_our_error_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "arm.bvh").write_text(waving())
    monkeypatch.setattr(library, "PEERS", (Shifting,))
    library.main([str(tmp_path), "--json", "--tolerance", "20", "--peers", "shifting"])
    told = json.loads(capsys.readouterr().out)
    fit, peer = (next(row for row in told["rows"] if row["program"] == name) for name in ("ours", "shifting"))
    error = fit["points_mm"]["quarters_max"]
    assert peer["points_mm"]["quarters_max"] <= error < 1.1 * peer["points_mm"]["quarters_max"]
    ratio = next(f for f in told["figures"] if f["what"] == "20 mm: keys for one of the best peer, same error")
    assert ratio["value"] == pytest.approx(fit["keys"] / peer["keys"])


def test_what_was_judged_can_be_shown_again_and_kept_on_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "arm.bvh").write_text(waving())
    library.main([str(tmp_path), "--json", "--tolerance", "20", "--peers"])
    (tmp_path / "report.json").write_text(capsys.readouterr().out)
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- clips -->\nold\n<!-- end -->\n<!-- goals -->\n<!-- end -->\nafter\n")
    # Twice the same, as of runs beside different programs: our own rows count once.
    library.main(["--show", *2 * [str(tmp_path / "report.json")], "--write", str(page)])
    assert "arm" in capsys.readouterr().out
    assert page.read_text().count("| arm | 1.6 | 20 |") == 1
    assert "| clips that failed | 0  | at most 0 |" in page.read_text()
    assert "old" not in page.read_text()


def test_a_folder_without_clips_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert library.main([str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err
