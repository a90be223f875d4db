"""The fox's tail: its tip follows its root, and a kernel makes one of its sweeps faster."""

from dataclasses import replace

import pytest

from benchmarks.gestures.fox_tail import END, FASTER, RIGHT, fastest, lag, request
from inbetweener.builtin import example
from inbetweener.guidance import build, guide

MOTION = example("fox-tail").motion()


def test_the_middle_key_alone_has_27_parameters() -> None:
    assert len(build(MOTION, replace(request(MOTION), start=0.1, end=1.4)).parameters) == 27


def test_the_tip_follows_the_root() -> None:
    guided = guide(build(MOTION, request(MOTION))).finish()
    assert guided.terms["torque"] < 0.5
    assert lag(MOTION) == pytest.approx(0.0, abs=2e-3)
    assert lag(guided.motion) > 0.08


def test_a_kernel_between_right_and_left_makes_that_sweep_faster() -> None:
    problem = build(MOTION, request(MOTION))
    plain = guide(problem).finish().motion
    eased = guide(problem.reweighed(kernels=(FASTER,))).finish().motion
    assert fastest(eased, RIGHT, END) > 1.12 * fastest(plain, RIGHT, END)
    assert fastest(eased, 0.0, RIGHT) == pytest.approx(fastest(plain, 0.0, RIGHT), rel=0.05)
