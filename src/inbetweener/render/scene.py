"""What there is to see at one time, without saying who draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from inbetweener.errors import UnknownName
from inbetweener.render.batch import Batch
from inbetweener.render.camera import Camera
from inbetweener.render.floor import Floor
from inbetweener.render.self_shadow import UNUSED, LightMap

Style = Literal["shaded", "skeleton", "x-ray"]
STYLES: tuple[Style, ...] = get_args(Style)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Batches in the order they are drawn: solid, what shows through everything, and glass from far to near."""

    camera: Camera
    solid: Batch
    overlay: Batch
    glass: tuple[Batch, ...]
    floor: Floor | None
    light_map: LightMap = UNUSED


@dataclass(frozen=True, slots=True)
class Look:
    """What a picture shows, and how.

    `points` are points or joints whose motion curves are drawn. `onion` is a number of pale copies spread evenly over
    the clip, or the frames to show them at, counted from the start of the clip. `camera` is a Camera or the name of a
    preset; "view" or None is the document's own view, and a framing of the whole clip where it has none.
    """

    style: Style = "shaded"
    camera: Camera | str | None = None
    points: tuple[str, ...] = ()
    onion: int | Sequence[int] = ()
    ground: bool = True

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise UnknownName("style", self.style, STYLES)
