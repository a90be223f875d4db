"""Targets and bells as people type them."""

import pytest
import typer

import inbetweener as ib
from inbetweener.cli.loosen import bell_of, channels_of, targets_of
from inbetweener.errors import UnknownName
from inbetweener.kinodynamics import Bell, InvalidLooseness, PointTarget
from inbetweener.rig import Point

FOX = ib.example("fox-tail")
TIP, WIDE = Point("tail_9"), Bell(0.4, 0.2)


def test_all_kinds_of_targets() -> None:
    made = targets_of(
        FOX,
        FOX.clip(),
        ["tail_9@0.5=0.1,-1.2,3", "tail_9@30f=keyed"],
        ["tail_9@12f", "muzzle@1"],
        WIDE,
        None,
    )
    assert made == [
        PointTarget(0.5, TIP, (0.1, -1.2, 3.0), velocity=(0.0, 0.0, 0.0), bell=WIDE),
        PointTarget(1.25, TIP, bell=WIDE),
        PointTarget(1.0, FOX.rig.point("muzzle"), velocity=(0.0, 0.0, 0.0), bell=WIDE),
    ]


def test_what_gives_way_is_named_by_joints_and_channels() -> None:
    given = channels_of(FOX.rig, ["tail_[12]", "tail_9.rx"])
    assert given == {"tail_9.rx", "tail_sweep", "tail_lift", *(f"tail_{n}.r{axis}" for n in (1, 2) for axis in "xy")}
    (made,) = targets_of(FOX, FOX.clip(), ["tail_9@30f=keyed"], [], WIDE, given)
    assert made.channels == given
    with pytest.raises(UnknownName, match="'wing'"):
        channels_of(FOX.rig, ["wing"])


def test_bells() -> None:
    assert bell_of(None) == Bell()
    assert bell_of("0.4") == Bell(0.4, 0.4)
    assert bell_of("0.4,0.2") == WIDE
    assert bell_of("0.4,polynomial") == Bell(0.4, 0.4, "polynomial")
    assert bell_of("0.4,0.2,polynomial") == Bell(0.4, 0.2, "polynomial")
    drawn = ((-1.0, 0.0), (-0.5, 0.2), (0.0, 1.0), (0.25, 0.75), (1.0, 0.0))
    assert bell_of("0.4,0.2,-0.5:0.2,0.25:0.75") == Bell(0.4, 0.2, drawn=drawn)
    with pytest.raises(InvalidLooseness, match="from −1 to 1"):
        bell_of("0.4,-1.5:0.2")
    with pytest.raises(InvalidLooseness, match="must be positive"):
        bell_of("0")
    for wrong in ("wide", "0.1,0.2,0.3", "", "0.4,0.5:", "-0.5:0.2"):
        with pytest.raises(typer.BadParameter, match="is no bell"):
            bell_of(wrong)


@pytest.mark.parametrize(
    ("target", "error", "words"),
    [
        ("tail_9@0.5", typer.BadParameter, "needs a place"),
        ("tail_9=keyed", typer.BadParameter, "needs a time"),
        ("tail_9@soon=keyed", typer.BadParameter, "is no time"),
        ("tail_9@0.5=1,2", typer.BadParameter, "is not three numbers"),
        ("wing@0.5=keyed", UnknownName, "called 'wing'"),
    ],
)
def test_what_cannot_be_read(target: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        targets_of(FOX, FOX.clip(), [target], [], WIDE, None)


def test_one_point_has_one_target_at_a_time() -> None:
    with pytest.raises(typer.BadParameter, match="already has a target"):
        targets_of(FOX, FOX.clip(), ["tail_9@0.5=keyed", "tail_9@12f=1,2,3"], [], WIDE, None)
