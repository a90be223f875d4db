"""Places on the body, there and back."""

import pytest

from inbetweener.errors import UnknownName
from inbetweener.rig import BlendedPoint, Point
from inbetweener.studio.places import from_place, to_place
from inbetweener.studio.protocol.binary import MalformedMessage
from inbetweener.studio.protocol.parts import Part, Place
from tests.studio.documents import arm

RIG = arm().rig


@pytest.mark.parametrize(
    "spot",
    [
        Point("hand"),
        Point("hand", (0.1, 0.0, -0.2), "palm"),
        Point("hand", (0.1, 0.0, -0.2), shapes=(("hand.rz", (0.0, 0.01, 0.0)),)),
        BlendedPoint(((Point("hand", (0.1, 0.0, 0.0)), 0.75), (Point("elbow"), 0.25)), "skin"),
    ],
)
def test_there_and_back(spot: Point | BlendedPoint) -> None:
    assert to_place(RIG, from_place(spot)) == spot


def test_weights_are_made_to_sum_to_one() -> None:
    spot = to_place(RIG, Place([Part("hand", (0, 0, 0), 3.0), Part("elbow", (0, 0, 0), 1.0)], ""))
    assert [weight for _, weight in spot.parts] == [0.75, 0.25]


def test_an_unknown_joint_is_named() -> None:
    with pytest.raises(UnknownName, match="no joint called 'tail'"):
        to_place(RIG, Place([Part("tail", (0, 0, 0), 1.0)], ""))


@pytest.mark.parametrize(
    "part", [Part("hand", (0, 0, 0), 0.0), Part("hand", (0, 0, 0), -1.0), Part("hand", (0, 1e300, 0), 1.0)]
)
def test_impossible_places_are_refused(part: Part) -> None:
    with pytest.raises(MalformedMessage, match="hand: a place"):
        to_place(RIG, Place([part], ""))
