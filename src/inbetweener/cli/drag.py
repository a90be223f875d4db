"""`inbetweener drag`: pull a point to another place at one time, by tangents alone."""

from typing import Annotated

import typer

from inbetweener.cli.console import answer, prepare_kernels, printed_warnings, understood
from inbetweener.cli.source import (
    Attachments,
    By,
    ClipName,
    Contacts,
    Frame,
    Json,
    Layer,
    Output,
    Own,
    Pins,
    PointName,
    Source,
    Time,
    To,
    Turn,
    TurnTo,
    open_source,
    wish,
)


def drag(
    source: Source,
    output: Output,
    point: PointName,
    time: Time = None,
    frame: Frame = None,
    to: To = None,
    by: By = None,
    turn: Turn = None,
    turn_to: TurnTo = None,
    pin: Pins = None,
    contact: Contacts = None,
    attach: Attachments = None,
    lock: Annotated[
        list[str] | None, typer.Option(metavar="TIME", help="When the dragged point stays where it is; repeat.")
    ] = None,
    clip: ClipName = None,
    layer: Layer = None,
    own: Own = True,
    keyed: Annotated[
        bool, typer.Option("--keyed", help="Where motion is loose, --to means the keyed motion, not what is seen.")
    ] = False,
    suggest: Annotated[
        bool,
        typer.Option("--suggest", help="Where the target is not reached, propose the one key that would help most."),
    ] = False,
    json: Json = False,
) -> None:
    """Drag POINT of SOURCE at a time and write the clip with its new tangents; no key is added or moved.

    Pins and contacts that the document keeps hold, too. Exits with 0 when the target is reached and all pins, contacts
    and locks hold. Otherwise the nearest motion found is still written, one line says what blocks, and the exit code
    is 1.
    """
    from inbetweener.document import edits
    from inbetweener.document.edits.words import the_clip
    from inbetweener.formats import save
    from inbetweener.motion import is_dense
    from inbetweener.tangents import NothingToDrag

    prepare_kernels()
    with printed_warnings() as notes, understood():
        document = open_source(source)
        try:
            result = edits.drag(
                document,
                point,
                frame=frame,
                time=time,
                **wish(to, by, turn, turn_to),
                pins=pin or (),
                contacts=contact or (),
                attachments=attach or (),
                locks=lock or (),
                clip=clip,
                layer=layer,
                own=own,
                keyed=keyed,
                suggest=suggest,
            )
        except NothingToDrag as error:
            if is_dense(the_clip(document, clip)):
                raise NothingToDrag(f"{error}. {source} is sampled motion: `inbetweener fit` it first") from error
            raise
        save(result.document, output)
    answer(result, output, notes, json=json)
