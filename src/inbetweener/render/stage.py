"""A stage: a document's clip and a look, compiled; gives the scene at any time."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document, Prop
from inbetweener.errors import InvalidDocument
from inbetweener.maths import transforms
from inbetweener.motion import Clip, Motion
from inbetweener.render import colour, shapes
from inbetweener.render.body import Body, Pose, diagonal
from inbetweener.render.camera import Camera, framing
from inbetweener.render.colour import key_direction
from inbetweener.render.floor import Floor, floor_height, grid_step, shadowed
from inbetweener.render.scene import Look, Scene, light_map
from inbetweener.render.shapes import EMPTY, Batch, joined
from inbetweener.rig import Point, Rig


def world_from_prop(prop: Prop, rig: Rig, pose: Pose) -> Floats:
    """Where a prop is in a pose (3, 4)."""
    placed = prop.transform.matrix()
    if prop.joint is None:
        return placed
    return transforms.product(pose.world_from_joint[rig.joint_index(prop.joint)], placed)


def prop_vertices(prop: Prop, rig: Rig, pose: Pose) -> Floats:
    """The surface of a prop in the world (n, 3)."""
    return transforms.apply(world_from_prop(prop, rig, pose), shapes.solid(prop.solid)[0])


def draw_prop(prop: Prop, rig: Rig, pose: Pose, body: Floats) -> Batch:
    """A prop in its own colour; an obstacle in a quiet warm one, red when a point of the body (n, 3) is inside it."""
    placed = world_from_prop(prop, rig, pose)
    if prop.role == "obstacle":
        painted = colour.linear(colour.ALARM if is_inside(prop, placed, body) else colour.OBSTACLE)
    else:
        painted = np.asarray(prop.colour)
    return Batch.painted(*shapes.copies(shapes.solid(prop.solid), placed[None, :, :3], placed[None, :, 3]), painted)


def is_inside(prop: Prop, placed: Floats, body: Floats) -> bool:
    """Whether any point of the body is inside the prop; never for what the body itself carries."""
    if prop.joint is not None or not len(body):
        return False
    return bool(np.min(prop.solid.distance(transforms.apply(transforms.inverse(placed), body))) < 0)


SAMPLES_A_FRAME = 6
MOST_SAMPLES = 4000
WIRE, TICK, DOT = 1.7, 2.9, 6.0
"""Radii in units of 1/540 of the picture's height."""


def motion_curve(motion: Motion, points: Iterable[Point], unit: float) -> Batch:
    """The motion curves of points over the whole clip; `unit` metres are 1/540 of the picture's height."""
    return joined(batch for point in points for batch in _parts(motion, point, unit))


def _parts(motion: Motion, point: Point, unit: float) -> list[Batch]:
    clip = motion.clip
    frames = clip.frame_times
    wire = shapes.tube(motion.point_positions(path_times(motion, point), [point])[:, 0], WIRE * unit)
    parts = [Batch.painted(*wire, colour.linear(colour.ARC), glow=0.8)]
    if len(frames) > 1:
        at = motion.point_positions(frames, [point])[:, 0]
        # Where a point hardly moves its ticks would run into one another.
        radius = (
            TICK
            * unit
            * float(
                np.clip(
                    (float(np.linalg.norm(np.diff(at, axis=0), axis=-1).sum())) / (len(at) - 1) / (3 * TICK * unit),
                    0.6,
                    1.0,
                )
            )
        )
        ticks = shapes.copies(shapes.ball(6, 8), np.tile(radius * np.eye(3), (len(at), 1, 1)), at)
        tints = np.repeat(colour.linear(colour.speed_colours(_speed_share(at))), len(shapes.ball(6, 8)[0]), axis=0)
        parts.append(Batch.painted(*ticks, tints, glow=0.9))
    times = key_times(motion, point)
    if len(times):
        at = motion.point_positions(times, [point])[:, 0]
        dots = shapes.copies(shapes.ball(), np.tile(DOT * unit * np.eye(3), (len(at), 1, 1)), at)
        parts.append(Batch.painted(*dots, colour.linear(colour.KEY), glow=0.7))
    return parts


