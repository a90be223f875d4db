"""One file with a document that plays: the Studio's picture with what the server would have told it, and no server."""

import base64
import gzip
import html
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from inbetweener.anatomy.part import Role
from inbetweener.document import Document
from inbetweener.document.edits import new_clip
from inbetweener.document.edits.words import the_clip, the_place
from inbetweener.errors import InbetweenerError
from inbetweener.formats.files import clear_file_errors
from inbetweener.formats.gltf.looks import look_of
from inbetweener.skinning import Mesh
from inbetweener.studio.places import from_place
from inbetweener.studio.protocol.binary import mesh_arrays
from inbetweener.studio.protocol.to_server import ArcWish
from inbetweener.studio.session.describing import digest, mesh_url
from inbetweener.studio.session.page_view import PageView, Wire
from inbetweener.studio.session.skins import Plans, plan_url
from inbetweener.system import has_display, replace_file

PAGE = Path(__file__).parent / "bundle" / "share"
MOST = 192 << 20
"""Bytes of a recording before it is packed: more than browsers like in a page."""
BLOCK = 500
"""Frames that are recorded at a time."""
ARCS: tuple[Role, ...] = ("hand", "foot")
"""Roles whose motion curves are shown unless others are wished for."""
MOST_ARCS = 8


class SharedPage:
    """A page in one file. In a notebook it displays itself."""

    def __init__(self, name: str, page: str, height: int) -> None:
        self.name, self.html, self._height = name, page, height

    def __repr__(self) -> str:
        return f"<shared page of {self.name}, {len(self.html) / 1e6:.1f} MB>"

    def _repr_html_(self) -> str:
        # A frame of its own, so that the notebook's styles and this page's leave each other alone.
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.name)}" '
            f'style="width:100%;height:{self._height}px;border:0"></iframe>'
        )

    def save(self, path: Path | str) -> Path:
        """Write the file; whatever was there before is replaced once all of it is written."""
        path = Path(path)
        with clear_file_errors(path):
            replace_file(path, self.html.encode())
        return path


def share(
    document: Document,
    *,
    clip: str | None = None,
    points: Sequence[str] | None = None,
    height: int = 480,
) -> SharedPage:
    """A page of a document that plays, of all its clips or of one, to be looked at from all sides.

    `points` are the joints or points whose motion curves it has; without a word those of hands and feet.
    """
    shown = document if document.clips else new_clip(document)
    clips = [each.name for each in shown.clips] if clip is None else [the_clip(shown, clip).name]
    names = _usual(shown) if points is None else points
    arcs = [ArcWish(i, from_place(the_place(shown, name))) for i, name in enumerate(names, 1)]
    plans, files = Plans(), _Files(shown.meshes)
    told = [{"name": name, "messages": files.renamed(_told(shown, name, arcs, plans))} for name in clips]
    for mesh in shown.meshes:
        files.add(mesh_url(mesh), mesh_arrays(mesh))
        if mesh.material.texture is not None:
            files.add(f"{mesh_url(mesh)}/texture", mesh.material.texture)
        if (look := look_of(shown, mesh)) is not None:
            for name, picture in look.maps.items():
                files.add(f"{mesh_url(mesh)}/map/{name}", picture)
    for name in clips:
        for part in (shown.staging(name).sound, shown.staging(name).picture):
            if part is not None:
                files.add(f"/part/{digest(part.data)}", part.data)
    number = 1
    while (plan := plans.arrays(number)) is not None:
        files.add(plan_url(number), plan)
        number += 1
    listed = [{"arc": each.arc, "place": each.place} for each in arcs]
    recording = {"name": shown.name, "clips": told, "files": files.packed, "arcs": listed}
    return SharedPage(shown.name, _page(shown.name, recording), height)


def show(
    document: Document,
    *,
    clip: str | None = None,
    points: Sequence[str] | None = None,
    height: int = 480,
) -> None:
    """Display a document that plays: in a notebook below its cell, elsewhere in a browser."""
    page = share(document, clip=clip, points=points, height=height)
    if (notebook := sys.modules.get("IPython")) is not None and notebook.get_ipython() is not None:
        notebook.display.display(page)
        return
    if not has_display():
        raise InbetweenerError("there is no notebook and no screen to show it on; use  share(document).save(path)")
    import webbrowser

    # It must outlive this call: the browser reads it whenever it gets there.
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".html", delete=False) as file:
        file.write(page.html)
    webbrowser.open(Path(file.name).as_uri())


class _Files:
    """What lies at addresses; these are made anew by every run, and a page that is shared twice shall be the same."""

    def __init__(self, meshes: Sequence[Mesh]) -> None:
        self._names = {mesh_url(mesh): f"/mesh/{i}" for i, mesh in enumerate(meshes)}
        self.packed: dict[str, str] = {}

    def add(self, url: str, content: bytes) -> None:
        self.packed[self._named(url)] = base64.b64encode(content).decode()

    def renamed(self, messages: list[Wire]) -> list[dict[str, str]]:
        return [
            {"text": self._named(each)} if isinstance(each, str) else {"data": base64.b64encode(each).decode()}
            for each in messages
        ]

    def _named(self, text: str) -> str:
        for url, name in self._names.items():
            text = text.replace(url, name)
        return text


def _told(document: Document, clip: str, arcs: list[ArcWish], plans: Plans) -> list[Wire]:
    """What a page is told that shows a clip: everything, all frames and motion curves."""
    view = PageView(plans)
    view.show_arcs(arcs)
    told = view.show_clip(document, clip, 1)
    for first in range(0, len(document.clip(clip).frame_times), BLOCK):
        told += view.poses(first, BLOCK, first)
        while not view.is_sent:
            told += view.at_leisure(1.0)
        if sum(map(len, told)) > MOST:
            raise InbetweenerError(
                f"clip {clip!r} is too long for a page: more than {MOST >> 20} MB of poses; trim it first"
            )
    return told


def _usual(document: Document) -> list[str]:
    """Hands and feet; on a body that has none, the joint at an end that travels farthest."""
    anatomy, rig, clip = document.anatomy(), document.rig, document.clip()
    found = [part.joint for role in ARCS for part in anatomy.find(role)]
    ends = sorted({*range(len(rig.joints))} - {joint.parent for joint in rig.joints})
    if found or not ends:
        return found[:MOST_ARCS]
    places = rig.world_from_joint(document.motion(clip.name).channels(clip.frame_times))[:, ends, :, 3]
    travelled = np.linalg.norm(np.diff(places, axis=0), axis=2).sum(axis=0)
    return [rig.joints[ends[int(np.argmax(travelled))]].name]


def _page(name: str, recording: object) -> str:
    try:
        script, style = ((PAGE / each).read_text(encoding="utf-8") for each in ("share.js", "share.css"))
    except OSError as error:
        raise InbetweenerError(
            "the page was not built into this package; run  python hatch_build.py  in its sources"
        ) from error
    # The time of packing would make every page another one.
    packed = base64.b64encode(gzip.compress(msgspec.json.encode(recording), 6, mtime=0)).decode()
    return _TEMPLATE.format(
        name=html.escape(name), style=style, recording=packed, script=script.replace("</script", "<\\/script")
    )


_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<meta name="generator" content="Inbetweener">
<title>{name}</title>
<style>{style}</style>
</head>
<body>
<noscript>This page draws a character that moves; it needs JavaScript switched on.</noscript>
<script type="text/plain" id="recording">{recording}</script>
<script type="module">{script}</script>
</body>
</html>
"""
