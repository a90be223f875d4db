"""`inbetweener drag`: pull a point to another place at one time, by tangents alone."""

import math
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
import typer

from inbetweener.arrays import Floats
from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings
from inbetweener.cli.held import constraints_said
from inbetweener.cli.moments import moment, vector
from inbetweener.cli.source import ClipName, Json, Output, Source, open_source
from inbetweener.document import Document
from inbetweener.errors import UnknownName
from inbetweener.motion import Clip
from inbetweener.rig.freedom import Wanted
from inbetweener.tangents import Certificate, Constraint, DragRequest, Held, Lock, NothingToDrag

WELL = 5e-4
"""Constraints within this share of the character's height, or this many radians, count as held."""


def drag(
    source: Source,
    output: Output,
    point: Annotated[str, typer.Option(help="The joint or named point to drag.")],
    time: Annotated[
        str | None, typer.Option(help="When, in seconds, or in frames as 29f; also between frames.")
    ] = None,
    frame: Annotated[float | None, typer.Option(help="When, in frames; the same as --time 29f.")] = None,
    to: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="Where to, in metres in the world.")] = None,
    by: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="How far from where it is, in metres.")] = None,
    turn: Annotated[
        str | None, typer.Option(metavar="RX,RY,RZ", help="Turn it from how it is, in degrees: Rz·Ry·Rx in the world.")
    ] = None,
    pin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POINT[+turn][@FROM:TO]", help="Whose motion stays; with +turn its orientation too; repeat."
        ),
    ] = None,
    contact: Annotated[
        list[str] | None,
        typer.Option(metavar="POINT[+turn]@FROM:TO", help="What stands still from one time to another; repeat."),
    ] = None,
    attach: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POINT[+turn]=JOINT|PROP@FROM:TO", help="What stays in the space of a joint or prop; repeat."
        ),
    ] = None,
    lock: Annotated[
        list[str] | None, typer.Option(metavar="TIME", help="When the dragged point stays where it is; repeat.")
    ] = None,
    clip: ClipName = None,
    layer: Annotated[
        str | None, typer.Option(help="The layer whose tangents change; the base curves by default.")
    ] = None,
    suggest: Annotated[
        bool,
        typer.Option("--suggest", help="Where the target is not reached, propose the one key that would help most."),
    ] = False,
    json: Json = False,
) -> None:
    """Drag POINT of SOURCE at a time and write the clip with its new tangents; no key is added or moved.

    Exits with 0 when the target is reached and all pins, contacts and locks hold. Otherwise the nearest motion found
    is still written, one line says what blocks, and the exit code is 1.
    """
    from inbetweener.document.edits import drag_point
    from inbetweener.formats import save

    prepare_kernels()
    with printed_warnings() as notes:
        document = open_source(source)
        try:
            played = document.clip(clip)
            if layer is not None:
                played.layer(layer)
            place, when = document.rig.point(point), _when(played, time, frame)
            wanted: Wanted = "position" if turn is None else "both" if to or by else "orientation"
            held: tuple[Constraint | Lock, ...] = (
                *constraints_said(document, played, pin=pin, contact=contact, attach=attach),
                *(Lock(moment(played, text, "--lock"), wanted) for text in lock or []),
            )
        except UnknownName as error:
            raise typer.BadParameter(str(error)) from error
        request = DragRequest(place, when, wanted, held, layer)
        position, orientation = _target(document, played, request, to, by, turn)
        try:
            changed, certificate = drag_point(document, played.name, request, position, orientation)
        except NothingToDrag as error:
            if _is_sampled(played):
                raise NothingToDrag(f"{error}. {source} is sampled motion: `inbetweener fit` it first") from error
            raise
        save(changed, output)
    facts = _facts(document, changed, played, request, certificate)
    if suggest and not certificate.reached:
        facts["suggestion"] = _suggestion(document, played, request, position, orientation)
    if json:
        print_json({"output": str(output), **facts, "notes": notes})
    else:
        _print(facts)
        typer.echo(f"Wrote {output}")
    if problem := _problem(document, played, request, facts):
        note(problem)
        raise typer.Exit(1)


def _is_sampled(clip: Clip) -> bool:
    """Whether most curves have a key on most frames, as captured motion does."""
    counts = [len(curve) for curve in clip.curves.values()]
    return bool(counts) and float(np.median(counts)) > 0.5 * len(clip.frame_times)


def _when(clip: Clip, time: str | None, frame: float | None) -> float:
    if time is not None and frame is None:
        hint, found = "--time", moment(clip, time, "--time")
    elif frame is not None and time is None:
        hint, found = "--frame", moment(clip, f"{frame}f", "--frame")
    else:
        raise typer.BadParameter("say when to drag: with --time in seconds or with --frame", param_hint="--time")
    if not clip.start <= found <= clip.end:
        raise typer.BadParameter(
            f"{found:g} s lies outside clip {clip.name!r}, which runs from {clip.start:g} to {clip.end:g} s",
            param_hint=hint,
        )
    return found


