"""`inbetweener keep-pose` and `pose`: poses kept in files of their own, and put onto any character."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from inbetweener.cli.console import edit, note
from inbetweener.cli.source import ClipName, Frame, Json, Layer, Output, Source, Texts, Time, open_source


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


def pose(
    source: Source,
    kept: Annotated[Path, typer.Argument(metavar="POSE", help="A .pose file.")],
    output: Output,
    frame: Frame = None,
    time: Time = None,
    amount: Annotated[float, Option(help="How far to go to it: 1 is all the way.")] = 1.0,
    mirrored: Annotated[bool, Option("--mirrored", help="Left is right.")] = False,
    joints: Annotated[Texts, Option("--joint", help="A joint that takes it, and no other; repeat.")] = None,
    layer: Layer = None,
    clip: ClipName = None,
    json: Json = False,
) -> None:
    """Bring the character of SOURCE into a kept pose at a time, whoever's pose it was."""
    from inbetweener.document import edits, read_pose

    found = read_pose(kept)
    edit(
        source,
        output,
        lambda document: edits.apply_pose(
            document, found, frame=frame, time=time, amount=amount, mirrored=mirrored, joints=joints, clip=clip,
            layer=layer,
        ),
        json=json,
    )  # fmt: skip
