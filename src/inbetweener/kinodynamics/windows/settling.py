"""How a spring that has left its keyed motion comes back: bounds on the way, and the time until it stays close.

[IKD] Eqs. 15–22, with what the paper leaves out: a start that is off as well as moving, half the amplitude for strong
damping, x = ẋ₀ t e^(−γt) for critical damping, and the same bound on both sides of it, where 1/ω would explode.
"""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats


def rates(stiffness: npt.ArrayLike, damping: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Of springs on a unit of inertia: γ, the slowest decay γ − |ω| or γ, and ω, negative if overdamped."""
    k, gamma = np.asarray(stiffness, np.float64), np.asarray(damping, np.float64) / 2
    inner = np.sqrt(np.abs(k - gamma**2))
    above = gamma**2 > k
    # γ − |ω| loses all digits where damping is strong: k / (γ + |ω|) loses none.
    slowest = np.where(above, k / np.where(above, gamma + inner, 1.0), gamma)
    return gamma, slowest, np.where(above, -inner, inner)


def envelope(
    time: npt.ArrayLike, place: Floats, speed: Floats, gamma: Floats, slowest: Floats, omega: Floats
) -> Floats:
    """No swing that starts at `place` with `speed` is farther off than this, `time` seconds later and ever after peaks.

    Under critical damping |sin ωt / ω| is at most t and 1/ω; beyond it (e^(ωt) − e^(−ωt)) / 2ω is at most e^(ωt) times
    t and 1/2ω: the paper's Eq. 21 has twice that.
    """
    t = np.asarray(time, np.float64)
    with np.errstate(divide="ignore"):
        most = np.where(omega >= 0, 1.0 / np.abs(omega), 0.5 / np.abs(omega))
    return np.exp(-slowest * t) * (np.abs(place) + np.abs(speed + gamma * place) * np.minimum(t, most))


def settled(place: float, speed: float, gamma: float, omega: float, error: float) -> float:
    """Seconds after which a swing that starts off by `place`, at `speed`, stays within `error`; inf if it never does.

    omega: the frequency, negative for the exponent of an overdamped one, 0 where damping is critical.
    """
    push = speed + gamma * place
    if omega == 0.0:
        return _settled_critically(abs(place), abs(push), gamma, error)
    if omega > 0.0:
        amplitude, decay = float(np.hypot(place, push / omega)), gamma
    else:
        # x = c₁ e^((−γ + ω) t) + c₂ e^((−γ − ω) t): the slower one has half of each.
        amplitude, decay = abs(place) / 2 + abs(push / omega) / 2, gamma + omega
        amplitude += max(0.0, abs(place) / 2 - abs(push / omega) / 2)
    if amplitude <= error:
        return 0.0
    return float(np.log(amplitude / error) / decay) if decay > 0 else float("inf")


def _settled_critically(place: float, push: float, gamma: float, error: float) -> float:
    """The larger root of (x₀ + (ẋ₀ + γ x₀) t) e^(−γt) = ε, by Lambert's W₋₁; 0 where it is never reached."""
    from scipy.special import lambertw

    if push == 0.0:
        return float(max(np.log(place / error), 0.0) / gamma) if place > 0 else 0.0
    # With s = t + x₀ / push it is push s e^(−γs) e^(γ x₀ / push) = ε.
    ahead = place / push
    inner = -gamma * error / push * np.exp(-gamma * ahead)
    if inner < -1.0 / np.e:
        return 0.0
    return float(max(-lambertw(inner, -1).real / gamma - ahead, 0.0))
