"""A spring bone's numbers and the spring that swings alike.

A program that plays VRM moves the tail of a bone of length L once a frame, dt: it goes on as it went, but for the share
`drag`, is drawn by `stiffness` · dt metres along the way the bone rests, and is put back to length L. For small turns
that is y″ = r ((2 − drag) y′ − (1 − drag) y) with r = 1 / (1 + stiffness · dt / L), whose two roots are those of a
spring at moments dt apart. So both ways are exact at the rate that VRM programs are made for.

Drag holds against the tail's way through the world: where what the bone hangs on moves evenly, at a speed v, the tail
trails behind it by drag · v / stiffness. In air a spring does so by air · v / (L ω²), which says how much is
meant. What is left of the damping, as draws are looked at only once a frame, is against turning in the joint.
"""

import cmath
import math

from inbetweener.kinodynamics import Spring
from inbetweener.kinodynamics.spring import STIFFEST, THICKEST

RATE = 60.0
"""Frames a second: VRM does not say; its programs draw as screens do."""
MOST_DRAG = 0.999
"""More leaves nothing that goes on, and no spring is damped for ever."""
SHORTEST = 0.001
"""Metres: a bone is at least so long."""


def spring_of(stiffness: float, drag: float, length: float) -> Spring | None:
    """The spring of a bone; None where nothing draws it back."""
    if not stiffness > 0:
        return None
    share = 1.0 / (1.0 + stiffness / RATE / max(length, SHORTEST))
    drag = min(max(drag, 0.0), MOST_DRAG)
    total, product = share * (2.0 - drag), share * (1.0 - drag)
    root = cmath.sqrt(total * total / 4.0 - product)
    one, other = cmath.log(total / 2.0 + root) * RATE, cmath.log(total / 2.0 - root) * RATE
    omega, lost = math.sqrt(abs((one * other).real)), -(one + other).real
    air = min(drag * omega**2 * max(length, SHORTEST) / stiffness, lost, THICKEST)
    return Spring(min(omega / (2.0 * math.pi), STIFFEST), min((lost - air) / (2.0 * omega), 100.0), air)


def pull_of(spring: Spring, length: float, stiffness: float) -> float:
    """How many times stronger a pull has to be to bring a spring as far aside as it brings its bone."""
    return (2.0 * math.pi * spring.frequency) ** 2 * max(length, SHORTEST) / (stiffness * RATE)


def numbers_of(spring: Spring, length: float) -> tuple[float, float]:
    """Stiffness and drag of a bone that swings like a spring, as nearly as VRM has them."""
    omega = 2.0 * math.pi * spring.frequency
    zeta = spring.damping + spring.air / (2.0 * omega)
    root = cmath.sqrt(zeta * zeta - 1.0)
    one, other = (cmath.exp(omega * (-zeta + sign * root) / RATE) for sign in (1.0, -1.0))
    product = (one * other).real
    # Quicker than half a turn a frame is no swing that frames can show.
    share = min(max((one + other).real - product, 1e-3), 1.0 - 1e-12)
    drag = min(max(1.0 - product / share, 0.0), 1.0)
    return (1.0 / share - 1.0) * max(length, SHORTEST) * RATE, drag
