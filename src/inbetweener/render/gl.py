"""Drawing with OpenGL on an EGL context: no window, no display server."""

from typing import Any

import numpy as np

from inbetweener.arrays import Bytes, Floats
from inbetweener.errors import InbetweenerError
from inbetweener.render import colour, shaders
from inbetweener.render.camera import Camera
from inbetweener.render.colour import lamps
from inbetweener.render.floor import NO_FLOOR, Backdrops
from inbetweener.render.scene import Scene
from inbetweener.render.shapes import Batch
from inbetweener.render.software import FAINT, GLASS, SOLID, THROUGH

SAMPLES = 4


class NoGraphics(InbetweenerError):
    """OpenGL cannot be had here."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(
            f"no OpenGL through EGL ({' '.join(str(cause).split())}); "
            "on Debian and Ubuntu, apt install libegl1 libgl1-mesa-dri helps"
        )


class GLBackend:
    """Draws scenes at one size; keeps its context, shaders and buffers from frame to frame."""

    name = "gl"

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self._context = context = _context()
        samples = min(SAMPLES, context.max_samples)
        self._target = context.framebuffer(
            [context.renderbuffer(size, 4, samples=samples)], context.depth_renderbuffer(size, samples=samples)
        )
        self._resolved = context.framebuffer([context.renderbuffer(size, 4)])
        self._body = context.program(vertex_shader=shaders.BODY_VERTEX, fragment_shader=shaders.BODY_FRAGMENT)
        self._back = context.program(vertex_shader=shaders.BACKDROP_VERTEX, fragment_shader=shaders.BACKDROP_FRAGMENT)
        corners = context.buffer(np.array([-1, -1, 3, -1, -1, 3], np.float32))
        self._screen = context.vertex_array(self._back, [(corners, "2f", "corner")])
        self._back_texture = context.texture(size, 4, dtype="f4")
        self._backdrops = Backdrops()
        self._shadow: Any = None
        self._moments: Any = None
        self._slots: dict[int, _Slot] = {}

    def draw(self, scene: Scene) -> Bytes:
        """The picture (H, W, 3)."""
        # Another backend may have been made or used since: its context would take what is meant for ours.
        with self._context:
            return self._drawn(scene)

    def _drawn(self, scene: Scene) -> Bytes:
        context, camera = self._context, scene.camera
        self._target.use()
        context.enable_only(context.DEPTH_TEST)
        self._draw_backdrop(scene)
        self._aim(scene)
        solid = self._slot(0, scene.solid, camera)
        overlay = self._slot(1, scene.overlay, camera)
        self._body["shadowed"] = scene.light_map.is_used
        self._pass(solid, SOLID, "<=")
        self._body["shadowed"] = False
        context.enable(context.BLEND)
        context.blend_func = context.SRC_ALPHA, context.ONE_MINUS_SRC_ALPHA
        # What is hidden shows faintly, once: only its front faces, and without a trace in the depth buffer.
        context.enable(context.CULL_FACE)
        self._target.depth_mask = False
        self._pass(overlay, THROUGH, ">")
        self._target.depth_mask = True
        context.disable(context.CULL_FACE)
        self._pass(overlay, SOLID, "<=")
        for index, batch in enumerate(scene.glass):
            slot = self._slot(2 + index, batch, camera)
            # Depth first, so that only the nearest surface of each glass body is seen.
            # (moderngl's colour mask has no effect on a framebuffer of one renderbuffer, so blend nothing in.)
            context.blend_func = context.ZERO, context.ONE
            self._pass(slot, GLASS, "<")
            context.blend_func = context.SRC_ALPHA, context.ONE_MINUS_SRC_ALPHA
            self._pass(slot, GLASS, "<=")
        context.copy_framebuffer(self._resolved, self._target)
        width, height = self.size
        pixels = np.frombuffer(self._resolved.read(components=3, alignment=1), np.uint8)
        return np.ascontiguousarray(pixels.reshape(height, width, 3)[::-1])

    def close(self) -> None:
        """Give the context back."""
        self._context.release()

    def _pass(self, slot: "_Slot | None", mode: int, depth: str) -> None:
        if slot is None:
            return
        self._context.depth_func = depth
        self._body["mode"] = mode
        slot.array.render(vertices=slot.count)

    def _aim(self, scene: Scene) -> None:
        camera, light_map = scene.camera, scene.light_map
        lit = lamps(camera)
        if light_map.is_used:
            size = light_map.moments.shape[1::-1]
            if self._moments is None or self._moments.size != size:
                self._moments = self._context.texture(size, 2, dtype="f4")
                self._moments.filter = self._context.LINEAR, self._context.LINEAR
            self._moments.write(light_map.moments)
            self._moments.use(2)
        relative = light_map.map_from_world.copy()
        relative[:, 3] += relative[:, :3] @ np.asarray(camera.target)
        self._body["map_from_world"].write(relative.astype(np.float32).tobytes())
        self._body["moments"] = 2
        self._body["clip_from_world"].write(_clip_from_world(camera, self.size).T.astype(np.float32).tobytes())
        self._body["eye"] = tuple(np.subtract(camera.eye, camera.target))
        self._body["lamp_towards"].write(lit[:3, :3].astype(np.float32).tobytes())
        self._body["lamp_colour"].write(lit[:, 3:].astype(np.float32).tobytes())
        self._body["faint"] = FAINT

    def _draw_backdrop(self, scene: Scene) -> None:
        camera, floor = scene.camera, scene.floor or NO_FLOOR
        picture = self._backdrops.of(camera, scene.floor, self.size)
        if self._back_texture.extra is not picture:
            self._back_texture.write(picture)
            self._back_texture.extra = picture
        if self._shadow is None or self._shadow.size != floor.shadow.shape[::-1]:
            self._shadow = self._context.texture(floor.shadow.shape[::-1], 1, dtype="f4")
            self._shadow.filter = self._context.LINEAR, self._context.LINEAR
        self._shadow.write(np.ascontiguousarray(floor.shadow))
        self._back_texture.use(0)
        self._shadow.use(1)
        # Everything is sent relative to the target: single precision is poor far from the origin.
        x, _, z = camera.target
        right, above, backward = camera.axes()
        values: dict[str, Any] = {
            "size": tuple(map(float, self.size)),
            "focal": camera.focal(self.size[1]),
            "eye": tuple(np.subtract(camera.eye, camera.target)),
            "right": tuple(right),
            "above": tuple(above),
            "backward": tuple(backward),
            "tint": colour.SHADOW,
            "corner_": (floor.corner[0] - x, floor.corner[1] - z),
            "width": floor.width,
            "range": _range(camera),
            "back": 0,
            "shadow": 1,
        }
        for name, value in values.items():
            self._back[name] = value
        self._context.depth_func = "1"
        self._screen.render(vertices=3)

    def _slot(self, index: int, batch: Batch, camera: Camera) -> "_Slot | None":
        """The buffers that hold a batch; filled only when the batch or the origin is another one."""
        if not len(batch):
            return None
        slot = self._slots.get(index)
        if slot is None:
            slot = self._slots[index] = _Slot(self._context, self._body)
        slot.fill(batch, np.asarray(camera.target))
        return slot


class _Slot:
    """Vertex and index buffers that grow as needed."""

    def __init__(self, context: Any, program: Any) -> None:
        self._context, self._program = context, program
        self._batch: Batch | None = None
        self._origin = np.zeros(3)
        self._vertices: Any = None
        self._indices: Any = None
        self.array: Any = None
        self.count = 0

    def fill(self, batch: Batch, origin: Floats) -> None:
        """Hold this batch, relative to an origin."""
        if batch is self._batch and np.array_equal(origin, self._origin):
            return
        self._batch, self._origin = batch, origin
        near = (batch.vertices.astype(np.float64) - origin).astype(np.float32)
        vertices = np.concatenate([near, batch.normals, batch.paint], axis=1).tobytes()
        indices = batch.triangles.tobytes()
        self.count = batch.triangles.size
        if self._vertices is None or self._vertices.size < len(vertices) or self._indices.size < len(indices):
            for old in (self.array, self._vertices, self._indices):
                if old is not None:
                    old.release()
            self._vertices = self._context.buffer(reserve=len(vertices) * 5 // 4, dynamic=True)
            self._indices = self._context.buffer(reserve=len(indices) * 5 // 4, dynamic=True)
            names = ("vertex", "normal", "colour", "glow", "look", "emission")
            layout = [(self._vertices, "3f 3f 4f 1f 4f 3f", *names)]
            self.array = self._context.vertex_array(self._program, layout, self._indices)
        self._vertices.write(vertices)
        self._indices.write(indices)


def _context() -> Any:
    import moderngl

    settings: Any = {"backend": "egl", "require": 330}
    try:
        return moderngl.create_context(standalone=True, **settings)
    except Exception as error:  # the driver's loaders raise whatever they like
        raise NoGraphics(error) from error


def _range(camera: Camera) -> tuple[float, float]:
    """Nearest and farthest depth in metres."""
    return 1e-3 * camera.distance, 1e3 * camera.distance


def _clip_from_world(camera: Camera, size: tuple[int, int]) -> Floats:
    """Perspective (4, 4) of points relative to the camera's target."""
    near, far = _range(camera)
    high = 1 / np.tan(camera.fov / 2)
    project = np.zeros((4, 4))
    project[0, 0], project[1, 1] = high * size[1] / size[0], high
    project[2, 2], project[2, 3] = -(far + near) / (far - near), -2 * far * near / (far - near)
    project[3, 2] = -1.0
    view = np.eye(4)
    view[:3, :3] = camera.axes()
    view[:3, 3] = -camera.axes() @ np.subtract(camera.eye, camera.target)
    return project @ view
