"""Flying robot: under the lamp, over the beam, over the post, by three drags of its body's arc."""

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.document import Clearance, Document
from inbetweener.document.edits import drag
from inbetweener.studio.obstacle_demo import DRAGS, UNDER_THE_LAMP
from inbetweener.tangents import Certificate


def worked() -> Worked:
    """Four keys, three obstacles, three drags."""
    before = example("flying-robot")
    flown, certificates = after(before)
    hit, clear = (Clearance(before).least(document.motion()) for document in (before, flown))
    growth = peak_acceleration(flown) / peak_acceleration(before)
    figures = [
        Figure("drags", len(certificates), "", at_most=6),
        *(Figure(f"{name}, clearance before", 100 * d, "cm", at_most=0) for name, d in hit.items()),
        *(Figure(f"{name}, clearance after", 100 * d, "cm", at_least=1) for name, d in clear.items()),
        Figure("peak acceleration of the body before", peak_acceleration(before), "m/s²"),
        Figure("growth of that acceleration", growth, "×", at_most=2.5),
    ]
    return Worked({"before": before, "after": flown}, figures, ("body",))


def after(document: Document) -> tuple[Document, list[Certificate]]:
    """The flight around all obstacles, and what each drag is worth."""
    certificates = []
    for time, position in DRAGS:
        locks = () if time == UNDER_THE_LAMP else (UNDER_THE_LAMP,)
        dragged = drag(document, "body", time=time, to=position, locks=locks)
        document = dragged.document
        certificates.append(dragged.certificate)
    return document, certificates


def peak_acceleration(document: Document, point: str = "body") -> float:
    """The largest acceleration in m/s² of a point, from central differences four times a frame."""
    motion, step = document.motion(), 1 / 960
    times = np.arange(motion.clip.start + step, motion.clip.end - step, 1 / 96)
    before, now, later = (motion.states(times + shift, document.rig.point(point))[0] for shift in (-step, 0.0, step))
    return float(np.linalg.norm(before - 2 * now + later, axis=1).max() / step**2)
