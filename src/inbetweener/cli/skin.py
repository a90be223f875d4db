"""`inbetweener skin`: how the vertices of a character follow its joints."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from inbetweener.cli.blendings import CHOICES, LETTERS, blending
from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings
from inbetweener.cli.source import ClipName, Json, Source, open_source
from inbetweener.document import Document
from inbetweener.skinning import Mesh

COMPARED = ("lbs", "dqs", "sb", "db")


def skin(
    source: Source,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write; .tween keeps the way of blending.")
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar=f"[{CHOICES}]", help="Differential, dual quaternions, screws, or linear; as it is by default."
        ),
    ] = None,
    weights: Annotated[
        Literal["keep", "auto"], typer.Option(help="Keep the weights, or find new ones by heat along the bones.")
    ] = "keep",
    compare: Annotated[
        Path | None, typer.Option(help="Also write a picture (.png) of one frame, all methods side by side.")
    ] = None,
    frame: Annotated[int, typer.Option(help="The frame of that picture.")] = 0,
    clip: ClipName = None,
    camera: Annotated[
        Literal["view", "front", "side", "three-quarter", "top", "back"], typer.Option(help="Where it looks from.")
    ] = "view",
    json: Json = False,
) -> None:
    """Choose how the skin of SOURCE is blended, bind it anew, or compare the ways."""
    from inbetweener.document.edits import set_blending
    from inbetweener.formats import save
    from inbetweener.skinning import check_weights

    if output is None and compare is None:
        raise typer.BadParameter("say where to write: -o FILE, --compare PICTURE.png, or both", param_hint="-o")
    wanted = None if method is None else blending(method, "--method")
    prepare_kernels()
    with printed_warnings() as notes:
        document = open_source(source)
        if weights == "auto":
            document = _bound(document)
        else:
            for mesh in document.meshes:
                check_weights(mesh)
        notes += _remarks(document)
        if wanted is not None:
            document = set_blending(document, wanted)
        if output is not None:
            save(document, output)
        if compare is not None:
            _compare(document, compare, frame, clip, camera)
    written = [str(path) for path in (output, compare) if path is not None]
    if json:
        facts = {"written": written, "blending": document.blending, "notes": notes}
        print_json({**facts, "meshes": {mesh.name: len(mesh.vertices) for mesh in document.meshes}})
    else:
        typer.echo(f"{document.name}: {document.blending} blending\nWrote {', '.join(written)}")


def _bound(document: Document) -> Document:
    """All meshes bound anew; rigid parts such as eyes are left alone, unless there is nothing else."""
    from inbetweener.skinning.automatic import bind

    bare = all(_is_rigid(mesh) for mesh in document.meshes)
    made = (bind(mesh, document.rig) if bare or not _is_rigid(mesh) else mesh for mesh in document.meshes)
    return replace(document, meshes=tuple(made))


def _remarks(document: Document) -> list[str]:
    """What makes all ways of blending look alike."""
    if not document.meshes:
        line = f"{document.name} has no mesh: there is nothing to blend"
    elif all(_is_rigid(mesh) for mesh in document.meshes) and len(document.rig.joints) > 1:
        line = "every vertex follows a single joint, which all methods carry alike; --weights auto finds weights"
    else:
        return []
    note(f"Note: {line}")
    return [line]


def _is_rigid(mesh: Mesh) -> bool:
    return bool(((mesh.weights > 0.0).sum(axis=1) <= 1).all())


def _compare(document: Document, picture: Path, frame: int, clip: str | None, camera: str) -> None:
    from inbetweener.render import render_comparison, save_png

    wanted = document.clip(clip) if document.clips or clip is not None else None
    time = wanted.start + frame / wanted.rate if wanted else 0.0
    ways = {letters.upper(): LETTERS[letters] for letters in COMPARED}
    picture.parent.mkdir(parents=True, exist_ok=True)
    save_png(render_comparison(document, time, ways, clip=clip, camera=camera), picture)
