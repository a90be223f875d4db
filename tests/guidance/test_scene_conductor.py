"""The conductor: smooth by itself, sharp on the beats where kernels allow it; one arm follows an IK handle."""

from benchmarks.gestures.conductor import SHARP, jerks, request
from inbetweener.builtin import example
from inbetweener.guidance import build, guide

MOTION = example("conductor").motion()


def test_kernels_on_the_beats_make_them_sharp() -> None:
    problem = build(MOTION, request())
    assert len(problem.parameters) == 54
    smooth = guide(problem).finish()
    sharp = guide(problem.reweighed(kernels=SHARP)).finish()
    assert smooth.terms["torque"] < 0.8
    assert jerks(smooth.motion).max() < 0.8 * jerks(MOTION).max()
    assert jerks(sharp.motion).max() > 2.5 * jerks(smooth.motion).max()
