"""Rigs: joints, channels, points; forward kinematics and Jacobians for many frames at once."""

from inbetweener.rig.bend import Bend
from inbetweener.rig.channel import Channel, Drive, bend_channel, control, joint_channels, shape_channels
from inbetweener.rig.characters import Character, characters
from inbetweener.rig.handles.handle import Handle
from inbetweener.rig.joint import DOFS, ROOT, BlendedPoint, Follows, Joint, Place, Point, Weight
from inbetweener.rig.rig import Rig
from inbetweener.rig.skeleton import Bones

__all__ = [
    "DOFS",
    "ROOT",
    "Bend",
    "BlendedPoint",
    "Bones",
    "Channel",
    "Character",
    "Drive",
    "Follows",
    "Handle",
    "Joint",
    "Place",
    "Point",
    "Rig",
    "Weight",
    "bend_channel",
    "characters",
    "control",
    "joint_channels",
    "shape_channels",
]
