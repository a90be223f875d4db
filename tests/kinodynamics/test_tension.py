"""Springs as people type them."""

import pytest

import inbetweener as ib
from inbetweener.errors import UnknownName
from inbetweener.kinodynamics import InvalidLooseness, Spring, as_a_whole, chain, preset, tension

FOX = ib.example("fox-tail").rig


def test_a_preset_is_for_the_whole_body_but_its_root() -> None:
    springs = tension(FOX, "drunk")
    assert springs == as_a_whole(FOX, preset("drunk"))
    assert "hips" not in springs


def test_a_name_or_pattern_gets_numbers_or_a_preset() -> None:
    assert tension(FOX, "neck=3,0.4") == {"neck": Spring(3.0, 0.4)}
    assert tension(FOX, "neck=3") == {"neck": Spring(3.0, 0.5)}
    assert tension(FOX, "ear_*=loose") == {"ear_l": preset("loose"), "ear_r": preset("loose")}
    assert tension(FOX, "neck.rz=2") == {"neck.rz": Spring(2.0)}
    assert set(tension(FOX, "neck.*=2")) == {"neck.rx", "neck.ry", "neck.rz"}


def test_a_chain_falls_to_its_tip() -> None:
    springs = tension(FOX, "tail_1=2..0.8,0.3")
    assert list(springs) == [f"tail_{n}" for n in range(1, 10)]
    assert springs == chain(FOX, "tail_1", Spring(2.0, 0.3), tip=0.4)
    assert springs["tail_9"].frequency == pytest.approx(0.4 * springs["tail_1"].frequency)
    ratios = [springs[f"tail_{n + 1}"].frequency / springs[f"tail_{n}"].frequency for n in range(1, 9)]
    assert ratios == pytest.approx([ratios[0]] * 8)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("floppy", UnknownName, "no looseness called 'floppy'"),
        ("wing=3", UnknownName, "no joint or channel called 'wing'"),
        ("neck=", InvalidLooseness, "cannot be read"),
        ("=3", InvalidLooseness, "cannot be read"),
        ("neck=floppy", InvalidLooseness, "'floppy' is neither a number nor one of tight, firm"),
        ("neck=3,much", InvalidLooseness, "'much' is neither a number"),
        ("neck=0", InvalidLooseness, "stiffness 0 Hz must lie above 0"),
        ("neck=-2", InvalidLooseness, "stiffness -2 Hz"),
        ("neck=3,-1", InvalidLooseness, "damping -1 must lie between 0"),
        ("tail_1=2..0", InvalidLooseness, "stiffness 0 Hz"),
        ("tail_*=2..1", UnknownName, "no joint called"),
        ("neck=nan", InvalidLooseness, "'nan' is neither a number"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tension(FOX, text)


def test_rayleigh_damping_is_said_by_its_two_numbers() -> None:
    """c = α + β k for a unit of inertia ([IKD] Eq. 24)."""
    spring = tension(ib.example("fox-tail").rig, "neck=3,1.5/0.02")["neck"]
    stiffness, damping = spring.rates
    assert damping == pytest.approx(1.5 + 0.02 * stiffness)
    with pytest.raises(InvalidLooseness, match="must not be negative"):
        tension(ib.example("fox-tail").rig, "neck=3,-1/0.02")
