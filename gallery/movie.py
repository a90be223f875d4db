"""All versions of a scene in one movie, side by side, so that they cannot get out of step; and a picture for it."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gallery.exhibit import Shot
from inbetweener.arrays import Bytes
from inbetweener.document import Document, Prop
from inbetweener.kinodynamics import PointTarget, SoftPoint
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform, Vector
from inbetweener.render import Camera, Look, Renderer
from inbetweener.render.colour import linear
from inbetweener.render.movie import movie_rate, movie_times, write_mp4
from inbetweener.render.output import complete
from inbetweener.render.stage import Stage
from inbetweener.skinning import vertex_place
from inbetweener.system import replace_file

RATE = 24.0
GAP = (0x1D, 0x20, 0x27)
"""The colour between two versions: that of the page."""
MARK_M = 0.022
YELLOW = (0xF4 / 255, 0xD3 / 255, 0x5E / 255)


@dataclass(frozen=True)
class Film:
    """How long a movie is, and how its versions are laid out."""

    frames: int
    rate: float
    columns: int
    rows: int


def film(versions: Sequence[Document], points: tuple[str, ...], path: Path, shot: Shot) -> Film:
    """Write the movie to `path`, and its poster beside it as .jpg."""
    columns = shot.columns or (2 if len(versions) == 4 else min(len(versions), 3))
    rows = -(-len(versions) // columns)
    width, height = shot.size

    def look(seen: Document) -> Look:
        camera = Camera.of(shot.view) if shot.view else Stage(seen, None, Look()).framed(width / height)
        return Look(camera=camera, points=points, ground=shot.ground)

    # Seen by one camera, that of the last version: those that tear must not push it into the distance.
    looks = [look(each) for each in versions] if shot.apart else [look(versions[-1])] * len(versions)
    with ExitStack() as stack:
        renderers = [
            stack.enter_context(Renderer(each, None, seen, shot.size))
            for each, seen in zip(_marked(versions), looks, strict=True)
        ]
        clip = renderers[0].stage.clip
        rate = movie_rate(clip, None, RATE)
        times = movie_times(clip, rate)
        poster = min(shot.poster, len(times) - 1)

        def frames() -> Iterator[Bytes]:
            for number, time in enumerate(times):
                picture = _tiled([each.frame(float(time)) for each in renderers], columns, rows)
                if number == poster:
                    _save(picture, path.with_suffix(".jpg"))
                yield picture

        with complete(path) as partial:
            write_mp4(partial, frames(), (width * columns, height * rows), rate)
    return Film(len(times), rate, columns, rows)


def _tiled(pictures: Sequence[Bytes], columns: int, rows: int) -> Bytes:
    """Pictures of one size in rows, with a thin gap between them."""
    height, width = pictures[0].shape[:2]
    sheet = np.empty((rows * height, columns * width, 3), np.uint8)
    sheet[:] = GAP
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        sheet[row * height + 1 : (row + 1) * height, column * width + 1 : (column + 1) * width] = picture[1:, 1:]
    return sheet


def _marked(versions: Sequence[Document]) -> list[Document]:
    """Versions with marks where their targets are; one without any shows what the next one is to hit."""
    found: list[Document] = []
    marks: list[Prop] = []
    for document in reversed(versions):
        marks = _marks(document) or marks
        found.insert(0, replace(document, props=(*document.props, *marks)))
    return found


def _marks(document: Document) -> list[Prop]:
    """A small yellow ball wherever a target wants a point to be."""
    found = []
    for aim in document.loosening().aims:
        target = aim.target
        if not (aim.on and isinstance(target, PointTarget)) or target.position is None:
            continue
        place = _keyed(document, target) if target.position == "keyed" else target.position
        found.append(Prop(f"mark of {aim.name}", Sphere(MARK_M), Transform(place), colour=_light(YELLOW)))
    return found


def _keyed(document: Document, target: PointTarget) -> Vector:
    """Where a target's point is without looseness and corrections."""
    point = target.point
    if isinstance(point, SoftPoint):
        point = vertex_place(next(mesh for mesh in document.meshes if mesh.name == point.mesh), point.vertex)
    bare = replace(document, clips=(replace(document.clip(), layers=()),))
    x, y, z = bare.motion().states([target.time], point)[0][0].tolist()
    return x, y, z


def _light(srgb: tuple[float, float, float]) -> tuple[float, float, float]:
    r, g, b = (float(value) for value in linear(srgb))
    return r, g, b


def _save(picture: Bytes, path: Path) -> None:
    from io import BytesIO

    from PIL import Image

    data = BytesIO()
    Image.fromarray(picture).save(data, "JPEG", quality=88)
    replace_file(path, data.getvalue())
