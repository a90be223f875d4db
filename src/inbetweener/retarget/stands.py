"""When the feet of a source stand: contacts, found on a stand-in of few joints that are where the body's are.

What a contact needs to be found is where feet and the rest of the body are on each frame. The stand-in is as tall as
the body stands, also where its rig rests otherwise, and asked for much less than the rig.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.contacts import suggest_contacts
from inbetweener.contacts.suggest import TRUSTED
from inbetweener.curves import Curve
from inbetweener.maths import euler
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.retarget.body import Body
from inbetweener.retarget.slots import SIDES, Slot
from inbetweener.rig import Channel, Joint, Point, Rig, joint_channels
from inbetweener.rig.mirror import Side

SEEN: tuple[Slot, ...] = (
    ("hips", None, 0, 0),
    ("head", None, 0, 0),
    *((role, side, 0, 0) for role in ("shin", "hand") for side in SIDES),
)  # fmt: skip
"""What of a body is looked at beside its feet: it may lie, sit or fall."""


ENOUGH = 60.0
"""Frames a second that are looked at, at least, where there are so many."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A foot stands from one frame to another, both included; `flat` where its sole does not turn."""

    first: int
    last: int
    flat: bool


def find_stands(
    body: Body, times: Floats, rate: float, places: Floats, turns: Floats
) -> dict[Side, tuple[Planted, ...]]:
    """When which foot stands, given where joints are (T, J, 3) and how they are turned (T, J, 3, 3) on all frames."""
    # Feet do not come and go within a sixtieth of a second.
    stride = max(int(rate / ENOUGH), 1)
    whole, times, rate = len(times), times[::stride], rate / stride
    places, turns = places[::stride], turns[::stride]
    joints: list[Joint] = []
    channels: list[Channel] = []
    curves: dict[str, Curve] = {}

    def add(name: str, rest: Floats, track: Floats, angles: Floats | None = None) -> None:
        joint = Joint(name, rest=Transform(tuple(rest.tolist())))
        joints.append(joint)
        made = joint_channels(joint, "tx ty tz" if angles is None else "tx ty tz rx ry rz")
        channels.extend(made)
        values = track if angles is None else np.concatenate([track, angles], axis=1)
        curves.update({c.name: Curve.sampled(times, values[:, n]) for n, c in enumerate(made)})

    for slot in SEEN:
        if (j := body.slots.get(slot)) is not None:
            add(str(slot), body.places[j], places[:, j])
    for side, foot in body.feet.items():
        rest = body.places[foot.foot] + body.turns[foot.foot] @ foot.ball
        turned = turns[:, foot.foot] @ body.turns[foot.foot].T
        angles = euler.continuous(euler.from_matrix(turned, "ZYX"), "ZYX")
        add(side, rest, places[:, foot.foot] + turns[:, foot.foot] @ foot.ball, angles)
    found: dict[Side, tuple[Planted, ...]] = dict.fromkeys(body.feet, ())
    if len(times) < 3:
        return found
    clip = Clip("stand-in", float(times[-1]), float(times[0]), rate, Curves(curves))
    suggested = suggest_contacts(Motion(Rig(tuple(joints), tuple(channels)), clip), [Point(side) for side in body.feet])
    for side in body.feet:
        ranges = [each for each in suggested if each.point == Point(side) and each.confidence >= TRUSTED]
        made = []
        for each in sorted(ranges, key=lambda each: each.start):
            within = np.flatnonzero((times >= each.start - 1e-9) & (times <= each.end + 1e-9))
            last = min(stride * int(within[-1]), whole - 1)
            made.append(Planted(stride * int(within[0]), last, each.wanted == "both"))
        found[side] = tuple(made)
    return found
