"""`inbetweener recognise`, `prepare`, `stiffen`, `free`, `twists`: what joints are, what that gives."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer
from typer import Option

from inbetweener.cli.console import print_json, print_table, printed_warnings, say, verb
from inbetweener.cli.source import Json, Source, Texts, open_source

if TYPE_CHECKING:
    from inbetweener.anatomy import Part
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


def recognise(
    source: Source,
    said: Annotated[
        Texts,
        Option("--set", metavar="JOINT=ROLE[:left|right][:NUMBER]", help="What a joint is, and its partner; repeat."),
    ] = None,
    roles: Annotated[
        Path | None, Option("--roles", help="A JSON file that --json printed: what all joints are.")
    ] = None,
    output: Annotated[
        Path | None, Option("--output", "-o", help="Where to write what was said; .tween remembers it.")
    ] = None,
    json: Json = False,
) -> None:
    """Say what every joint of SOURCE is, on which side, and how sure that is; correct it, and keep it in a file."""
    from inbetweener.anatomy import from_json
    from inbetweener.document import edits
    from inbetweener.formats import save
    from inbetweener.formats.files import file_bytes

    with printed_warnings() as notes:
        document = open_source(source)
        if roles is not None:
            known = {joint.name for joint in document.rig.joints}
            document = edits.set_roles(document, [p for p in from_json(file_bytes(roles)) if p.joint in known])
        if said:
            document = edits.set_roles(document, [_part(text) for text in said], mirror=True)
        if output is not None:
            save(document, output)
    found = document.anatomy()
    if json:
        parts = [
            {"joint": p.joint, "role": p.role, "side": p.side, "number": p.number, "digit": p.digit,
             "confidence": p.confidence}
            for p in found
        ]  # fmt: skip
        written = {"output": str(output)} if output else {}
        print_json({"format": "inbetweener-anatomy", "kind": found.kind, "parts": parts, **written, "notes": notes})
        return
    rows = [(part.joint, str(part), part.side or "", f"{100 * part.confidence:.0f} %") for part in found]
    print_table(("joint", "role", "side", "sure"), rows, left=("joint", "role", "side"))
    say("\n".join((found.summary, *((f"Wrote {output}",) if output else ()))))


def _part(text: str) -> "Part":
    from inbetweener.anatomy import Part, Role

    joint, _, rest = text.rpartition("=")
    role, *more = rest.replace(" ", "_").split(":")
    if not joint or role not in get_args(Role):
        known = ", ".join(get_args(Role))
        raise typer.BadParameter(f"{text!r} is no JOINT=ROLE; roles are {known}", param_hint="--set")
    side = next((word for word in more if word in ("left", "right")), None)
    numbers = [word for word in more if word not in ("left", "right")]
    if len(numbers) > 1 or not all(word.isdecimal() for word in numbers):
        raise typer.BadParameter(f"{text!r}: after the role come left or right and a number", param_hint="--set")
    return Part(joint, role, side, int(numbers[0]) if numbers else 0)  # type: ignore[arg-type]


@verb
def prepare(
    document: "Document",
    limits: Annotated[
        Literal["soft", "hard", "none"],
        Option(help="Ranges of motion as bodies have them: widened to what the clips do, as published, or none."),
    ] = "soft",
    stiffness: Annotated[bool, Option(help="How readily parts move, as a person's.")] = True,
    masses: Annotated[bool, Option(help="What parts weigh, by what they are.")] = True,
    points: Annotated[bool, Option(help="Heels, palms, finger tips and more, from the meshes.")] = True,
    total: Annotated[float | None, Option(help="What the whole body weighs, in kg.")] = None,
) -> "Result":
    """Make a body of the character in SOURCE: limits, stiffness, masses and points; only .tween files remember it."""
    from inbetweener.document import edits

    return edits.prepare(document, limits=limits, stiffness=stiffness, masses=masses, points=points, total=total)


@verb
def stiffen(
    document: "Document",
    preset: Annotated[str, typer.Argument(help="Whose stiffness: person, upright or supple.")],
) -> "Result":
    """Say how readily the parts of the body in SOURCE move; only .tween files remember it."""
    from inbetweener.document import edits

    return edits.stiffen(document, preset)


@verb
def free(
    document: "Document",
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Joints, for their lengths, or channels.")],
    hold: Annotated[bool, Option("--hold", help="Hold them instead.")] = False,
) -> "Result":
    """Let drags, poses and guidance change the length of bones of SOURCE; only .tween files remember it."""
    from inbetweener.document import edits

    return edits.free(document, names, free=not hold)


@verb
def twists(
    document: "Document",
    free: Annotated[bool, Option("--free", help="Let them stand by themselves again.")] = False,
) -> "Result":
    """Let twist bones of SOURCE follow the joints that they belong to; only .tween files remember it."""
    from inbetweener.document import edits

    return edits.follow_twists(document, follow=not free)
