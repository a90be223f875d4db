"""Animation curves: keys with Bezier tangents, how they are evaluated, differentiated, edited and fitted.

`curves.edit` and `curves.tangent_presets` hold the edits, `curves.limits` the value limits.
"""

from inbetweener.curves.addition import weighted_sum
from inbetweener.curves.bundle import Bundle, evaluate
from inbetweener.curves.curve import Curve
from inbetweener.curves.edit import (
    Adjustment,
    Edit,
    break_tangents,
    delete_keys,
    insert_key,
    move_key,
    retime,
    set_interpolation,
    set_tangent,
    tie_tangents,
)
from inbetweener.curves.fitting import fit_aligned, fit_curve
from inbetweener.curves.key import BEZIER, CONSTANT, LINEAR, Interpolation, Key, Tangent
from inbetweener.curves.limits import Breach, HeightSet, breaches, value_ranges

__all__ = [
    "BEZIER",
    "CONSTANT",
    "LINEAR",
    "Adjustment",
    "Breach",
    "Bundle",
    "Curve",
    "Edit",
    "HeightSet",
    "Interpolation",
    "Key",
    "Tangent",
    "breaches",
    "break_tangents",
    "delete_keys",
    "evaluate",
    "fit_aligned",
    "fit_curve",
    "insert_key",
    "move_key",
    "retime",
    "set_interpolation",
    "set_tangent",
    "tie_tangents",
    "value_ranges",
    "weighted_sum",
]
