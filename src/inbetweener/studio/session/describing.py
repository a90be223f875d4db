"""The document in the page's words: what seldom changes, told whole when it does."""

import hashlib
import math
import secrets
import weakref
from functools import lru_cache

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.contacts import Apart, poses_apart
from inbetweener.curves import evaluate
from inbetweener.document import Constraint, Document, Prop
from inbetweener.document.native.structs import to_struct, to_told
from inbetweener.dynamics.body import Weighing
from inbetweener.errors import InvalidRig
from inbetweener.formats.gltf.looks import look_of
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.motion import Layer, Motion, is_dense
from inbetweener.posing import PRESETS
from inbetweener.rig import ROOT, Channel, Handle, Rig, chains
from inbetweener.rig.masses import MassModel
from inbetweener.skinning import Mesh
from inbetweener.studio.places import from_place
from inbetweener.studio.protocol import to_page
from inbetweener.studio.session.changes import moves_alike

_addresses: dict[int, str] = {}
"""By the mesh's id, as long as it lives."""


def scene(document: Document, clip: str) -> to_page.Scene:
    """Rig, as a clip has it weighed, meshes, props, clips and camera."""
    rig = document.rig
    rest = rig.rest_world()[..., 3]
    masses, centres = weighed(document, clip)
    anatomy = document.anatomy()
    return to_page.Scene(
        name=document.name,
        height=chains.size(rig) if rig.joints else 1.0,
        kind=anatomy.kind,
        joints=[
            to_struct(
                joint,
                to_page.JointInfo,
                rest=_vector(at),
                mass=float(mass),
                centre=_vector(centre),
                role=part.role,
                side=part.side,
                number=part.number,
                digit=part.digit,
                bare=joint.name in anatomy.bare,
            )
            for joint, at, mass, centre, part in zip(rig.joints, rest, masses, centres, anatomy, strict=True)
        ],
        channels=_channels(rig),
        points=to_told(rig.points, list[to_page.PointInfo]),
        meshes=[_mesh(document, mesh) for mesh in document.meshes],
        props=[_prop(prop) for prop in document.props],
        clips=[clip.name for clip in document.clips],
        view=to_told(document.view, to_page.ViewInfo | None),
        stiffness_presets=list(PRESETS),
        blending=document.blending,
    )


def clip(document: Document, name: str) -> to_page.Clip:
    """A clip without its curves."""
    shown = document.clip(name)
    layers = [_layer(each, shown.frame_times) for each in shown.layers]
    return to_struct(shown, to_page.Clip, frames=len(shown.frame_times), dense=is_dense(shown), layers=layers)


def _layer(layer: Layer, frames: Floats) -> to_page.LayerInfo:
    keyed = layer.weights
    return to_struct(
        layer,
        to_page.LayerInfo,
        weight_keys=[] if keyed is None else keyed.times.tolist(),
        weight_frames=[] if keyed is None else evaluate(keyed, frames).round(4).tolist(),
    )


def staging(document: Document, name: str) -> to_page.Staging:
    """What a clip is heard with and seen by."""
    staged = document.staging(name)
    sound, camera = staged.sound, None
    if staged.camera:
        frames = staged.seen(document.clip(name).frame_times).round(5).ravel().tolist()
        camera = to_page.SceneCamera([key.time for key in staged.camera], frames)
    told = None if sound is None else to_struct(sound, to_page.SoundInfo, url=f"/part/{digest(sound.data)}")
    picture = staged.picture
    seen = None
    if picture is not None:
        url = f"/part/{digest(picture.data)}"
        seen = to_struct(picture, to_page.PictureInfo, url=url, video=picture.is_video)
    return to_page.Staging(sound=told, camera=camera, picture=seen)


@lru_cache(maxsize=8)
def digest(data: bytes) -> str:
    """Names bytes by their content; remembered, as they are large and told of again and again."""
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def constraints(document: Document, motion: Motion) -> to_page.Constraints:
    """The pins, contacts and locks of the clip that moves."""
    listed = [each for each in document.constraints if each.clip == motion.clip.name]
    return to_page.Constraints(items=[_constraint(each, motion) for each in listed])


def _constraint(each: Constraint, motion: Motion) -> to_page.ConstraintInfo:
    apart = poses_apart(motion, each.rule)
    if not apart.is_noticed(chains.size(motion.rig)):
        apart = Apart()
    return to_page.ConstraintInfo(
        name=each.name,
        kind=each.kind,
        colour=each.rule.colour,
        stands=each.rule.stands,
        planted=each.rule.is_planted,
        momentary=each.rule.is_momentary,
        to=each.rule.to_name,
        place=from_place(each.rule.point),
        wanted=each.rule.wanted,
        start=_finite(each.rule.start),
        end=_finite(each.rule.end),
        on=each.on,
        apart=apart.distance,
        turned_apart=apart.turn,
    )


