"""Edits: each takes a document and returns a new one that shares all parts it did not change.

Verbs, what a person can do to a document, answer with a result that also says what became of the wish; the page, the
command line and programs all use them.
"""

from inbetweener.document.edits.clean import clean
from inbetweener.document.edits.clipboard import copy_keys, cut_keys, paste_keys
from inbetweener.document.edits.clips import (
    add_clip,
    duplicate_clip,
    new_clip,
    remove_clip,
    rename_clip,
    replace_clip,
    replace_layer,
    reverse_clip,
    set_clip_loops,
    set_clip_range,
    set_clip_rate,
    set_kernels,
    shift_clip,
)
from inbetweener.document.edits.constraints import (
    add_constraint,
    remove_constraint,
    rename_constraint,
    replace_rule,
    switch_constraint,
)
from inbetweener.document.edits.contacts import agree_poses, hold, remove_slide, suggest_contacts
from inbetweener.document.edits.curves import curve_of, curves_of, fit, loop, remove_curves, set_curves, smooth_seam
from inbetweener.document.edits.drag import drag
from inbetweener.document.edits.guide import add_terms, guide, guide_request, guided
from inbetweener.document.edits.handles import give_handles, switch_limb, take_handles
from inbetweener.document.edits.keys import (
    block_clip,
    delete_keys,
    filter_angles,
    insert_keys,
    key_pose,
    move_key,
    preset_tangents,
    retime_keys,
    set_interpolation,
    set_tangent,
    tie_tangents,
)
from inbetweener.document.edits.layers import (
    add_layer,
    flatten_clip,
    layer,
    mask_layer,
    merge,
    merge_layers,
    move_layer,
    mute_layer,
    override_layer,
    remove_layer,
    rename_layer,
    set_layer_weight,
    solo_layer,
)
from inbetweener.document.edits.loosen import (
    bake,
    loosen,
    replace_loosening,
    set_looseness,
    set_springs,
    switch_looseness,
)
from inbetweener.document.edits.own_poses import own_pose
from inbetweener.document.edits.path import bend_path, travel
from inbetweener.document.edits.poses import apply_pose, blend_pose, mirror_pose, paste_pose, reset_pose
from inbetweener.document.edits.prepare import prepare
from inbetweener.document.edits.pull import pull
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.retarget import retarget
from inbetweener.document.edits.rig import (
    forget_roles,
    free,
    rename_joint,
    set_limits,
    set_roles,
    set_stiffness,
    stiffen,
)
from inbetweener.document.edits.sampling import resample, trim
from inbetweener.document.edits.scene import add_prop, remove_prop, rename_document, replace_prop, set_view
from inbetweener.document.edits.several import add, only, place, remove
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
from inbetweener.document.edits.spacing import chart, snap_keys, stagger
from inbetweener.document.edits.staging import camera, picture, sound
from inbetweener.document.edits.targets import (
    add_target,
    remove_target,
    rename_target,
    replace_target,
    switch_target,
    target,
)
from inbetweener.document.edits.timing import move_tick, scale_timing
from inbetweener.document.edits.twists import follow_twists
from inbetweener.document.edits.whole import mirror_clip, set_speed

__all__ = [
    "Result",
    "add",
    "add_clip",
    "add_constraint",
    "add_layer",
    "add_prop",
    "add_target",
    "add_terms",
    "agree_poses",
    "apply_pose",
    "bake",
    "bend_path",
    "blend_pose",
    "block_clip",
    "camera",
    "chart",
    "clean",
    "contact_to_targets",
    "copy_keys",
    "curve_of",
    "curves_of",
    "cut_keys",
    "delete_keys",
    "drag",
    "duplicate_clip",
    "filter_angles",
    "fit",
    "flatten_clip",
    "follow_twists",
    "forget_roles",
    "free",
    "give_handles",
    "guide",
    "guide_request",
    "guided",
    "hold",
    "insert_keys",
    "key_pose",
    "layer",
    "loop",
    "loosen",
    "mask_layer",
    "merge",
    "merge_layers",
    "mirror_clip",
    "mirror_pose",
    "move_key",
    "move_layer",
    "move_tick",
    "mute_layer",
    "new_clip",
    "only",
    "override_layer",
    "own_pose",
    "paste_keys",
    "paste_pose",
    "picture",
    "place",
    "prepare",
    "preset_tangents",
    "pull",
    "remove",
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
    "resample",
    "reset_pose",
    "retarget",
    "retime_keys",
    "reverse_clip",
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
    "set_speed",
    "set_springs",
    "set_stiffness",
    "set_tangent",
    "set_view",
    "shift_clip",
    "sketch",
    "sketch_pose",
    "sketched_at",
    "skin",
    "smooth_seam",
    "snap_keys",
    "solo_layer",
    "solve",
    "solved_targets",
    "sound",
    "stagger",
    "stiffen",
    "suggest_contacts",
    "switch_constraint",
    "switch_limb",
    "switch_looseness",
    "switch_target",
    "take_handles",
    "target",
    "targets_of",
    "tie_tangents",
    "travel",
    "trim",
    "twist",
]
