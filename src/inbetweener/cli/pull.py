"""`inbetweener pull`: pull a point of the pose on a key; values of keys change."""

from inbetweener.cli.console import answer, prepare_kernels, printed_warnings, understood
from inbetweener.cli.source import (
    Attachments,
    By,
    ClipName,
    Contacts,
    Frame,
    Json,
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


def pull(
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
    clip: ClipName = None,
    own: Own = True,
    json: Json = False,
) -> None:
    """Pull POINT of the pose on a key of SOURCE; the values of keys at that time change, tangents stay.

    Exits with 0 when the target is reached; otherwise the nearest pose is written, a line says what blocks, and the
    exit code is 1.
    """
    from inbetweener.document import edits
    from inbetweener.formats import save

    prepare_kernels()
    with printed_warnings() as notes, understood():
        result = edits.pull(
            open_source(source),
            point,
            frame=frame,
            time=time,
            **wish(to, by, turn, turn_to),
            pins=pin or (),
            contacts=contact or (),
            attachments=attach or (),
            clip=clip,
            own=own,
        )
        save(result.document, output)
    answer(result, output, notes, json=json)
