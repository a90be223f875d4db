"""Edits: each takes a document and returns a new one that shares all parts it did not change.

Verbs, what a person can do to a document, answer with a result that also says what became of the wish; the page, the
command line and programs all use them.
"""

from inbetweener.document.edits.clean import clean
from inbetweener.document.edits.clips import (
    add_clip,
    add_layer,
    duplicate_clip,
    flatten_clip,
    merge_layers,
    move_layer,
    mute_layer,
    remove_clip,
    remove_layer,
    rename_clip,
    rename_layer,
    replace_clip,
    replace_layer,
    set_clip_loops,
    set_clip_range,
    set_clip_rate,
    set_kernels,
    set_layer_weight,
)
from inbetweener.document.edits.constraints import (
    add_constraint,
    remove_constraint,
    rename_constraint,
    replace_rule,
    switch_constraint,
)
from inbetweener.document.edits.contacts import agree_poses, hold, remove_slide, suggest_contacts
from inbetweener.document.edits.curves import curve_of, curves_of, fit, remove_curves, set_curves, smooth_seam
from inbetweener.document.edits.drag import drag
from inbetweener.document.edits.guide import add_terms, guide, guide_request, guided
from inbetweener.document.edits.keys import (
    delete_keys,
    insert_key,
    key_pose,
    move_key,
    preset_tangents,
    retime_keys,
    set_interpolation,
    set_tangent,
    tie_tangents,
)
from inbetweener.document.edits.loosen import (
    bake,
    loosen,
    replace_loosening,
    set_looseness,
    set_springs,
    switch_looseness,
)
from inbetweener.document.edits.pull import pull
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.retarget import retarget
from inbetweener.document.edits.rig import forget_roles, free, rename_joint, set_limits, set_roles, set_stiffness
from inbetweener.document.edits.scene import add_prop, remove_prop, rename_document, replace_prop, set_view
from inbetweener.document.edits.sketch import (
    remove_bend,
    rename_bend,
    sketch,
    sketch_pose,
    sketched_at,
    twist,
)
from inbetweener.document.edits.skin import skin
from inbetweener.document.edits.solve import contact_to_targets, solve, solved_targets, targets_of
from inbetweener.document.edits.targets import (
    add_target,
    remove_target,
    rename_target,
    replace_target,
    switch_target,
    target,
)
from inbetweener.document.edits.timing import move_tick, scale_timing

__all__ = [
    "Result",
    "add_clip",
    "add_constraint",
    "add_layer",
    "add_prop",
    "add_target",
    "add_terms",
    "agree_poses",
    "bake",
    "clean",
    "contact_to_targets",
    "curve_of",
    "curves_of",
    "delete_keys",
    "drag",
    "duplicate_clip",
    "fit",
    "flatten_clip",
    "forget_roles",
    "free",
    "guide",
    "guide_request",
    "guided",
    "hold",
    "insert_key",
    "key_pose",
    "loosen",
    "merge_layers",
    "move_key",
    "move_layer",
    "move_tick",
    "mute_layer",
    "preset_tangents",
    "pull",
    "remove_bend",
    "remove_clip",
    "remove_constraint",
    "remove_curves",
    "remove_layer",
    "remove_prop",
    "remove_slide",
    "remove_target",
    "rename_bend",
    "rename_clip",
    "rename_constraint",
    "rename_document",
    "rename_joint",
    "rename_layer",
    "rename_target",
    "replace_clip",
    "replace_layer",
    "replace_loosening",
    "replace_prop",
    "replace_rule",
    "replace_target",
    "retarget",
    "retime_keys",
    "scale_timing",
    "set_clip_loops",
    "set_clip_range",
    "set_clip_rate",
    "set_curves",
    "set_interpolation",
    "set_kernels",
    "set_layer_weight",
    "set_limits",
    "set_looseness",
    "set_roles",
    "set_springs",
    "set_stiffness",
    "set_tangent",
    "set_view",
    "sketch",
    "sketch_pose",
    "sketched_at",
    "skin",
    "smooth_seam",
    "solve",
    "solved_targets",
    "suggest_contacts",
    "switch_constraint",
    "switch_looseness",
    "switch_target",
    "target",
    "targets_of",
    "tie_tangents",
    "twist",
]
