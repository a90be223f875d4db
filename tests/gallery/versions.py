"""A bar of half a second, and the same with its second joint bent."""

from dataclasses import replace

from inbetweener.builtin.characters.bar import bar
from inbetweener.curves import Curve, Key, tangent_presets
from inbetweener.document import Document
from inbetweener.motion import Clip
from inbetweener.motion.clip import Curves

END = 0.25


def keyed(bend: float, *more: float) -> Document:
    """Keys at start and end, and wherever else, on the bar's second joint."""
    keys = [Key(time, bend * time / END) for time in sorted({0.0, END, *more})]
    curve = tangent_presets.smooth(Curve.from_keys(keys))
    return replace(bar(), clips=(Clip("bend", END, curves=Curves({"bar_2.rz": curve})),))
