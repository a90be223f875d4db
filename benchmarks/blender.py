"""Drags inside Blender: taking hold, moving, arcs; and how far Blender itself finds the result from the wish.

Times are processor time.

`python -m benchmarks.blender` goes on in the environment that `make blender` makes, where Blender is installed.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks import harness
from benchmarks.harness import Figure
from interop.blender import environment

MOVES, ROUNDS = 40, 8


def measure() -> list[Figure]:
    import bpy

    from extension.tests import stage

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 250
    frames = range(1, 251, 12)
    plain = stage.armature(scene, 50, limbs=True)
    stage.animate(plain, ["QUATERNION", "XYZ"], frames=frames, turn=0.1)
    found = _of(scene, plain, "b49", "FK, 50 bones", (50.0, 5.0, 5.0))
    bpy.data.objects.remove(plain)
    rigged = stage.rigify(scene, frames)
    return found + _of(scene, rigged, "hand_ik.L", "Rigify, IK hand", (500.0, 16.0, 300.0))


def _of(scene: object, ob: object, bone: str, what: str, bounds: tuple[float, float, float]) -> list[Figure]:
    import bpy

    from extension.blender import arcs
    from extension.blender.dragging import Dragging
    from extension.tests import stage

    place, frame = (bone, "HEAD"), 115.0
    grabs, moves = [], []
    for _ in range(ROUNDS):
        grabs.append(_timed(lambda: Dragging(ob, place, frame, scene).cancel()))
    drag = Dragging(ob, place, frame, scene)

    def move(wish: np.ndarray) -> None:
        drag.to(wish)
        bpy.context.view_layer.update()

    wishes = drag.start + np.linspace(0.0, 1.0, MOVES)[1:, None] * np.array([0.02, -0.015, 0.02])
    for wish in wishes:
        moves.append(_timed(partial(move, wish)))
    drag.keep()
    off = float(np.linalg.norm(stage.where(scene, ob, bone, [frame])[0] - wishes[-1]))
    seen = [_timed(lambda: arcs.made(ob, [place], scene, 1, 250)) for _ in range(ROUNDS)]
    slices = [_longest_slice(ob, [place], scene) for _ in range(ROUNDS)]
    return [
        Figure(f"{what}: take hold, median", 1000.0 * np.median(grabs), "ms", at_most=bounds[0]),
        Figure(f"{what}: take hold, least", 1000.0 * min(grabs), "ms"),
        Figure(f"{what}: a move with Blender's update, median", 1000.0 * np.median(moves), "ms", at_most=bounds[1]),
        Figure(f"{what}: a move, least", 1000.0 * min(moves), "ms"),
        Figure(f"{what}: an arc of 250 frames, median", 1000.0 * np.median(seen), "ms", at_most=bounds[2]),
        Figure(f"{what}: an arc, least", 1000.0 * min(seen), "ms"),
        Figure(f"{what}: the longest slice of an arc, median", 1000.0 * np.median(slices), "ms", at_most=20.0),
        Figure(f"{what}: from the wish, as Blender evaluates it", 1000.0 * off, "mm", at_most=0.1),
    ]


def _timed(run: Callable[[], object]) -> float:
    """Seconds of processor time: what else the machine does is no matter, and all threads of Blender count."""
    begun = time.process_time()
    run()
    return time.process_time() - begun


def _longest_slice(ob: object, places: list[tuple[str, str]], scene: object) -> float:
    """Seconds for which making arcs bit by bit holds Blender up, the copy's making apart."""
    from extension.blender import arcs

    making, found = arcs.making([], ob, places, scene, 1, 250), []
    next(making)
    while True:
        begun = time.process_time()
        ended = next(making, making) is making
        found.append(time.process_time() - begun)
        if ended:
            return max(found)


if __name__ == "__main__":
    try:
        import bpy  # noqa: F401
    except ModuleNotFoundError:
        if not environment.is_there():
            sys.exit("Blender is not installed: `make blender` does, into .venv-blender (1 GB)")
        command = (str(environment.PYTHON), "-m", "benchmarks.blender", *sys.argv[1:])
        sys.exit(subprocess.run(command, cwd=environment.ROOT, env=environment.surroundings()).returncode)
    harness.main("blender", measure)
