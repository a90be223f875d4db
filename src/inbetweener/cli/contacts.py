"""`inbetweener contacts`: where points stand still, and how far they slide; on request they come to stand."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from inbetweener.cli.console import note, prepare_kernels, print_json, print_table, printed_warnings, say, understood
from inbetweener.cli.source import ClipName, Json, Own, Source, Texts, open_source

if TYPE_CHECKING:
    from inbetweener.document.edits.result import Result
    from inbetweener.motion import Contact


def contacts(
    source: Source,
    clip: ClipName = None,
    point: Annotated[
        Texts, Option(help="A point or joint to look at, may be repeated; hands and feet by default.")
    ] = None,
    contact: Annotated[
        Texts,
        Option(
            help="A contact of your own, as foot_l@0:1.5 or foot_l+turn@0:36f, or one of the document by its name; "
            "may be repeated."
        ),
    ] = None,
    add: Annotated[bool, Option("--add", help="Add those found to the document and write OUTPUT.")] = False,
    agree: Annotated[bool, Option("--agree", help="Make the key poses agree, no more, and write OUTPUT.")] = False,
    hold: Annotated[bool, Option("--hold", help="Hold them by tangents alone, no more, and write OUTPUT.")] = False,
    clean: Annotated[bool, Option("--clean", help="Remove the slide and write OUTPUT.")] = False,
    own: Own = True,
    output: Annotated[
        Path | None, Option("--output", "-o", help="Where the result goes; the suffix chooses the format.")
    ] = None,
    json: Json = False,
) -> None:
    """List where hands, feet and toes are nearly still, and how far they slide meanwhile.

    With --add they are kept in the document as contacts. With --agree only values of keys change, so that all key
    poses of a contact have its point in one place. With --hold only tangents change, until contacts stand as still as
    their key poses allow. With --clean both are done: keys change their values and tangents, none is moved; in captured
    motion the change is spread over the frames around, so that nothing pops. What cannot be held so is left and named,
    and the exit status is 1; so it is where either of the two jerks captured or fitted motion. Joints and frames are
    named.

    All three work on the contacts that --contact gives, or else those that the document keeps, or else those found;
    of these, any below a confidence of 0.55, such as hands that rest in the air, and any that slips too far to be
    planted, are left alone unless their points are named. Pins and other contacts of the document stay.
    """
    chosen = [name for name, yes in {"add": add, "agree": agree, "hold": hold, "clean": clean}.items() if yes]
    if len(chosen) != (output is not None):
        raise typer.BadParameter(
            "--output belongs together with one of --add, --agree, --hold and --clean", param_hint="--output"
        )
    from inbetweener.document import edits
    from inbetweener.document.edits.words import the_clip
    from inbetweener.formats import save

    prepare_kernels()
    result: Result | None = None
    given: Sequence[str | Contact] | None = None
    with printed_warnings() as notes:
        document = open_source(source)
        with understood():
            shown = the_clip(document, clip)
        found = edits.suggest_contacts(document, point, clip=clip)
        if output is not None:
            kept = (
                own
                and not point
                and any(rule.stands if hold else rule.is_planted for rule in document.rules(shown.name))
            )
            given = contact or (None if kept else found.chosen)
            with understood():
                verbs: dict[str, Callable[..., Result]]
                verbs = {"agree": edits.agree_poses, "hold": edits.hold, "clean": edits.remove_slide}
                result = found if add else verbs[chosen[0]](document, given, clip=clip, own=own)
            save(result.document, output)
    if json:
        done = dict.fromkeys(("added", "agreed", "held", "cleaned"))
        if result is not None:
            done[_DONE[chosen[0]]] = {"output": str(output), **result.facts}
        print_json({"clip": shown.name, "contacts": found.facts["contacts"], **done, "notes": notes})
    else:
        _print(found.facts["contacts"])
        if result is not None:
            say("\n".join((*result.lines, f"Wrote {output}")))
    if result is not None and result is not found:
        slipping = found.slipping if given is found.chosen else ""
        if problem := "; ".join(filter(None, (result.problem, slipping))):
            note(f"{problem}.")
            raise typer.Exit(1)


_DONE = {"add": "added", "agree": "agreed", "hold": "held", "clean": "cleaned"}


def _print(rows: list[dict[str, Any]]) -> None:
    if not rows:
        say("No point is nearly still for long enough.")
        return
    shown = [
        (
            row["point"],
            f"{row['first_frame']}–{row['last_frame']}",
            f"{row['start_s']:.2f}–{row['end_s']:.2f}",
            f"{row['slide_cm']:.2f}",
            f"{row['confidence']:.2f}" + (", slips" if row["slips"] else ""),
        )
        for row in rows
    ]
    print_table(("point", "frames", "seconds", "slide (cm)", "confidence"), shown, left=("point",))
