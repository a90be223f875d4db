"""`inbetweener drag`, `pull` and `time`: a point at one time elsewhere by tangents, by keys, or at another pace."""

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from inbetweener.cli import source as given
from inbetweener.cli.console import verb

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


@verb
def drag(
    document: "Document",
    point: given.PointName,
    time: given.Time = None,
    frame: given.Frame = None,
    to: given.To = None,
    by: given.By = None,
    turn: given.Turn = None,
    turn_to: given.TurnTo = None,
    pin: given.Pins = None,
    contact: given.Contacts = None,
    attach: given.Attachments = None,
    lock: Annotated[
        given.Texts, Option(metavar="TIME", help="When the dragged point stays where it is; repeat.")
    ] = None,
    clip: given.ClipName = None,
    layer: given.Layer = None,
    own: given.Own = True,
    keyed: Annotated[
        bool, Option("--keyed", help="Where motion is loose, --to means the keyed motion, not what is seen.")
    ] = False,
    clear: Annotated[
        bool, Option("--clear", help="The body stays out of obstacles, carried ones too, of the ground and of itself.")
    ] = False,
    suggest: Annotated[
        bool,
        Option("--suggest", help="Where the target is not reached, propose the one key that would help most."),
    ] = False,
    reach: Annotated[
        float | None,
        Option(help="Put the change into a layer instead, coming and going within so many seconds."),
    ] = None,
) -> "Result":
    """Drag POINT of SOURCE at a time and write the clip with its new tangents; no key is added or moved.

    Where there are keys on every frame, or with --reach, the pose is pulled instead, in a layer of a few keys.

    Pins and contacts that the document keeps hold, too. Exits with 0 when the target is reached and all pins, contacts
    and locks hold. Otherwise the nearest motion found is still written, one line says what blocks, and the exit code
    is 1.
    """
    from inbetweener.document import edits
    from inbetweener.document.edits.words import the_clip
    from inbetweener.motion import is_dense
    from inbetweener.tangents import NothingToDrag

    wishes = given.wish(to, by, turn, turn_to) | given.kept(contact, attach, pins=pin) | given.when(frame, time, clip)

    try:
        return edits.drag(
            document,
            point,
            **wishes,
            locks=lock or (),
            layer=layer,
            own=own,
            keyed=keyed,
            clear=clear,
            suggest=suggest,
            reach=reach,
        )
    except NothingToDrag as error:
        if is_dense(the_clip(document, clip)):
            raise NothingToDrag(f"{error}. This is sampled motion: `inbetweener fit` it first") from error
        raise


@verb
def pull(
    document: "Document",
    point: given.PointName,
    time: given.Time = None,
    frame: given.Frame = None,
    to: given.To = None,
    by: given.By = None,
    turn: given.Turn = None,
    turn_to: given.TurnTo = None,
    pin: given.Pins = None,
    contact: given.Contacts = None,
    attach: given.Attachments = None,
    clip: given.ClipName = None,
    own: given.Own = True,
    key: Annotated[bool, Option("--key", help="Where the pose is not keyed, key what the pull changes.")] = False,
    alone: Annotated[bool, Option("--alone", help="Only the point's own joint turns.")] = False,
    planted: Annotated[bool, Option("--planted", help="Feet that stand on the ground stay.")] = False,
    symmetric: Annotated[bool, Option("--symmetric", help="The other side's limb does the same, mirrored.")] = False,
) -> "Result":
    """Pull POINT of the pose on a key of SOURCE; the values of keys at that time change, tangents stay.

    Exits with 0 when the target is reached; otherwise the nearest pose is written, a line says what blocks, and the
    exit code is 1.
    """
    from inbetweener.document import edits

    wishes = given.wish(to, by, turn, turn_to) | given.kept(contact, attach, pins=pin) | given.when(frame, time, clip)
    return edits.pull(document, point, **wishes, own=own, key=key, alone=alone, planted=planted, symmetric=symmetric)


@verb
def time(
    document: "Document",
    point: given.PointName,
    at: given.Time = None,
    frame: given.Frame = None,
    faster: Annotated[
        float | None, Option(metavar="AMOUNT", help="Make it faster around that time, below zero slower.")
    ] = None,
    to: given.To = None,
    by: given.By = None,
    contact: given.Contacts = None,
    attach: given.Attachments = None,
    clip: given.ClipName = None,
    layer: given.Layer = None,
    own: given.Own = True,
) -> "Result":
    """Change when POINT of SOURCE is where, by the widths of tangents: its path stays, no key moves.

    With --faster by an amount, about 0.1 to 0.5; with --to or --by the point comes, at that time, to where its path is
    nearest to that place. Where the widths allow less, that is written, and the exit code is 1.
    """
    if (faster is None) == (to is None and by is None):
        raise typer.BadParameter("say how: with --faster, or with --to or --by", param_hint="--faster")
    from inbetweener.document import edits

    wishes = given.kept(contact, attach) | given.when(frame, at, clip)

    if faster is not None:
        return edits.scale_timing(document, point, faster, **wishes, layer=layer, own=own)
    return edits.move_tick(document, point, **given.wish(to, by), **wishes, layer=layer, own=own)
