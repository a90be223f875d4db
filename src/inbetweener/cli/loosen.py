"""`inbetweener loosen`: let parts swing about their keyed motion, and still hit marks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Option

from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings, say
from inbetweener.cli.source import ClipName, Json, Output, Own, Source, Texts, moment, open_source, vector
from inbetweener.errors import InvalidDocument, InvalidEdit, UnknownName

if TYPE_CHECKING:
    from inbetweener.document import Document, Pose
    from inbetweener.kinodynamics import Bell, PointTarget, SoftPoint, Window
    from inbetweener.motion import Clip
    from inbetweener.rig import Place, Rig


def loosen(
    source: Source,
    output: Output,
    tension: Annotated[
        Texts,
        Option(
            metavar="[NAME=]TENSION",
            help="What swings, and how: relaxed (or tight firm loose drunk) for all joints, spine*=loose, "
            "spine=3,0.4 in Hz and damping, tail=2..0.8 for a chain falling to its tip; repeat.",
        ),
    ] = None,
    tight: Annotated[Texts, Option(metavar="PATTERN", help="Joints or channels that do not swing; repeat.")] = None,
    window: Annotated[
        str | None, Option(metavar="SECONDS|auto|adaptive", help="How far back each moment is simulated from.")
    ] = None,
    error: Annotated[float | None, Option(help="Metres by which windows that are found may be off.")] = None,
    gravity: Annotated[
        float | None, Option(help="How much of the earth's gravity pulls; none by default: keys hold a body up.")
    ] = None,
    drag: Annotated[
        float | None, Option(help="1: damping holds against any movement; 0: only against leaving the keys.")
    ] = None,
    masses: Annotated[
        Literal["boxes", "human", "mesh"] | None,
        Option(help="What weighs: boxes of water, a person's segments, the mesh's volume."),
    ] = None,
    total: Annotated[float | None, Option(help="What the whole body weighs, in kg.")] = None,
    collide: Annotated[
        bool | None, Option("--collide/--no-collide", help="Let the ground and props stop what is loose.")
    ] = None,
    light: Annotated[
        bool | None, Option("--light/--no-light", help="Joints in a row swing each by itself, as hair in games does.")
    ] = None,
    target: Annotated[
        Texts,
        Option(
            metavar="POINT@TIME[..TIME]=X,Y,Z|keyed",
            help="Where a joint, point or vertex (face vertex 3525) must be at a time, or is held from one to another, "
            "in metres; repeat.",
        ),
    ] = None,
    still: Annotated[
        Texts, Option(metavar="POINT@TIME[..TIME]", help="What must also stand still at a time, or so long; repeat.")
    ] = None,
    pose: Annotated[
        Texts,
        Option(
            metavar="TIME[=TIME|FILE.pose]",
            help="When all that is loose must be as keyed then, as keyed at another time, or in a kept pose; repeat.",
        ),
    ] = None,
    give: Annotated[
        Texts, Option(metavar="PATTERN", help="Joints or channels that give way for these points, no others; repeat.")
    ] = None,
    bell: Annotated[
        str | None,
        Option(
            metavar="SECONDS[,AFTER][,polynomial|,PLACE:HEIGHT…]",
            help="How long motion gives way before and after a target; 0.5. A shape of your own: heights at places "
            "from -1, where it begins at 0, over 0, where it is 1, to 1, where it ends.",
        ),
    ] = None,
    hold: Annotated[
        Texts,
        Option(metavar="CONTACT", help="A contact of the document that targets shall hold; repeat."),
    ] = None,
    solve: Annotated[
        bool, Option("--solve/--no-solve", help="Solve for the targets that are on, or leave that for later.")
    ] = True,
    bake: Annotated[
        bool, Option("--bake", help="Write what swings as a layer of keys, and switch looseness off.")
    ] = False,
    tolerance: Annotated[
        float | None, Option(help="Metres by which a bake may be off; 0 for a key on every frame.")
    ] = None,
    own: Own = True,
    clip: ClipName = None,
    report: Annotated[
        Path | None, Option(metavar="FILE.html", help="Also write a page with plots: paths, errors, corrections.")
    ] = None,
    json: Json = False,
) -> None:
    """Loosen SOURCE, solve for its targets and write it; no key moves: corrections and bakes are layers.

    What a .tween file already says about looseness stays unless an option changes it. Other formats know keys only, so
    they get the loose motion baked on every frame. Exits with 1 when a target cannot be hit; the nearest motion is
    written all the same.
    """
    from inbetweener.document import edits
    from inbetweener.document.edits.loosen import LoosenResult
    from inbetweener.document.edits.words import the_clip
    from inbetweener.formats import save
    from inbetweener.kinodynamics import InvalidLooseness
    from inbetweener.kinodynamics.bake import TOLERANCE
    from inbetweener.kinodynamics.solution import Solution
    from inbetweener.kinodynamics.tension import parts_and_spring

    if tolerance is not None and not bake:
        raise typer.BadParameter("only a bake is fitted; add --bake", param_hint="--tolerance")
    prepare_kernels()
    with printed_warnings() as notes:
        document = open_source(source)
        try:
            played = the_clip(document, clip)
            wishes: list[tuple[str | None, str | None]] = [parts_and_spring(text) for text in tension or []]
            for n, (parts, spring) in enumerate(wishes or [(None, None)]):
                document = edits.loosen(
                    document,
                    parts,
                    spring,
                    tight=(tight or []) if n >= len(wishes) - 1 else [],
                    clip=played.name,
                    window=None if window is None else _window(window),
                    error=error,
                    gravity=gravity,
                    drag=drag,
                    masses=masses,
                    total=total,
                    collide=collide,
                    light=light,
                    own=own,
                ).document
            shape = bell_of(bell)
            given = None if give is None else channels_of(document.rig, give)
            for one in targets_of(document, played, target or [], still or [], shape, given):
                document = edits.add_target(document, played.name, one)
            for text in pose or []:
                when, other = _pose(text)
                document = edits.target(document, time=when, pose=other, bell=shape, clip=played.name).document
            for contact in hold or []:
                document.constraint(contact)
        except (UnknownName, InvalidEdit, InvalidLooseness, InvalidDocument) as error_:
            raise typer.BadParameter(str(error_)) from error_
        stood = []
        for contact in hold or []:
            stood.append(edits.contact_to_targets(document, contact))
            document = stood[-1].document
        # What holds contacts has been solved for, with all other targets, as well as that takes.
        # Contacts on what is loose are held where anything is: who only bakes or saves asks for nothing.
        aimed = bool(document.loosening(played.name).aims)
        solved = edits.solve(document, clip=played.name, contacts=aimed) if solve and not stood else None
        shown = document if solved is None else solved.document
        # Also simulates every frame: what cannot be shown is not written.
        swings = LoosenResult(shown, played.name, shown.shown_motion(played.name))
        facts = {**swings.facts, **({"targets": [], "windows": 0} if solved is None else solved.facts)}
        facts |= {"held": [each.facts for each in stood], "bake": None}
        baked = None
        if bake:
            within = TOLERANCE if tolerance is None else tolerance or None
            baked = edits.bake(shown, clip=played.name, tolerance=within)
            facts["bake"] = baked.facts
        save(shown if baked is None else baked.document, output)
        if report is not None:
            from inbetweener.cli.page import write_loosen_page

            solution = Solution((), (), "stopped") if solved is None else solved.solution
            write_loosen_page(shown, played.name, solution, report)
    if json:
        print_json({"output": str(output), **facts, "notes": notes})
    else:
        for told in (swings, *stood):
            say(str(told))
        for each in facts["targets"]:
            say(f"  {each['summary']}", fg=None if each["reached"] else "red")
        say(f"Wrote {output}" if baked is None else f"{baked}\nWrote {output}")
    if solved is not None and solved.missed:
        note(f"{', '.join(solved.missed)} cannot be hit. The nearest motion was written.")
        raise typer.Exit(1)


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


STANDING = (0.0, 0.0, 0.0)


def targets_of(
    document: "Document",
    clip: "Clip",
    targets: list[str],
    still: list[str],
    bell: "Bell",
    gives: "frozenset[str] | None",
) -> "list[PointTarget]":
    """All points that were asked for; standing still goes with where the same point is to be at the same time."""
    from inbetweener.kinodynamics import PointTarget

    points: dict[tuple[Place | SoftPoint, float, float | None], PointTarget] = {}
    for text in targets:
        where, given, wish = text.rpartition("=")
        if not given:
            raise typer.BadParameter(f"{text!r} needs a place, as in {text}=0.3,1.2,0.4 or {text}=keyed")
        point, time, until = at = _at(document, clip, where, "--target")
        if at in points:
            raise typer.BadParameter(f"{text!r}: {where} already has a target", param_hint="--target")
        if wish == "keyed":
            points[at] = PointTarget(time, point, bell=bell, until=until, channels=gives)
        else:
            x, y, z = vector(wish, "--target").tolist()
            points[at] = PointTarget(time, point, (x, y, z), bell=bell, until=until, channels=gives)
    for text in still:
        point, time, until = at = _at(document, clip, text, "--still")
        position = points[at].position if at in points else "keyed"
        points[at] = PointTarget(time, point, position, velocity=STANDING, bell=bell, until=until, channels=gives)
    return [*points.values()]


def channels_of(rig: "Rig", patterns: list[str]) -> frozenset[str]:
    """The channels that are meant by their own names or by those of joints."""
    from inbetweener.kinodynamics.tension import matching

    names = {name for pattern in patterns for name in matching(rig, pattern)}
    return frozenset(c.name for c in rig.channels if c.name in names or any(d.joint in names for d in c.drives))


def bell_of(text: str | None) -> "Bell":
    """The bell of "0.4", "0.4,0.2" (before and after), either with ",polynomial" or with heights as ",-0.5:0.2"."""
    from inbetweener.kinodynamics import Bell

    if text is None:
        return Bell()
    widths, comma, _ = text.partition(",polynomial")
    parts = widths.split(",")
    try:
        before, *after = [float(part) for part in parts if ":" not in part]
        heights = {float(t): float(y) for t, _, y in (part.partition(":") for part in parts if ":" in part)}
    except ValueError:
        before, after, heights = 0.0, [0.0, 0.0], {}
    if len(after) > 1:
        raise typer.BadParameter(
            f"{text!r} is no bell; write seconds as 0.4, before and after as 0.4,0.2, or heights as 0.4,-0.5:0.2",
            param_hint="--bell",
        )
    drawn = tuple(sorted({-1.0: 0.0, 0.0: 1.0, 1.0: 0.0, **heights}.items())) if heights else ()
    return Bell(before, after[0] if after else before, "polynomial" if comma else "gaussian", drawn)


def _pose(text: str) -> "tuple[str, Pose | str | None]":
    """When a pose is wanted, and which; none is as keyed then."""
    from inbetweener.document import read_pose

    when, _, other = text.partition("=")
    return when, read_pose(other) if other.endswith(".pose") else other or None


def _at(document: "Document", clip: "Clip", text: str, option: str) -> "tuple[Place | SoftPoint, float, float | None]":
    from inbetweener.document.edits.targets import aimed_place

    name, at, when = text.rpartition("@")
    if not at:
        raise typer.BadParameter(f"{text!r} needs a time, as in {text}@0.8", param_hint=option)
    first, dots, last = when.partition("..")
    return (
        aimed_place(document, clip.name, name),
        moment(clip, first, option),
        moment(clip, last, option) if dots else None,
    )
