# SPDX-License-Identifier: GPL-3.0-or-later
"""What the library does to documents, done to an object's action: contacts, guidance, looseness.

The object and its action become a document, curve by curve, the verb changes that, and what changed comes back into
the same F-curves: handles where only those did, values of keys where those did, or a new action where it is said so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import bpy

from inbetweener.document import Document, edits
from inbetweener.document.edits import Result

from . import loose
from .exchange import CLIP, document_of, fetched, point_of
from .pins import Place
from .refusal import Refused

R = TypeVar("R", bound=Result)


def _changed(
    ob: bpy.types.Object, scene: bpy.types.Scene, done: str, verb: Callable[[Document], R], *, turning: bool
) -> R:
    """Let a verb change an object."""
    result = verb(document_of(ob, scene, done, turning=turning).document)
    fetched(ob, scene, result.document)
    return result


def find_contacts(ob: bpy.types.Object, scene: bpy.types.Scene, places: Sequence[Place] = ()) -> Result:
    """Find where places are nearly still, by default hands, feet and toes, and keep that as contacts."""
    points = [point_of(ob, place) for place in places] or None
    return _changed(ob, scene, "searched", lambda document: edits.suggest_contacts(document, points), turning=True)


def agree(ob: bpy.types.Object, scene: bpy.types.Scene) -> Result:
    """Let the key poses of contacts agree: only values of keys change."""
    return _changed(ob, scene, "changed", edits.agree_poses, turning=True)


def hold(ob: bpy.types.Object, scene: bpy.types.Scene) -> Result:
    """Hold contacts between their keys, by handles alone."""
    return _changed(ob, scene, "changed", edits.hold, turning=True)


def guide(
    ob: bpy.types.Object,
    scene: bpy.types.Scene,
    terms: Mapping[str, float],
    *,
    frames: tuple[float, float] | None = None,
    bones: Sequence[str] = (),
    regularise: float = 0.3,
    gravity: bool = False,
) -> Result:
    """Lead handles to less cost; pins and contacts hold. Frames are the scene's, `bones` those that may change."""
    if not terms:
        raise Refused("nothing costs anything; choose effort, jerk or acceleration")
    within = None if frames is None else tuple(frame - scene.frame_start for frame in frames)
    channels = [f"{bone}.*" for bone in bones] or None

    def verb(document: Document) -> edits.Result:
        return edits.guide(
            document, terms=terms, frames=within, channels=channels, regularise=regularise, gravity=gravity
        )

    return _changed(ob, scene, "guided", verb, turning=False)


def bake(ob: bpy.types.Object, scene: bpy.types.Scene, tolerance: float, name: str = "") -> str:
    """Let what is loose swing, hit its marks, and bake that into a new action; the one before is kept. What it did."""
    if not loose.swings(ob):
        raise Refused(f"nothing of {ob.name} is loose; select bones and loosen them first")
    document = document_of(ob, scene, "loosened").document
    # Tails count as joints do: what is baked is as near to what was simulated there.
    tails = tuple(point_of(ob, (bone.name, "TAIL")) for bone in ob.pose.bones)
    document = replace(document, rig=replace(document.rig, points=tails))
    solved = edits.solve(document, clip=CLIP)
    baked = edits.bake(solved.document, clip=CLIP, tolerance=tolerance)
    flat = edits.flatten_clip(baked.document, CLIP)
    springs, wanted = loose.swings(ob), loose.marks(ob)
    data = ob.animation_data
    before, slot = data.action, data.action_slot.identifier
    before.use_fake_user = True
    made = before.copy()
    made.name = name or f"{before.name} loose"
    data.action = made
    data.action_slot = next(each for each in made.slots if each.identifier == slot)
    try:
        fetched(ob, scene, flat)
    except Exception:
        data.action = before
        data.action_slot = next(each for each in before.slots if each.identifier == slot)
        bpy.data.actions.remove(made)
        raise
    # What is baked is in the keys now, and would swing twice; it swings on in the action before.
    loose.keep(ob, [], [])
    told = "; ".join(filter(None, (str(baked.bake), solved.problem)))
    count = f"{len(springs)} springs" + (f", {len(wanted)} marks" if wanted else "")
    return f"{made.name}: {count} baked, {told}"
