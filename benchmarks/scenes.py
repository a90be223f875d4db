"""Scenes that an animator works over by drags, measured; before and after as movies in out/scenes.

`python -m benchmarks.scenes [--json]`
"""

from pathlib import Path

import numpy as np

import inbetweener as ib
from benchmarks.gestures import dino_punch as punching
from benchmarks.gestures import diver as diving
from benchmarks.gestures import flying_robot as flying
from benchmarks.gestures import guitarist as strumming
from benchmarks.gestures import spider_walk as walking
from benchmarks.harness import Figure, main
from inbetweener.render import render_movie

FOLDER = Path(__file__).parents[1] / "out" / "scenes"


def measure() -> list[Figure]:
    return [*flying_robot(), *diver(), *guitarist(), *spider_walk(), *dino_punch()]


def flying_robot() -> list[Figure]:
    """Four keys, three obstacles, three drags."""
    before = ib.example("flying-robot")
    after, certificates = flying.after(before)
    movies("flying-robot", before, after, "body")
    hit, clear = flying.clearances(before), flying.clearances(after)
    growth = flying.peak_acceleration(after) / flying.peak_acceleration(before)
    return [
        Figure("flying-robot, drags", len(certificates), "", at_most=6),
        *(Figure(f"flying-robot, {name}, clearance before", 100 * d, "cm", at_most=0) for name, d in hit.items()),
        *(Figure(f"flying-robot, {name}, clearance after", 100 * d, "cm", at_least=1) for name, d in clear.items()),
        Figure("flying-robot, peak acceleration of the body before", flying.peak_acceleration(before), "m/s²"),
        Figure("flying-robot, growth of that acceleration", growth, "×", at_most=2.5),
    ]


def diver() -> list[Figure]:
    """Planted feet, then a fall."""
    before = ib.example("diver")
    after, certificates = diving.after(before)
    movies("diver", before, after, "hips", "ball_l")
    falls = [diving.fall_accelerations(each) for each in (before, after)]
    return [
        Figure("diver, drags", len(certificates), ""),
        Figure("diver, key poses put the feet apart by", 1e3 * diving.key_disagreement(before), "mm"),
        Figure("diver, slide of the feet before", 1e3 * diving.slide(before), "mm"),
        Figure("diver, slide of the feet after", 1e3 * diving.slide(after), "mm", at_most=1),
        *(
            Figure(f"diver, {which} vertical acceleration {when}", value, "m/s²")
            for when, fall in zip(("before", "after"), falls, strict=True)
            for which, value in (("lowest", float(fall.min())), ("highest", float(fall.max())))
        ),
        Figure("diver, root mean square off gravity before", off_gravity(falls[0]), "m/s²"),
        Figure("diver, root mean square off gravity after", off_gravity(falls[1]), "m/s²", at_most=1),
        Figure("diver, hips off the best parabola before", 1e3 * diving.off_parabola(before), "mm"),
        Figure("diver, hips off the best parabola after", 1e3 * diving.off_parabola(after), "mm", at_most=30),
    ]


def guitarist() -> list[Figure]:
    """Wider elbows, fingertips on the neck."""
    before = ib.example("guitarist")
    after, certificates = strumming.after(before)
    movies("guitarist", before, after, "forearm_l", "forearm_r")
    shifts = {tip.name: 1e3 * strumming.shift(before, after, tip) for tip in strumming.TIPS}
    elbows = {name: 100 * strumming.shift(before, after, before.rig.point(name)) for name in ("forearm_l", "forearm_r")}
    palm = 1e3 * strumming.shift(before, after, before.rig.point("palm_r"))
    return [
        Figure("guitarist, drags", len(certificates), ""),
        *(Figure(f"guitarist, {name}, moved", d, "cm", at_least=3) for name, d in elbows.items()),
        *(Figure(f"guitarist, {name}, moved on the neck", d, "mm", at_most=1) for name, d in shifts.items()),
        Figure("guitarist, strumming palm, moved", palm, "mm", at_most=1),
    ]


def spider_walk() -> list[Figure]:
    """Two key poses, four planted feet in each half."""
    before = ib.example("spider-walk")
    after, slides = walking.after(before)
    movies("spider-walk", before, after, "foot_1_l", "foot_2_l")
    return [
        Figure("spider-walk, worst slide of a standing foot before", 1e3 * max(s.before for s in slides), "mm"),
        Figure(
            "spider-walk, worst slide of a standing foot after", 1e3 * max(s.after for s in slides), "mm", at_most=1
        ),
    ]


def dino_punch() -> list[Figure]:
    """On its feet, then on the middle of its tail."""
    before = ib.example("dino-punch")
    after, snaps, slides = punching.after(before)
    movies("dino-punch", before, after, "tail_middle", "sole_r")
    skins = [punching.lowest_skin(each) for each in (before, after)]
    return [
        Figure("dino-punch, key poses snapped by at most", 1e3 * max(s.moved for s in snaps), "mm"),
        *(Figure(f"dino-punch, slide of {s.contact.point} before", 1e3 * s.before, "mm") for s in slides),
        *(Figure(f"dino-punch, slide of {s.contact.point} after", 1e3 * s.after, "mm", at_most=1) for s in slides),
        Figure("dino-punch, tail_middle below the floor before", -1e3 * punching.tail_heights(before).min(), "mm"),
        Figure("dino-punch, tail_middle below it after", -1e3 * punching.tail_heights(after).min(), "mm", at_most=1),
        Figure("dino-punch, skin below the floor while on its tail before", -1e3 * skins[0], "mm"),
        Figure("dino-punch, skin below the floor while on its tail after", -1e3 * skins[1], "mm"),
    ]


def off_gravity(accelerations: np.ndarray) -> float:
    return float(np.sqrt(np.mean((accelerations + 9.81) ** 2)))


def movies(name: str, before: ib.Document, after: ib.Document, *points: str) -> None:
    """Both movies of a scene, with the motion curves of some points."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    render_movie(before, FOLDER / f"{name}-before.mp4", points=points)
    render_movie(after, FOLDER / f"{name}-after.mp4", points=points)


if __name__ == "__main__":
    main("scenes", measure)
