"""The search that solvers share: what pays is kept, what does not is damped, what is off is led back."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from inbetweener.maths.search import RESTORING, TOUGHER, Search, Stepped, restored


@dataclass(frozen=True, eq=False)
class Valley:
    """Rosenbrock's valley as residuals: (10(y − x²), 1 − x)."""

    x: np.ndarray

    @property
    def residual(self) -> np.ndarray:
        return np.array([10.0 * (self.x[1] - self.x[0] ** 2), 1.0 - self.x[0]])

    @property
    def merit(self) -> float:
        return float(self.residual @ self.residual)


def stepped(now: Valley, damping: float) -> Stepped[Valley]:
    jacobian = np.array([[-20.0 * now.x[0], 10.0], [-1.0, 0.0]])
    normal, gradient = jacobian.T @ jacobian, jacobian.T @ now.residual
    change = -np.linalg.solve(normal + damping * np.diag(np.diag(normal)), gradient)
    return Stepped(Valley(now.x + change), -float(change @ (2.0 * gradient + normal @ change)))


def test_every_step_pays_and_the_valley_is_followed_to_its_end() -> None:
    search = Search(Valley(np.array([-1.2, 1.0])), stepped, 1e-3)
    merits = [search.now.merit] + [place.merit for place in search.settling(4, 1e-12)]
    assert all(after < before for before, after in pairwise(merits))
    np.testing.assert_allclose(search.now.x, [1.0, 1.0], atol=1e-6)
    assert search.tried >= len(merits) - 1


def test_what_does_not_pay_is_damped_and_forgotten() -> None:
    asked: list[float] = []

    def uphill(now: Valley, damping: float) -> Stepped[Valley]:
        asked.append(damping)
        return Stepped(Valley(now.x + 10.0))

    search = Search(Valley(np.zeros(2)), uphill, 1.0, hopeless=100.0)
    assert search.advance() is None
    assert asked == [1.0, TOUGHER, TOUGHER**2]
    assert not search.now.x.any()


def test_damping_takes_up_where_it_begins_to_tell() -> None:
    """A step that was shorter than its bound is not made any shorter by a bound that is still longer."""
    asked: list[float] = []

    def short(now: Valley, damping: float) -> Stepped[Valley]:
        asked.append(damping)
        return Stepped(Valley(now.x + 10.0), needed=1e3)

    Search(Valley(np.zeros(2)), short, 1.0, hopeless=1e4).advance()
    assert asked == [1.0, 1e3 * TOUGHER]


def test_a_place_may_be_worse_for_a_moment_where_that_is_allowed() -> None:
    merits = iter([5.0, 5.5, 5.6, 4.0])

    @dataclass(frozen=True, eq=False)
    class Marked:
        merit: float

    search = Search(Marked(6.0), lambda now, damping: Stepped(Marked(next(merits))), 1.0, memory=2)
    assert [search.advance().merit for _ in range(3)] == [5.0, 5.5, 4.0]  # type: ignore[union-attr]


def test_a_search_ends_where_no_step_is_needed_or_enough_were_tried() -> None:
    start = Valley(np.array([1.0, 1.0]))
    assert Search(start, lambda now, damping: Stepped(now), 1.0).advance() is None
    assert Search(start, stepped, 1.0, most=0).advance() is None


@pytest.mark.parametrize("factor", [0.5, 1.0, 1.5])
def test_what_is_off_is_led_back_as_long_as_that_helps(factor: float) -> None:
    seen: list[float] = []

    def back(place: float) -> float:
        seen.append(place)
        return factor * place

    found = restored(1.0, back, abs, 0.1)
    assert found == (0.0625 if factor == 0.5 else 1.0)
    assert len(seen) <= RESTORING
