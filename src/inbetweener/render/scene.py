"""What there is to see at one time, without saying who draws it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document, Prop
from inbetweener.errors import UnknownName
from inbetweener.maths import transforms
from inbetweener.motion import Clip, Motion
from inbetweener.render import colour, shapes
from inbetweener.render.batch import EMPTY, Batch, joined
from inbetweener.render.bones import skeleton
from inbetweener.render.camera import Camera, framing
from inbetweener.render.floor import Floor, floor_height, grid_step, shadowed
from inbetweener.render.light import key_direction
from inbetweener.render.motion_curve import motion_curve
from inbetweener.render.surface import Surface
from inbetweener.skinning.mesh import Singles

Style = Literal["shaded", "skeleton", "x-ray"]
STYLES: tuple[Style, ...] = get_args(Style)
MOST_FRAMES_LOOKED_AT = 200


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Batches in the order they are drawn: solid, glass from far to near, and what shows through everything."""

    camera: Camera
    solid: Batch
    glass: tuple[Batch, ...]
    overlay: Batch
    floor: Floor | None


@dataclass(frozen=True, slots=True)
class Look:
    """What a picture shows, and how.

    `points` are points or joints whose motion curves are drawn. `onion` is a number of pale copies spread evenly over
    the clip, or the frames to show them at, counted from the start of the clip. `camera` is a Camera, the name of a
    preset, or None for the document's own view.
    """

    style: Style = "shaded"
    camera: Camera | str | None = None
    points: tuple[str, ...] = ()
    onion: int | Sequence[int] = ()
    ground: bool = True

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise UnknownName("style", self.style, STYLES)


@dataclass(frozen=True, slots=True, eq=False)
class _Pose:
    channels: Floats
    world_from_joint: Floats


