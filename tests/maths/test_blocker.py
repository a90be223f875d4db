"""What blocks, ranked by how hard it pushes back."""

import pytest

from inbetweener.maths.blocker import Blocker, ranked


def test_the_strongest_come_first_with_their_shares() -> None:
    found = ranked({"head pin": 1.0, "upper limit of knee": 3.0}, least=0.05)
    assert found == (Blocker("upper limit of knee", 0.75), Blocker("head pin", 0.25))


def test_what_hardly_pushes_is_left_out_but_counts() -> None:
    (found,) = ranked({"head pin": 98.0, "foot pin": 2.0}, least=0.02)
    assert found.share == pytest.approx(0.98)


def test_nothing_that_pushes_blocks_nothing() -> None:
    assert ranked({}, least=0.05) == ()
    assert ranked({"head pin": 0.0}, least=0.05) == ()
