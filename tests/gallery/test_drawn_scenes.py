"""Scenes that are drawn by strokes, the hips and the jaw apart: what is claimed of them holds, and skin stays whole."""

from types import ModuleType

import numpy as np
import pytest

from benchmarks.gestures import roar, rubber_hose
from inbetweener.document import Document
from inbetweener.skinning import Skin


@pytest.mark.parametrize("scene", [rubber_hose, roar])
def test_figures_hold_and_no_edge_is_torn(scene: ModuleType) -> None:
    worked = scene.worked()
    assert all(figure.holds is not False for figure in worked.figures)
    drawn: Document = worked.versions["drawn"]
    assert len(drawn.rig.bends) == len(scene.DRAWINGS)
    mesh = max(drawn.meshes, key=lambda each: len(each.vertices))
    poses = drawn.motion().channels(drawn.clip().frame_times[::4])
    skin = Skin(mesh, drawn.rig, drawn.blending, poses=poses)
    edges = np.unique(np.sort(mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    longest = max(float(np.linalg.norm(np.diff(skin.vertices(pose)[edges], axis=1), axis=2).max()) for pose in poses)
    rest = float(np.linalg.norm(np.diff(mesh.vertices[edges], axis=1), axis=2).max())
    assert longest < 4.0 * rest


def test_what_strokes_say_is_seen() -> None:
    """Against joints of the document alone: the head goes up for the roar, and the tail's tip comes down for it."""
    document = roar.roaring()
    head, tip = (
        document.motion().states(np.array([10.0, 17.0]) / roar.RATE, document.rig.point(name))[0][:, 1]
        for name in ("head", "tail_tip")
    )
    assert head[1] - head[0] > 0.4
    assert tip[0] - tip[1] > 0.4