def path_times(motion: Motion, point: Point) -> Floats:
    """Times at which to draw the path so that it looks smooth: a few a frame, and more where the point leaps."""
    clip = motion.clip
    count = int(np.clip(SAMPLES_A_FRAME * (len(clip.frame_times) - 1) + 1, 2, MOST_SAMPLES))
    times = np.linspace(clip.start, clip.end, count)
    at = motion.point_positions(times, [point])[:, 0]
    steps = np.linalg.norm(np.diff(at, axis=0), axis=-1)
    longest = 0.01 * max(float(np.ptp(at, axis=0).max()), 1e-12)
    pieces = np.clip(np.ceil(steps / longest), 1, 32).astype(int)
    starts = np.repeat(np.cumsum(pieces) - pieces, pieces)
    share = (np.arange(len(starts)) - starts) / np.repeat(pieces, pieces)
    spread = np.repeat(times[:-1], pieces) + share * np.repeat(np.diff(times), pieces)
    return np.concatenate([spread, times[-1:]])


def key_times(motion: Motion, point: Point) -> Floats:
    """When any channel that moves the point has a key; none for a clip sampled so densely that keys mean nothing."""
    clip, times = motion.clip, motion.key_times(point)
    times = times[(times >= clip.start - 1e-9) & (times <= clip.end + 1e-9)]
    # Captured motion has a key on every frame: dots on all of them would only hide the ticks.
    return times if len(times) <= max(2, len(clip.frame_times) // 2) else np.empty(0)


def _speed_share(at: Floats) -> Floats:
    """0 for the slowest step along frames (F, 3), 1 for the fastest."""
    speed = np.linalg.norm(np.gradient(at, axis=0), axis=-1)
    return speed / max(float(speed.max()), 1e-12)


_NOTHING = np.array([[-1.0, 0.0, -1.0], [1.0, 1.5, 1.0]])
"""The room that a document without anything in it is given."""


class Stage:
    """Everything that stays from frame to frame, worked out once."""

    def __init__(self, document: Document, clip: str | None = None, look: Look | None = None) -> None:
        self.document = document
        self.look = look or Look()
        self.clip = document.clip(clip) if document.clips or clip is not None else Clip("rest", end=0.0)
        self.points = tuple(document.rig.point(name) for name in self.look.points)
        # A camera may follow only what has nothing around it that stays behind.
        scene = self.look.camera == "scene"
        chosen = isinstance(self.look.camera, Camera) or scene or (self._own_view and document.view is not None)
        around = self.points or self._ghost_frames or document.props
        self.body = Body(document, self.clip, follow=not (chosen or around))
        self._curves: tuple[float, Batch] | None = None

    @property
    def _own_view(self) -> bool:
        return self.look.camera in (None, "view")

    @cached_property
    def extent(self) -> Floats:
        """What must be in the picture (n, 3): the character over the whole clip and the props around it."""
        return self._with_props(self.body.extent)

    def _with_props(self, body: Floats) -> Floats:
        first = self.body.pose(self.clip.start)
        props = [prop_vertices(prop, self.document.rig, first) for prop in self.document.props]
        # A prop far larger than the character, such as a wall, must not push it into the distance.
        seen = [corners for corners in props if not len(body) or diagonal(corners) <= 3 * diagonal(body)]
        everything = np.concatenate([body, *seen])
        return everything if len(everything) else _NOTHING

    @cached_property
    def size(self) -> float:
        """About how large the character is, or all of the props where there is none, in metres."""
        return self.body.size if len(self.body.rough_extent) else diagonal(self._with_props(np.empty((0, 3))))

    def framed(self, aspect: float) -> Camera:
        """The camera that the look asks for; else the document's view; else one that frames the whole clip."""
        chosen = self.look.camera
        if isinstance(chosen, Camera):
            return chosen
        if chosen == "scene":
            return self.seen(self.clip.start)
        if chosen is not None and chosen != "view":
            return framing(self.extent, aspect, chosen)
        return Camera.of(self.document.view) if self.document.view else framing(self.extent, aspect)

    def seen(self, time: float) -> Camera:
        """The scene's camera at a time."""
        staging = self.document.staging(self.clip.name) if self.document.clips else None
        if staging is None or not staging.camera:
            raise InvalidDocument(f"clip {self.clip.name!r} has no scene camera; key one, or choose another view")
        return Camera.of(staging.view(time))

    def scene(self, time: float, framed: Camera) -> Scene:
        """What a camera, carried along where it may follow, sees at a time in seconds."""
        path = self.body.path(time)
        camera = framed.moved(path)
        pose = self.body.pose(time)
        skin = self.body.skin(pose)
        bones = self.body.bones(pose) if self.look.style != "shaded" or not len(skin) else EMPTY
        touching = skin.vertices.astype(np.float64) if len(skin) else pose.origins
        props = joined(draw_prop(prop, self.document.rig, pose, touching) for prop in self.document.props)
        glass = [_behind(ghost, camera, 0.06 * self.size) for ghost in self._ghosts]
        if self.look.style == "x-ray":
            glass.append(skin.tinted(colour.linear(colour.GHOST), 0.6, 0.35))
        floor = None
        if self.look.ground:
            floor = self._shadowed(joined([skin if len(skin) else bones, props]), camera, path)
        shown = skin if self.look.style == "shaded" else EMPTY
        solid = joined([shown, bones, props])
        return Scene(
            camera,
            solid,
            self._motion_curves(camera),
            _sorted(glass, camera),
            floor,
            light_map(solid, shown, key_direction(camera)),
        )

    @cached_property
    def _ghost_frames(self) -> list[int]:
        onion = self.look.onion
        if not isinstance(onion, int):
            return list(onion)
        last = len(self.clip.frame_times) - 1
        return sorted(set(np.linspace(0, last, max(onion, 0)).round().astype(int).tolist()))

    @cached_property
    def _ghosts(self) -> list[Batch]:
        poses = [self.body.pose(self.clip.start + frame / self.clip.rate) for frame in self._ghost_frames]
        return [self._ghost(pose).tinted(colour.linear(colour.GHOST), 0.75, 0.85) for pose in poses]

    def _ghost(self, pose: Pose) -> Batch:
        skin = EMPTY if self.look.style == "skeleton" else self.body.skin(pose)
        return skin if len(skin) else self.body.bones(pose)

    def _motion_curves(self, camera: Camera) -> Batch:
        """The same object as long as the camera keeps its distance, so that it is sent to the driver only once."""
        unit = camera.pixel_size(540)
        if self._curves is None or self._curves[0] != unit:
            self._curves = unit, motion_curve(self.body.motion, self.points, unit)
        return self._curves[1]

    @cached_property
    def _floor(self) -> Floor:
        extent = self._with_props(self.body.rough_extent)
        low, high = extent.min(axis=0), extent.max(axis=0)
        middle = (low + high) / 2
        fade = 2.2 * max(self.size, 0.75 * float(np.linalg.norm(high - low)))
        height = floor_height(float(low[1]), self.size)
        return Floor(height, (float(middle[0]), float(middle[2])), fade, grid_step(self.size))

    def _shadowed(self, casting: Batch, camera: Camera, path: Floats) -> Floor:
        bare = self._floor
        shadow, corner, width = shadowed(casting, bare.height, self.size, key_direction(camera))
        centre = bare.centre[0] + float(path[0]), bare.centre[1] + float(path[2])
        return replace(bare, centre=centre, shadow=shadow, corner=corner, width=width)


def _behind(batch: Batch, camera: Camera, by: float) -> Batch:
    """The same picture a little farther away, so that a ghost near the body never speckles it."""
    eye = np.asarray(camera.eye)
    moved = eye + (batch.vertices - eye) * (1 + by / camera.distance)
    return replace(batch, vertices=moved.astype(np.float32))


def _sorted(glass: list[Batch], camera: Camera) -> tuple[Batch, ...]:
    """Those with anything to show, from far to near."""
    eye = np.asarray(camera.eye)
    shown = [batch for batch in glass if len(batch)]
    return tuple(sorted(shown, key=lambda batch: -float(np.linalg.norm(batch.vertices.mean(axis=0) - eye))))
