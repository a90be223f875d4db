"""Every scene is what the list says it is, and can be animated as it stands."""

import numpy as np
import pytest

from inbetweener.builtin import ExampleInfo, catalogue, example, examples
from inbetweener.document import Document, problems
from inbetweener.errors import UnknownName
from inbetweener.skinning import Skin

GROUNDED = (
    "waving", "boxer", "guitarist", "conductor", "drummer", "four-letters", "control-panel", "hat-and-door",
)  # fmt: skip


def test_names_are_unique_and_lines_are_short() -> None:
    names = [info.name for info in examples()]
    assert len(set(names)) == len(names)
    assert all(0 < len(info.line) <= 80 for info in examples())


def test_an_unknown_name_says_what_is_known() -> None:
    with pytest.raises(UnknownName, match="did you mean flying-robot"):
        example("flying-robots")


def test_the_list_tells_the_truth(document: Document, info: ExampleInfo) -> None:
    clip = document.clip()
    assert document.name == info.name
    assert document.meshes[0].name == info.character
    assert clip.rate == 24
    assert round(clip.end * clip.rate) == info.frames
    assert 24 <= info.frames <= 120
    assert len({float(t) for curve in clip.curves.values() for t in curve.times}) == info.keys


def test_it_has_no_problems(document: Document) -> None:
    assert problems(document) == []


def test_it_is_made_the_same_every_time_and_once(document: Document, info: ExampleInfo) -> None:
    anew = catalogue._made.__wrapped__(info.name.replace("-", "_"))
    assert anew is not document
    assert anew == document
    assert example(info.name) is document


def test_keys_lie_on_frames_and_within_limits(document: Document) -> None:
    clip = document.clip()
    for name, curve in clip.curves.items():
        channel = document.rig.channel(name)
        frames = curve.times * clip.rate
        np.testing.assert_allclose(frames, np.round(frames), atol=1e-9)
        assert curve.values.min() >= channel.lower - 1e-9, name
        assert curve.values.max() <= channel.upper + 1e-9, name
        assert 0 <= curve.times[0]
        assert curve.times[-1] <= clip.end + 1e-9


def test_it_moves(document: Document) -> None:
    moved = np.ptp(document.motion().joint_positions(document.clip().frame_times), axis=0)
    assert moved.max() > 0.1 * np.linalg.norm(np.ptp(document.meshes[0].vertices, axis=0))


def test_a_loop_ends_as_it_starts(document: Document) -> None:
    clip = document.clip()
    if clip.loops:
        ends = document.motion().channels([clip.start, clip.end])
        hips = [n for n, channel in enumerate(document.rig.channels) if channel.kind != "translation"]
        np.testing.assert_allclose(ends[0, hips], ends[1, hips], atol=1e-9)


def test_the_view_frames_the_action(document: Document) -> None:
    view = document.view
    assert view is not None
    forward = np.subtract(view.target, view.eye)
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    times = document.clip().frame_times[::4]
    points = document.motion().joint_positions(times).reshape(-1, 3) - np.array(view.eye)
    # Whoever dives below the floor leaves the picture on purpose.
    points = points[points[:, 1] + view.eye[1] > 0]
    depth = points @ forward
    assert depth.min() > 0.2
    half = np.tan(view.fov / 2)
    assert np.abs(points @ up / depth).max() < half
    assert np.abs(points @ right / depth).max() < half * 16 / 9
    assert np.ptp(points @ up / depth) > 0.5 * half, "the character is large enough to see"


@pytest.mark.parametrize("name", GROUNDED)
def test_somebody_who_stands_touches_the_ground_on_every_key(name: str) -> None:
    document = example(name)
    times = sorted({float(t) for curve in document.clip().curves.values() for t in curve.times})
    channels = document.motion().channels(times)
    worlds = document.rig.world_from_joint(channels)
    for time, values, world in zip(times, channels, worlds, strict=True):
        lowest = min(Skin(mesh, document.rig).vertices(values, world)[:, 1].min() for mesh in document.meshes)
        assert -0.025 < lowest < 0.025, f"{name} at {time * 24:.0f}: {lowest:.3f} m"