def _target(
    document: Document, clip: Clip, request: DragRequest, to: str | None, by: str | None, turn: str | None
) -> tuple[Floats | None, Floats | None]:
    """Where the point should be and how turned, as far as the person said."""
    from inbetweener.maths import euler

    if to is not None and by is not None:
        raise typer.BadParameter("give one of --to and --by, not both", param_hint="--to")
    if to is None and by is None and turn is None:
        raise typer.BadParameter("say where to drag it: with --to, --by or --turn", param_hint="--to")
    positions, orientations = document.motion(clip.name).states([request.time], request.point)
    position = None if to is None else vector(to, "--to")
    if by is not None:
        position = positions[0] + vector(by, "--by")
    if turn is None:
        return position, None
    return position, euler.to_matrix(np.radians(vector(turn, "--turn")), "ZYX") @ orientations[0]


def _facts(
    before: Document, after: Document, clip: Clip, request: DragRequest, certificate: Certificate
) -> dict[str, Any]:
    """What a pipeline wants to know about a drag."""
    old, new = (each.motion(clip.name).states([request.time], request.point)[0][0] for each in (before, after))
    return {
        "clip": clip.name,
        "point": str(request.point),
        "time": request.time,
        "reached": certificate.reached,
        "from_m": old.tolist(),
        "position_m": new.tolist(),
        "target_error_m": certificate.target_distance,
        "target_error_degrees": math.degrees(certificate.target_turn),
        "constraints": [_held(before, held) for held in certificate.constraints],
        "blockers": [asdict(blocker) for blocker in certificate.blockers],
        "limits": list(certificate.limits),
        "keys_kept": certificate.keys_kept,
        "iterations": certificate.iterations,
    }


def _held(document: Document, held: Held) -> dict[str, Any]:
    from inbetweener.rig import chains

    return {
        "name": held.name,
        "error_m": held.distance,
        "error_degrees": math.degrees(held.turn),
        "worst_time": held.time,
        "holds": held.distance <= WELL * chains.height(document.rig) and held.turn <= WELL,
    }


def _print(facts: dict[str, Any]) -> None:
    moved = math.dist(facts["from_m"], facts["position_m"])
    off = f"{1e3 * facts['target_error_m']:.2f} mm"
    if facts["target_error_degrees"]:
        off += f" and {facts['target_error_degrees']:.2f}°"
    typer.echo(f"{facts['point']} at {facts['time']:g} s: moved {100 * moved:.1f} cm, now {off} from the target")
    for each in facts["constraints"]:
        turned = f", {each['error_degrees']:.3f}°" if each["error_degrees"] else ""
        worst = f"  {each['name']}: {1e3 * each['error_m']:.2f} mm{turned} at worst, at {each['worst_time']:.3f} s"
        typer.echo(worst if each["holds"] else typer.style(worst, fg="red"))
    for line in facts["limits"]:
        typer.echo(f"  {line}")
    if "suggestion" in facts:
        key = facts["suggestion"]
        typer.echo("No single key would help." if key is None else _proposal(key))


def _suggestion(
    document: Document, clip: Clip, request: DragRequest, position: Floats | None, turn: Floats | None
) -> dict[str, Any] | None:
    """The key that would help most; it is only proposed."""
    from inbetweener.document.edits.drag import drag_towards
    from inbetweener.tangents import suggest_key

    drag = drag_towards(document.motion(clip.name), request, position, turn)
    key = suggest_key(drag.solution, position, turn)
    if key is None:
        return None
    values = dict(zip(key.channels, key.values, strict=True))
    error = {"error_degrees": math.degrees(key.error)} if request.wanted == "orientation" else {"error_m": key.error}
    return {"joint": key.joint, "time": key.time, "values": values, **error}


def _proposal(key: dict[str, Any]) -> str:
    left = f"{1e3 * key['error_m']:.1f} mm" if "error_m" in key else f"{key['error_degrees']:.2f}°"
    channels = ", ".join(key["values"])
    return f"A key on {key['joint']} at {key['time']:g} s ({channels}) would bring it to {left} from the target."


def _problem(document: Document, clip: Clip, request: DragRequest, facts: dict[str, Any]) -> str:
    """One line about what did not work out; empty when all did."""
    from inbetweener.tangents import disagreement

    lines = []
    if not facts["reached"]:
        blocked = ", ".join(f"{each['name']} ({100 * each['share']:.0f} %)" for each in facts["blockers"])
        lines.append(f"not reached{f'; blocked by {blocked}' if blocked else ''}")
    for constraint, held in zip(request.constraints, facts["constraints"], strict=True):
        if held["holds"]:
            continue
        lines.append(f"{held['name']} does not hold: {1e3 * held['error_m']:.1f} mm off")
        apart = disagreement(document.motion(clip.name), constraint.of(request.point)).distance
        if apart > 1e-3:
            lines[-1] += f", its key poses alone {1e3 * apart:.1f} mm apart; make them agree first"
    return f"{request.point}: {'; '.join(lines)}. The nearest motion was written." if lines else ""
