"""Small documents for tests: everything that a page can be shown, on few joints."""

import numpy as np

from inbetweener.curves import Curve, tangent_presets
from inbetweener.document import Document, edits
from inbetweener.kinodynamics import Bell, Looseness, PointTarget, Spring
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import Joint, Point, Rig
from inbetweener.rig.channel import joint_channels
from inbetweener.tangents import Pin

RATE = 24.0


def smooth(times: list[float], values: list[float]) -> Curve:
    return tangent_presets.smooth(tangent_presets.flat(Curve.sampled(np.array(times), np.array(values))))


def arm() -> Document:
    """A pole with an arm: hips, elbow, hand; a second of swinging, a layer, a pin, and a clip of a single frame."""
    joints = (
        Joint("hips", rest=Transform((0.0, 1.0, 0.0))),
        Joint("elbow", 0, Transform((0.3, 0.0, 0.0))),
        Joint("hand", 1, Transform((0.3, 0.0, 0.0))),
    )
    channels = (
        *joint_channels(joints[0], "tx ty tz rx ry rz"),
        *joint_channels(joints[1], "rx ry rz", limits={"rz": (-2.0, 2.0)}),
        *joint_channels(joints[2], "rz"),
    )
    rig = Rig(joints, channels, (Point("hand", (0.1, 0.0, 0.0), "palm"),))
    keys = [0.0, 0.25, 0.5, 1.0]
    curves = Curves(
        {
            "hips.tx": smooth(keys, [0.0, 0.1, 0.3, 0.4]),
            "hips.ty": smooth([0.0, 0.5, 1.0], [1.0, 1.1, 1.0]),
            "hips.rz": smooth(keys, [0.0, 0.2, -0.1, 0.1]),
            "elbow.rz": smooth(keys, [0.2, 0.9, 0.4, 1.0]),
            "elbow.ry": smooth([0.0, 0.37, 1.0], [0.0, 0.4, 0.1]),
        }
    )
    lean = Layer("lean", Curves({"hips.rz": smooth([0.0, 1.0], [0.0, 0.1])}), weight=0.5)
    swing = Clip("swing", 1.0, rate=RATE, curves=curves, layers=(lean,))
    still = Clip("still", 0.0, rate=RATE, curves=Curves({"elbow.rz": Curve.constant(0.5)}))
    document = Document("arm", rig, clips=(swing, still))
    return edits.add_constraint(document, "swing", Pin(Point("hips"), start=0.0, end=0.25))


def loose_arm() -> Document:
    """The same with a loose elbow and hand, and a target for the palm where the keyed motion has it."""
    document = arm()
    springs = {"elbow": Spring(3.0, 0.4), "hand": Spring(2.0, 0.3)}
    document = edits.set_looseness(document, "swing", Looseness(springs, window=0.4))
    palm = Point("hand", (0.1, 0.0, 0.0), "palm")
    return edits.add_target(document, "swing", PointTarget(0.5, palm, bell=Bell(0.3, 0.3)))
