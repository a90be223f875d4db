import warnings

import numpy as np
import pytest

from inbetweener.errors import RepairWarning
from inbetweener.formats import load
from inbetweener.render import render_frame

FILES = ("gltf/khronos-samples/Fox.glb", "gltf/characters/RobotExpressive.glb", "bvh/cmu/88_01_backflip.bvh")


@pytest.mark.parametrize("name", FILES)
def test_real_characters_fill_a_good_part_of_the_picture(data, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RepairWarning)
        document = load(data / name)
    clip = document.clips[0]
    size = (160, 90)
    look = {"size": size, "ground": False, "backend": "software"}
    picture = render_frame(document, (clip.start + clip.end) / 2, **look).astype(int)
    background = np.median(picture, axis=1, keepdims=True)
    rows, columns = np.nonzero(np.abs(picture - background).max(axis=-1) > 30)
    # Large enough to see, and nothing touches the border.
    assert np.ptp(rows) > 0.3 * size[1]
    assert 0 < rows.min()
    assert rows.max() < size[1] - 1
    assert 0 < columns.min()
    assert columns.max() < size[0] - 1
