"""What a page is told that joints weigh: the same body that guidance and springs move."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.dynamics.body import Weighing
from inbetweener.errors import InvalidRig
from inbetweener.rig.masses import MassModel
from inbetweener.studio.session.changes import moves_alike

_last: tuple[Document, Weighing, MassModel] | None = None


def weighed(document: Document, clip: str) -> tuple[Floats, Floats]:
    """Masses (J,) in kg, and centres (J, 3) in the joints' own frames, as a clip of a document has them."""
    global _last
    if not document.rig.joints:
        return np.empty(0), np.empty((0, 3))
    way = weighing(document, clip)
    # A slider of stiffness makes a new rig at every move, and not one of them weighs anything else.
    if _last is None or not _weighs_alike(*_last[:2], document, way):
        _last = document, way, _masses(document, way)
    return _last[2].masses, _last[2].centres


def weighing(document: Document, clip: str) -> Weighing:
    """How a clip has the body weighed."""
    return document.loosening(clip).looseness.masses if clip else "boxes"


def _weighs_alike(before: Document, old: Weighing, after: Document, new: Weighing) -> bool:
    return old == new and (old != "mesh" or before.meshes == after.meshes) and moves_alike(before.rig, after.rig)


def _masses(document: Document, way: Weighing) -> MassModel:
    try:
        return document.body(masses=way).masses
    except InvalidRig:
        # A mesh that is closed no more, say: whatever is to move by it says so, and the rest is shown all the same.
        return document.body(masses="boxes").masses
