"""`inbetweener loosen`: let parts swing about their keyed motion, and still hit marks."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings
from inbetweener.cli.marks import bell_of, targets_of
from inbetweener.cli.source import ClipName, Json, Output, Source, open_source
from inbetweener.errors import InvalidDocument, UnknownName

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.kinodynamics import Bake, Looseness, Window
    from inbetweener.kinodynamics.solution import Solution, TargetOutcome


def loosen(
    source: Source,
    output: Output,
    tension: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]TENSION",
            help="What swings, and how: relaxed (or tight firm loose drunk) for all joints, spine*=loose, "
            "spine=3,0.4 in Hz and damping, tail=2..0.8 for a chain falling to its tip; repeat.",
        ),
    ] = None,
    tight: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Joints or channels that do not swing; repeat.")
    ] = None,
    window: Annotated[
        str | None, typer.Option(metavar="SECONDS|auto|adaptive", help="How far back each moment is simulated from.")
    ] = None,
    error: Annotated[float | None, typer.Option(help="Metres by which windows that are found may be off.")] = None,
    gravity: Annotated[
        float | None, typer.Option(help="How much of the earth's gravity pulls; none by default: keys hold a body up.")
    ] = None,
    drag: Annotated[
        float | None, typer.Option(help="1: damping holds against any movement; 0: only against leaving the keys.")
    ] = None,
    masses: Annotated[Literal["boxes", "human"] | None, typer.Option(help="How parts are weighed.")] = None,
    collide: Annotated[
        bool | None, typer.Option("--collide/--no-collide", help="Let the ground and props stop what is loose.")
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POINT@TIME=X,Y,Z|keyed", help="Where a joint or point must be at a time, in metres; repeat."
        ),
    ] = None,
    still: Annotated[
        list[str] | None, typer.Option(metavar="POINT@TIME", help="What must also stand still at a time; repeat.")
    ] = None,
    pose: Annotated[
        list[str] | None, typer.Option(metavar="TIME", help="When all that is loose must be as keyed; repeat.")
    ] = None,
    bell: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS[,AFTER][,polynomial]", help="How long motion gives way before and after a target; 0.5."
        ),
    ] = None,
    bake: Annotated[
        bool, typer.Option("--bake", help="Write what swings as a layer of keys, and switch looseness off.")
    ] = False,
    tolerance: Annotated[
        float | None, typer.Option(help="Metres by which a bake may be off; 0 for a key on every frame.")
    ] = None,
    clip: ClipName = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Also write a page with plots: paths, errors, corrections.")
    ] = None,
    json: Json = False,
) -> None:
    """Loosen SOURCE, solve for its targets and write it; no key moves: corrections and bakes are layers.

    What a .tween file already says about looseness stays unless an option changes it. Other formats know keys only, so
    they get the loose motion baked on every frame. Exits with 1 when a target cannot be hit; the nearest motion is
    written all the same.
    """
    from inbetweener.document import edits
    from inbetweener.formats import save
    from inbetweener.kinodynamics import InvalidLooseness
    from inbetweener.kinodynamics.bake import TOLERANCE

    if tolerance is not None and not bake:
        raise typer.BadParameter("only a bake is fitted; add --bake", param_hint="--tolerance")
    prepare_kernels()
    with printed_warnings() as notes:
        before = open_source(source)
        try:
            played = before.clip(clip)
            world = {"error": error, "gravity": gravity, "drag": drag, "masses": masses, "collide": collide}
            looseness = _looseness(before, played.name, tension or [], tight or [])
            given: dict[str, Any] = {name: value for name, value in world.items() if value is not None}
            if window is not None:
                given["window"] = _window(window)
            document = edits.loosen(before, played.name, replace(looseness, **given))
            for one in targets_of(document.rig, played, target or [], still or [], pose or [], bell_of(bell)):
                document = edits.add_target(document, played.name, one)
        except (UnknownName, InvalidLooseness, InvalidDocument) as error_:
            raise typer.BadParameter(str(error_)) from error_
        document, solution = edits.solve_targets(document, played.name)
        baked: Bake | None = None
        shown = document
        if bake:
            within = TOLERANCE if tolerance is None else tolerance or None
            document, baked = edits.bake_loose(document, played.name, tolerance=within)
        # Also simulates every frame: what cannot be shown is not written.
        facts = _facts(shown, played.name, solution, baked)
        save(document, output)
        if report is not None:
            from inbetweener.cli.loosen_page import write_page

            write_page(shown, played.name, solution, report)
    if json:
        print_json({"output": str(output), **facts, "notes": notes})
    else:
        _print(facts)
        typer.echo(f"Wrote {output}")
    missed = [outcome.name for outcome in solution.outcomes if not outcome.reached]
    if missed:
        note(f"{', '.join(missed)} cannot be hit. The nearest motion was written.")
        raise typer.Exit(1)


def _looseness(document: "Document", clip: str, tensions: list[str], tight: list[str]) -> "Looseness":
    from inbetweener.kinodynamics import tension
    from inbetweener.kinodynamics.tension import matching

    old = document.loosening(clip).looseness
    springs = dict(old.springs)
    for text in tensions:
        springs.update(tension(document.rig, text))
    for pattern in tight:
        for name in matching(document.rig, pattern):
            springs.pop(name, None)
    if not springs and not old.soft:
        raise typer.BadParameter("nothing is loose; name what swings, as in --tension relaxed", param_hint="--tension")
    return replace(old, springs=springs)


def _window(text: str) -> "Window":
    if text == "auto":
        return "auto"
    if text == "adaptive":
        return "adaptive"
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is no window; write seconds as 0.4, or auto, or adaptive", param_hint="--window"
        ) from None


def _facts(document: "Document", clip: str, solution: "Solution", baked: "Bake | None") -> dict[str, Any]:
    import numpy as np

    from inbetweener.kinodynamics import LooseMotion

    motion, times = document.shown_motion(clip), document.clip(clip).frame_times
    strayed = np.linalg.norm(motion.joint_positions(times) - document.motion(clip).joint_positions(times), axis=-1)
    at, joint = np.unravel_index(int(strayed.argmax()), strayed.shape)
    lengths = motion.window(times) if isinstance(motion, LooseMotion) else np.zeros(1)
    return {
        "clip": clip,
        "springs": {
            name: {"frequency_hz": spring.frequency, "damping": spring.damping}
            for name, spring in document.loosening(clip).looseness.springs.items()
        },
        "window_s": [float(lengths.min()), float(lengths.max())],
        "furthest": {
            "joint": document.rig.joints[joint].name,
            "metres": float(strayed[at, joint]),
            "time": float(times[at]),
        },
        "targets": [_outcome(outcome) for outcome in solution.outcomes],
        "windows": solution.windows,
        "bake": None
        if baked is None
        else {"layer": baked.layer.name, "keys": baked.keys, "frames": baked.frames, "error_m": baked.error},
    }


def _outcome(outcome: "TargetOutcome") -> dict[str, Any]:
    from math import degrees

    return {
        "name": outcome.name,
        "time": outcome.target.time,
        "reached": outcome.reached,
        "summary": outcome.summary,
        "missed_by_m": outcome.after.distance,
        "missed_by_degrees": degrees(outcome.after.turn),
        "missed_by_m_per_s": outcome.after.speed,
        "missed_before_m": outcome.before.distance,
    }


def _print(facts: dict[str, Any]) -> None:
    furthest, (least, most) = facts["furthest"], facts["window_s"]
    window = f"{most:.2f} s" if most - least < 1e-9 else f"{least:.2f} to {most:.2f} s"
    typer.echo(
        f"{len(facts['springs'])} springs, windows of {window}; {furthest['joint']} strays furthest from its keys: "
        f"{100 * furthest['metres']:.1f} cm at {furthest['time']:.2f} s"
    )
    for each in facts["targets"]:
        typer.echo(f"  {each['summary']}" if each["reached"] else typer.style(f"  {each['summary']}", fg="red"))
    if facts["bake"]:
        bake = facts["bake"]
        typer.echo(
            f"Baked into layer {bake['layer']!r}: {bake['keys']} keys, within {1000 * bake['error_m']:.2g} mm at frames"
        )
