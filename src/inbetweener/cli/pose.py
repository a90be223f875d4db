"""`inbetweener keep-pose`, `pose`, `copy-keys`, `paste-keys`: poses and keys kept in files, and put in elsewhere."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from inbetweener.cli.console import note, verb
from inbetweener.cli.source import ClipName, Frame, Layer, Source, Texts, Time, open_source

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


def keep_pose(
    source: Source,
    output: Annotated[Path, Option("--output", "-o", help="Where to write: a .pose file; the pose is called like it.")],
    frame: Frame = None,
    time: Time = None,
    joints: Annotated[Texts, Option("--joint", help="A joint whose pose is meant, and no other; repeat.")] = None,
    clip: ClipName = None,
) -> None:
    """Keep the pose that SOURCE has at a time in a small file."""
    from inbetweener.document.edits.words import moment, the_clip
    from inbetweener.document.pose import Pose, write_pose

    document = open_source(source)
    shown = the_clip(document, clip)
    chosen = None if joints is None else {document.rig.joint(name).name for name in joints}
    channels = [
        channel.name
        for channel in document.rig.channels
        if chosen is None or any(drive.joint in chosen for drive in channel.drives)
    ]
    pose = Pose.of(document, output.stem, shown.name, moment(shown, frame, time), channels)
    write_pose(pose, output)
    note(f"{output}: {len(pose.channels)} values of {len(pose.joints)} joints")


@verb
def pose(
    document: "Document",
    kept: Annotated[Path, typer.Argument(metavar="POSE", help="A .pose file.")],
    frame: Frame = None,
    time: Time = None,
    amount: Annotated[float, Option(help="How far to go to it: 1 is all the way.")] = 1.0,
    mirrored: Annotated[bool, Option("--mirrored", help="Left is right.")] = False,
    joints: Annotated[Texts, Option("--joint", help="A joint that takes it, and no other; repeat.")] = None,
    layer: Layer = None,
    clip: ClipName = None,
) -> "Result":
    """Bring the character of SOURCE into a kept pose at a time, whoever's pose it was."""
    from inbetweener.document import edits, read_pose

    found = read_pose(kept)
    return edits.apply_pose(
            document, found, frame=frame, time=time, amount=amount, mirrored=mirrored, joints=joints, clip=clip,
            layer=layer,
        )  # fmt: skip


def copy_keys(
    source: Source,
    channels: Annotated[
        Texts, Option("--channel", help="A channel whose keys are meant; repeat. All by default.")
    ] = None,
    joints: Annotated[Texts, Option("--joint", help="A joint whose keys are meant; repeat.")] = None,
    start: Annotated[str | None, Option("--from", help="From when on: seconds, or frames as 29f.")] = None,
    end: Annotated[str | None, Option("--to", help="Until when.")] = None,
    layer: Layer = None,
    clip: ClipName = None,
) -> None:
    """Print keys of SOURCE with their tangents as text, for `paste-keys` and for the Studio's clipboard."""
    from inbetweener.document import edits

    document = open_source(source)
    typer.echo(edits.copy_keys(document, channels, joints=joints, start=start, end=end, clip=clip, layer=layer))


@verb
def paste_keys(
    document: "Document",
    text: Annotated[typer.FileText, typer.Argument(metavar="KEYS", help="A file with copied keys; - reads them.")],
    frame: Frame = None,
    time: Time = None,
    mirrored: Annotated[bool, Option("--mirrored", help="Left is right.")] = False,
    joints: Annotated[
        Texts, Option("--joint", help="A joint that gets them in place of the copied one; repeat.")
    ] = None,
    layer: Layer = None,
    clip: ClipName = None,
) -> "Result":
    """Put copied keys into SOURCE from a time on; keys that lie in that stretch give way."""
    from inbetweener.document import edits

    said = text.read()
    return edits.paste_keys(
        document, said, frame=frame, time=time, mirrored=mirrored, joints=joints, clip=clip, layer=layer
    )
