"""Scenes that an animator works over, measured; every version as a movie in out/scenes.

`python -m benchmarks.scenes [--json]`
"""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from benchmarks.gestures import (
    boxer,
    conductor,
    control_panel,
    dino_punch,
    diver,
    drummer,
    flying_robot,
    follow_through,
    four_letters,
    fox_tail,
    guitarist,
    handshake,
    hat_and_door,
    kept_clear,
    one_scene,
    posed_arm,
    regularised,
    spider_walk,
    talking_face,
    two_balls,
    waving,
)
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure, main
from inbetweener.render import render_movie

FOLDER = Path(__file__).parents[1] / "out" / "scenes"

SCENES: dict[str, Callable[[], Worked]] = {
    "flying-robot": flying_robot.worked,
    "diver": diver.worked,
    "guitarist": guitarist.worked,
    "handshake": handshake.worked,
    "spider-walk": spider_walk.worked,
    "dino-punch": dino_punch.worked,
    "posed-arm": posed_arm.worked,
    "waving": waving.worked,
    "regularised": regularised.worked,
    "conductor": conductor.worked,
    "fox-tail": fox_tail.worked,
    "kept-clear": kept_clear.worked,
    "follow-through": follow_through.worked,
    "boxer": boxer.worked,
    "drummer": drummer.worked,
    "control-panel": control_panel.worked,
    "four-letters": four_letters.worked,
    "hat-and-door": hat_and_door.worked,
    "talking-face": talking_face.worked,
    "two-balls": two_balls.worked,
    "one-scene": one_scene.worked,
}


def measure() -> list[Figure]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    figures = []
    for name, work in SCENES.items():
        worked = work()
        for version, document in worked.versions.items():
            render_movie(document, FOLDER / f"{name}-{version.replace(' ', '-')}.mp4", points=worked.points)
        figures += [replace(figure, what=f"{name}, {figure.what}") for figure in worked.figures]
    return figures


if __name__ == "__main__":
    main("scenes", measure)
