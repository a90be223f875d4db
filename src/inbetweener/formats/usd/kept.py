"""A document of ours comes back from its file as it was, where no other program changed what it shows."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Bundle, Curve
from inbetweener.document import Document
from inbetweener.document.native.read import document_from, native_text
from inbetweener.document.validation import validate
from inbetweener.errors import InbetweenerError
from inbetweener.formats.files import baked
from inbetweener.formats.notes import Source
from inbetweener.formats.straighten import straightened
from inbetweener.formats.usd.joints import Moves, Skeleton
from inbetweener.formats.usd.layout import Bones, Layout, Played
from inbetweener.formats.usd.meshes import Shown
from inbetweener.formats.usd.splines import curve_of_knots
from inbetweener.maths import euler, quaternions, transforms
from inbetweener.motion import Curves
from inbetweener.skinning import BlendShape, Mesh

_SAME = 2e-5
"""How far what is shown may be from what we would write now, of what is compared: single precision and to spare."""
_SAME_SCALE = 1e-3
"""The same of scales, which UsdSkel has in half precision."""


def kept_text(document: Document) -> str:
    """The document as in a native file, without what stands elsewhere: arrays of meshes, curves of clips."""
    clips = tuple(replace(clip, curves=Curves()) for clip in document.clips)
    meshes = tuple(_emptied(mesh) for mesh in document.meshes)
    return native_text(replace(document, meshes=meshes, clips=clips, source=None)).decode()


def _emptied(mesh: Mesh) -> Mesh:
    shapes = tuple(BlendShape(each.name, each.channel, np.zeros((0, 3), np.float32)) for each in mesh.shapes)
    return replace(
        mesh, vertices=mesh.vertices[:0], triangles=mesh.triangles[:0], influences=mesh.influences[:0],
        weights=mesh.weights[:0], normals=None, uvs=None, colours=None, shapes=shapes,
        material=replace(mesh.material, texture=None),
    )  # fmt: skip


def restored(
    scene: dict[str, Any], skeleton: Skeleton, shown: Shown, path: Path, source: Source, *, trust: bool
) -> Document | None:
    """The document that the file keeps; None where it keeps none, or where the stage shows something else by now."""
    told = scene["kept"]
    if told is None:
        return None
    try:
        document, _ = document_from(told["text"].encode(), path, trust=trust)
        rate = float(scene["rate"])
        clips = []
        for clip in document.clips:
            found = told["clips"].get(clip.name, {})
            curves = {name: curve_of_knots(np.asarray(each["keys"]), rate) for name, each in found.items()}
            clips.append(replace(clip, curves=Curves(curves)))
        document = replace(document, clips=tuple(clips))
        layout = Layout(straightened(baked(document)[0]).document)
        document = replace(document, meshes=_meshes(document, layout, shown))
        validate(document)
    except InbetweenerError as error:
        source.note("", f"what the file keeps of its document is damaged ({error}); read as from another program")
        return None
    changed = _changed(layout, scene, skeleton)
    if changed is not None:
        source.leave_out(
            changed, "is not what the file's own channels make of it: channels, tangents and constraints are left out"
        )
        return None
    return document


def _meshes(document: Document, layout: Layout, shown: Shown) -> tuple[Mesh, ...]:
    """Meshes of the stage, with all digits of what the document keeps of them."""
    # Ours name a shape after its channel.
    channels = {label: name for (_, name), made in shown.shapes_of.items() for label, _ in made}
    numbered: dict[int, Mesh] = {}
    others = []
    for mesh, number in zip(shown.meshes, shown.numbers, strict=True):
        mesh = replace(mesh, shapes=tuple(replace(each, channel=channels[each.channel]) for each in mesh.shapes))
        if number is None or number in numbered or not 0 <= number < len(document.meshes):
            others.append(mesh)
        else:
            numbered[number] = _completed(document.meshes[number], mesh, layout)
    return (*(numbered[number] for number in sorted(numbered)), *others)


def _completed(kept: Mesh, found: Mesh, layout: Layout) -> Mesh:
    rig = layout.document.rig
    if found.joints != kept.joints or [s.channel for s in found.shapes] != [s.channel for s in kept.shapes]:
        return found
    scales = layout.scales[[rig.joint_index(name) for name in kept.joints]]
    binds = found.joint_from_mesh / scales[:, None, None]
    same = np.abs(binds - kept.joint_from_mesh).max() <= _SAME * (1 + np.abs(kept.joint_from_mesh).max())
    shapes = tuple(replace(new, name=old.name) for old, new in zip(kept.shapes, found.shapes, strict=True))
    colour = np.array(kept.material.colour)
    alike = found.colours is not None or bool(np.abs(colour - found.material.colour).max() < 1e-6)
    material = replace(kept.material, texture=found.material.texture) if alike else found.material
    colours = found.colours
    if colours is not None and found.material.texture is None:
        # What is shown is the product of both.
        colours = colours / np.append(np.where(colour[:3] > 0, colour[:3], 1.0), 1.0)
    return replace(
        found, name=kept.name, joint_from_mesh=kept.joint_from_mesh if same else binds, shapes=shapes,
        material=material, colours=colours,
    )  # fmt: skip


def _changed(layout: Layout, scene: dict[str, Any], skeleton: Skeleton) -> str | None:
    """The first place at which the stage is not what we would write now."""
    if scene["unit"] != 1.0 or scene["up"] != "Y":
        return "stage"
    skeletons = {each["path"]: each for each in scene["skeletons"]}
    animations = {each["path"]: each for each in scene["animations"]}
    for bones in layout.bones:
        told = skeletons.get(bones.path)
        rest = layout.rest(bones)
        if told is None or told["joints"] != bones.tokens or told["rest"] is None:
            return bones.path
        if not _close(np.asarray(told["rest"])[:, :3], rest, _SAME):
            return bones.path
        for played in layout.played:
            place = layout.animation(bones, played)
            if place not in animations or not _is_played(layout, bones, played, animations[place]):
                return place
    numbers = {node["path"]: n for n, node in enumerate(scene["nodes"])}
    chosen = next((each for each in layout.played if each.ident == scene["kept"]["chosen"]), None)
    chosen = chosen or (layout.played[0] if layout.played else None)
    for j, place in layout.nodes.items():
        found = skeleton.of_node.get(numbers[place]) if place in numbers else None
        if found is None or not _is_moved(layout, j, chosen, skeleton, found):
            return place
    return None


def _is_played(layout: Layout, bones: Bones, played: Played, told: dict[str, Any]) -> bool:
    rows = layout.rows(bones, played)
    if told["joints"] != bones.tokens or told["shapes"] != bones.shapes:
        return False
    for name, tolerance in (("translations", _SAME), ("rotations", _SAME), ("scales", _SAME_SCALE), ("weights", _SAME)):
        wanted, found = getattr(rows, name), told[name]
        if found is None:
            if wanted.size:
                return False
            continue
        values = np.asarray(found["values"])
        if values.shape != wanted.shape or (
            len(values) > 1 and not _close(np.asarray(found["times"]), rows.codes, 1e-6)
        ):
            return False
        if name == "rotations":
            values = values * np.where((values * wanted).sum(axis=-1, keepdims=True) < 0, -1.0, 1.0)
        if not _close(values, wanted, tolerance):
            return False
    return True


def _is_moved(layout: Layout, j: int, played: Played | None, skeleton: Skeleton, found: int) -> bool:
    """Whether a node stands and moves as the joint it is."""
    rig = layout.document.rig
    joint, moves = skeleton.joints[found], skeleton.moves.get(found, Moves())
    if joint.name != rig.joints[j].name:
        return False
    times = np.zeros(1) if played is None else played.clip.frame_times
    dofs = (rig.dof_map.dofs(rig.defaults[None]) if played is None else played.dofs)[:, 9 * j : 9 * j + 9]
    if moves == Moves():
        turned = transforms.compose(
            dofs[:, :3], _turned(rig.joints[j].rest.rotation, dofs, rig.joints[j].order), dofs[:, 6:]
        )
        return _close(np.broadcast_to(joint.rest.matrix(), turned.shape), turned, _SAME)
    if moves.turns is not None:
        return False
    # Angles that do not move are a part of the rest where they are found; where one moves, so are all found.
    parts = [
        *(moves.shift or joint.rest.translation),
        *(moves.angles or dofs[0, 3:6].tolist()),
        *(moves.scale or joint.rest.scale),
    ]
    values = [
        Bundle.of([each]).evaluate(times)[:, 0] if isinstance(each, Curve) else np.full(len(times), each)
        for each in parts
    ]
    return _close(np.stack(values, axis=1), dofs, _SAME)


def _turned(rest: Any, dofs: Floats, order: str) -> Floats:
    return quaternions.product(rest, quaternions.from_matrix(euler.to_matrix(dofs[:, 3:6], order)))


def _close(one: Floats, other: Floats, tolerance: float) -> bool:
    return bool(np.abs(one - other).max(initial=0.0) <= tolerance * (1 + np.abs(other).max(initial=0.0)))