class Stage:
    """A document's clip and a look, compiled: gives the scene at any time."""

    def __init__(self, document: Document, clip: str | None = None, look: Look | None = None) -> None:
        self.document = document
        self.look = look or Look()
        self.clip = document.clip(clip) if document.clips or clip is not None else Clip("rest", end=0.0)
        self.motion = Motion(document.rig, self.clip)
        self.points = tuple(document.rig.point(name) for name in self.look.points)
        self._drawn_curves: tuple[float, Batch] | None = None
        self.surfaces = [Surface(mesh, document.rig) for mesh in document.meshes if len(mesh.triangles)]

    @property
    def with_bones(self) -> bool:
        """Whether bones are drawn: asked for, or all there is."""
        return self.look.style != "shaded" or not self.surfaces

    @cached_property
    def extent(self) -> Floats:
        """Everything that must be in the picture (n, 3): the character over the whole clip, and the props around it."""
        times = self.clip.frame_times
        if len(times) > MOST_FRAMES_LOOKED_AT:
            times = times[np.linspace(0, len(times) - 1, MOST_FRAMES_LOOKED_AT).round().astype(int)]
        channels = self.motion.channels(times)
        world = self.document.rig.world_from_joint(channels)
        found: list[Floats | Singles] = [world[..., 3].reshape(-1, 3)]
        for surface in self.surfaces:
            found.extend(surface.vertices(c, w) for c, w in zip(channels, world, strict=True))
        body = np.concatenate(found).astype(np.float64)
        # A prop far larger than the character, such as a wall, must not push it into the distance.
        props = [self._prop_vertices(prop, world[0]) for prop in self.document.props]
        near = [corners for corners in props if not len(body) or _size(corners) <= 3 * _size(body)]
        seen = np.concatenate([body, *near])
        return seen if len(seen) else np.array([[-1.0, 0.0, -1.0], [1.0, 1.5, 1.0]])

    @cached_property
    def size(self) -> float:
        """About how large the character is, in metres: the diagonal of one pose."""
        pose = self._pose(self.clip.start)
        skin = [surface.vertices(pose.channels, pose.world_from_joint) for surface in self.surfaces]
        body = np.concatenate([pose.world_from_joint[:, :, 3], *skin]).astype(np.float64)
        return _size(body) or _size(self.extent) or 1.0

    def camera(self, aspect: float) -> Camera:
        """The camera that the look asks for; else the document's view; else one that frames the whole clip."""
        chosen = self.look.camera
        if isinstance(chosen, Camera):
            return chosen
        if chosen == "view":
            chosen = None
        if chosen is None and self.document.view is not None:
            return Camera.of(self.document.view)
        return framing(self.extent, aspect, chosen or "three-quarter")

    def scene(self, time: float, camera: Camera) -> Scene:
        """What `camera` sees at a time in seconds."""
        pose = self._pose(time)
        skin = self._skin(pose)
        bones = skeleton(self.document.rig, pose.world_from_joint, self.size) if self.with_bones else EMPTY
        props = joined(self._prop(prop, pose, skin) for prop in self.document.props)
        # A ghost that coincides with the body itself would only speckle it.
        glass = [ghost for at, ghost in self._ghosts if abs(at - time) > 0.5 / self.clip.rate]
        match self.look.style:
            case "shaded":
                body = joined([skin, bones])
            case "skeleton":
                body = bones
            case "x-ray":
                body = bones
                glass.append(skin.tinted(colour.linear(colour.GHOST), 0.6, 0.35))
        glass = [batch for batch in glass if len(batch)]
        glass.sort(key=lambda batch: -float(np.linalg.norm(batch.vertices.mean(axis=0) - np.asarray(camera.eye))))
        return Scene(
            camera,
            joined([body, props]),
            tuple(glass),
            self._curves(camera),
            self._floor(joined([skin if self.surfaces else bones, props]), camera) if self.look.ground else None,
        )

    def _pose(self, time: float) -> _Pose:
        channels = self.motion.channels([time])
        return _Pose(channels[0], self.document.rig.world_from_joint(channels)[0])

    def _skin(self, pose: _Pose) -> Batch:
        return joined(surface.posed(pose.channels, pose.world_from_joint) for surface in self.surfaces)

    @cached_property
    def _ghosts(self) -> tuple[tuple[float, Batch], ...]:
        """Times and pale bodies."""
        times = self.clip.frame_times
        wanted = self.look.onion
        if isinstance(wanted, int):
            frames = np.linspace(0, len(times) - 1, max(wanted, 0)).round().astype(int).tolist()
        else:
            frames = list(wanted)
        made = []
        for frame in frames:
            time = self.clip.start + frame / self.clip.rate
            pose = self._pose(time)
            show_bones = self.look.style == "skeleton" or not self.surfaces
            body = skeleton(self.document.rig, pose.world_from_joint, self.size) if show_bones else self._skin(pose)
            made.append((time, body.tinted(colour.linear(colour.GHOST), 0.55, 0.8)))
        return tuple(made)

    def _curves(self, camera: Camera) -> Batch:
        """The motion curves; the same object as long as the camera keeps its distance, so it is sent only once."""
        unit = camera.pixel_size(540)
        if self._drawn_curves is None or self._drawn_curves[0] != unit:
            self._drawn_curves = unit, motion_curve(self.motion, self.points, unit)
        return self._drawn_curves[1]

    @cached_property
    def _bare_floor(self) -> Floor:
        low, high = self.extent.min(axis=0), self.extent.max(axis=0)
        middle = (low + high) / 2
        fade = 2.2 * max(self.size, 0.75 * float(np.linalg.norm(high - low)))
        height = floor_height(float(low[1]), self.size)
        return Floor(height, (float(middle[0]), float(middle[2])), fade, grid_step(self.size))

    def _floor(self, casting: Batch, camera: Camera) -> Floor:
        bare = self._bare_floor
        shadow, corner, width = shadowed(casting, bare.height, self.size, key_direction(camera))
        return replace(bare, shadow=shadow, corner=corner, width=width)

    def _world_from_prop(self, prop: Prop, world_from_joint: Floats) -> Floats:
        placed = prop.transform.matrix()
        if prop.joint is None:
            return placed
        return transforms.product(world_from_joint[self.document.rig.joint_index(prop.joint)], placed)

    def _prop_vertices(self, prop: Prop, world_from_joint: Floats) -> Floats:
        return transforms.apply(self._world_from_prop(prop, world_from_joint), shapes.solid(prop.solid)[0])

    def _prop(self, prop: Prop, pose: _Pose, skin: Batch) -> Batch:
        world_from_prop = self._world_from_prop(prop, pose.world_from_joint)
        painted = np.asarray(prop.colour)
        if prop.role == "obstacle":
            body = skin.vertices if len(skin) else pose.world_from_joint[:, :, 3]
            inside = prop.joint is None and self._hit(prop, world_from_prop, body)
            painted = colour.linear(colour.ALARM if inside else colour.OBSTACLE)
        placed = shapes.copies(shapes.solid(prop.solid), world_from_prop[None, :, :3], world_from_prop[None, :, 3])
        return Batch.painted(*placed, painted)

    def _hit(self, prop: Prop, world_from_prop: Floats, body: Floats | Singles) -> bool:
        """Whether any vertex of the character, or joint where it has no skin, is inside the prop."""
        if not len(body):
            return False
        return bool(np.min(prop.solid.distance(transforms.apply(transforms.inverse(world_from_prop), body))) < 0)


def _size(points: Floats | Singles) -> float:
    return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
