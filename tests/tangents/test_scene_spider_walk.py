"""The spider's swinging feet are dragged off the floor, and its standing feet stay where they are."""

import pytest

from benchmarks.gestures import spider_walk as walking
from inbetweener.builtin import example


def test_lifting_the_swinging_feet_leaves_the_standing_ones() -> None:
    before = example("spider-walk")
    planted, _ = walking.after(before)
    walked, certificates = walking.lifted(planted)
    assert len(certificates) == 8
    assert all(certificate.reached for certificate in certificates)
    assert walking.lowest_swing(planted) < 0.01 < 0.04 < walking.lowest_swing(walked)
    assert walking.worst_slide(before, walked) == pytest.approx(walking.worst_slide(before, planted), abs=1e-6)
    assert [len(curve) for curve in walked.clip().curves.values()] == [len(c) for c in before.clip().curves.values()]
