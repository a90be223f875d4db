"""Bones for whoever sketches: their shapes, and which of them a stroke means."""

from typing import TYPE_CHECKING

import numpy as np

from inbetweener.document import Document
from inbetweener.document.edits import sketched_at
from inbetweener.posing.sketch import select
from inbetweener.posing.sketch.bones import Bones
from inbetweener.studio.gestures.hand import require_sane, triple
from inbetweener.studio.places import to_view
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.session.page import Page
from inbetweener.studio.session.page_view import text
from inbetweener.studio.session.worker import Refusal

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session

DIGITS = 5
"""Of metres, after the point; it is only drawn."""


def shapes(session: "Session", page: Page, request: to_server.FetchBones) -> None:
    """Tell a page the shapes of all bones at a time."""
    document, clip = _shown(session, page, request.time)
    bones = Bones.of(document.rig, document.motion(clip).channels([request.time])[0])
    samples = bones.samples({joint: bones.steps(joint) for joint in range(len(document.rig.joints))})
    items = [
        to_page.BoneShape(
            joint=document.rig.joints[joint].name,
            points=samples.positions[rows].round(DIGITS).ravel().tolist(),
            end=triple(document.rig.bones.ends[joint]),
            bent=joint in bones.screws and bool(bones.screws[joint].any()),
        )
        for joint, rows in samples.rows.items()
    ]
    refines = sketched_at(document, clip, request.time)
    page.send([text(to_page.Bones(time=request.time, items=items, refines=refines))])


def choose(session: "Session", page: Page, request: to_server.ChooseBones) -> None:
    """Tell a page which bones a stroke means."""
    document, clip = _shown(session, page, request.time)
    require_sane("a point of a stroke", *request.points)
    if len(request.points) % 2:
        raise Refusal("a stroke has two numbers a point")
    pose = document.motion(clip).channels([request.time])[0]
    stroke = np.array(request.points, np.float64).reshape(-1, 2)
    chosen = select(stroke, document.rig, pose, to_view(request.view), request.selecting)
    page.send([text(to_page.ChosenBones(joints=list(chosen)))])


def _shown(session: "Session", page: Page, time: float) -> tuple[Document, str]:
    require_sane("a time", time)
    document, clip = session.shown, page.view.clip
    if not document.rig.joints:
        raise Refusal("there are no bones to sketch on; open a character")
    return document, clip
