"""The robot flies around all three obstacles after three drags, with the four keys it had."""

import numpy as np
import pytest

from benchmarks.gestures import flying_robot as flying
from inbetweener.builtin import example
from inbetweener.document import Clearance, Document
from inbetweener.tangents import Certificate


@pytest.fixture(scope="module")
def before() -> Document:
    return example("flying-robot")


@pytest.fixture(scope="module")
def worked(before: Document) -> tuple[Document, list[Certificate]]:
    return flying.after(before)


@pytest.fixture(scope="module")
def after(worked: tuple[Document, list[Certificate]]) -> Document:
    return worked[0]


def test_a_few_drags_all_reach_their_targets(worked: tuple[Document, list[Certificate]]) -> None:
    assert len(worked[1]) <= 6
    assert all(certificate.reached and not certificate.limits for certificate in worked[1])


def test_every_vertex_is_clear_of_every_obstacle(before: Document, after: Document) -> None:
    hit, clear = (Clearance(each).least(each.motion()) for each in (before, after))
    assert set(clear) == {"post", "lamp", "beam"}
    assert max(hit.values()) < -0.05
    assert min(clear.values()) > 0.03


def test_no_key_is_added_or_moved_and_ties_stay(before: Document, after: Document) -> None:
    for name, old in before.clip().curves.items():
        new = after.clip().curves[name]
        assert np.array_equal(old.times, new.times)
        assert np.array_equal(old.values, new.values)
        assert np.array_equal(old.tied, new.tied)
        inner = slice(1, -1)
        slopes = new.ins[inner, 1] / new.ins[inner, 0], new.outs[inner, 1] / new.outs[inner, 0]
        assert slopes[0] == pytest.approx(slopes[1], abs=1e-9)


def test_only_the_arc_of_the_body_changes(before: Document, after: Document) -> None:
    changed = {name for name, curve in before.clip().curves.items() if after.clip().curves[name] != curve}
    assert changed == {"body.tx", "body.ty", "body.tz"}


def test_the_flight_stays_smooth(before: Document, after: Document) -> None:
    # A wave of over half a metre up and down instead of a gentle hop: nearly twice the acceleration, no jerks.
    for point in "body", "lamp":
        assert flying.peak_acceleration(after, point) < 2.2 * flying.peak_acceleration(before, point)