def mesh_url(mesh: Mesh) -> str:
    """Where a mesh's arrays are. A browser may keep them for ever, so no two meshes ever have the same address."""
    known = _addresses.get(id(mesh))
    if known is None:
        known = _addresses[id(mesh)] = f"/mesh/{secrets.token_hex(8)}"
        # Before its id can be given to another one.
        weakref.finalize(mesh, _addresses.pop, id(mesh)).atexit = False
    return known


def _channels(rig: Rig) -> list[to_page.ChannelInfo]:
    owners = {name: handle for handle in rig.handles for name in handle.channels}
    scales = np.cbrt(np.abs(np.linalg.det(rig.rest_world()[:, :, :3])))
    return [_channel(rig, scales, channel, owners.get(channel.name)) for channel in rig.channels]


def _channel(rig: Rig, scales: Floats, channel: Channel, handle: Handle | None) -> to_page.ChannelInfo:
    # A handle drives no degree of freedom alone, but moves what it turns and what sits at its end.
    joints = [drive.joint for drive in channel.drives] if handle is None else [*handle.joints, handle.tip.joint]
    owner = None if handle is None else handle.name
    metres = 1.0
    if channel.kind == "translation" and channel.drives:
        above = rig.joints[rig.joint_index(channel.drives[0].joint)].parent
        # A control may say its own metres.
        weight = math.hypot(*(drive.weight for drive in channel.drives))
        metres = (1.0 if above == ROOT else weight * float(scales[above])) or 1.0
    return to_struct(
        channel, to_page.ChannelInfo, joints=list(dict.fromkeys(joints)), handle=owner, metres=round(metres, 9)
    )


def _mesh(document: Document, mesh: Mesh) -> to_page.MeshInfo:
    url = mesh_url(mesh)
    found = look_of(document, mesh)
    look = None
    if found is not None:
        maps = {name: f"{url}/map/{name}" for name in found.maps}
        look = to_page.LookInfo(found.metal, found.rough, found.emission, found.bumps, found.shade, maps)
    return to_page.MeshInfo(
        name=mesh.name,
        url=url,
        joints=list(mesh.joints),
        colour=mesh.material.colour,
        double_sided=mesh.material.double_sided,
        texture=None if mesh.material.texture is None else f"{url}/texture",
        shapes=[shape.channel for shape in mesh.shapes],
        look=look,
    )


def _prop(prop: Prop) -> to_page.PropInfo:
    kind, sizes = _solid(prop.solid)
    return to_struct(prop, to_page.PropInfo, solid=kind, sizes=sizes)


def _solid(solid: Solid) -> tuple[str, list[float]]:
    match solid:
        case Sphere(radius):
            return "sphere", [radius]
        case Box(half):
            return "box", list(half)
        case Capsule(radius, half_length):
            return "capsule", [radius, half_length]


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _vector(values: object) -> tuple[float, float, float]:
    x, y, z = map(float, values)  # type: ignore[call-overload]
    return x, y, z


_last: tuple[Document, str, MassModel] | None = None


def weighed(document: Document, clip: str) -> tuple[Floats, Floats]:
    """Masses (J,) in kg, and centres (J, 3) in the joints' own frames, as a clip of a document has them."""
    global _last
    if not document.rig.joints:
        return np.empty(0), np.empty((0, 3))
    # A slider of stiffness makes a new rig at every move, and not one of them weighs anything else.
    if _last is None or not _weighs_alike(*_last[:2], document, clip):
        _last = document, clip, _masses(document, clip)
    return _last[2].masses, _last[2].centres


def weighing(document: Document, clip: str) -> tuple[Weighing, float | None]:
    """How a clip has the body weighed, and the whole of it where that is said."""
    looseness = document.loosening(clip).looseness
    return looseness.masses, looseness.total


def _weighs_alike(before: Document, old: str, after: Document, new: str) -> bool:
    way = weighing(before, old)
    same = way == weighing(after, new) and before.roles == after.roles
    return same and (way[0] != "mesh" or before.meshes == after.meshes) and moves_alike(before.rig, after.rig)


def _masses(document: Document, clip: str) -> MassModel:
    try:
        return document.body(clip or None).masses
    except InvalidRig:
        # A mesh that is closed no more, say: whatever is to move by it says so, and the rest is shown all the same.
        return document.body(clip or None, "boxes").masses
