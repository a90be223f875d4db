"""Captured clips as they came, cleaned of slide, and fitted to few keys with their feet planted.

The clips belong to others and are not part of the repository: they hang here where the folder of real files is.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from benchmarks.library.ours import Take
from benchmarks.library.plain import REAL_FILES, pops
from gallery.exhibit import Exhibit, Shot
from inbetweener.contacts.slide import slides
from inbetweener.document import Document, Prop, edits
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Constraint

CMU = (
    "Data from mocap.cs.cmu.edu; the database was created with funding from NSF EIA-0196217. In B. Hahne's conversion "
    "to BVH."
)
FEET = ("LeftToeBase", "RightToeBase")
MARK_M = 0.018
YELLOW = (0.9, 0.65, 0.11)
TOLERANCE = 0.005
"""Metres within which the cleaned clip is fitted."""


def worked(path: Path) -> Worked:
    """As captured, cleaned, and cleaned and fitted; a yellow ball wherever a foot is to stand."""
    take = Take.of(path)
    cleaned = edits.remove_slide(take.planted).document
    fitted = edits.fit(cleaned, tolerance=TOLERANCE).document
    held = [each.rule for each in cleaned.constraints]
    marks = tuple(_mark(cleaned, number, rule) for number, rule in enumerate(held))
    versions = {"as captured": take.planted, "cleaned": cleaned, "cleaned and fitted": fitted}
    figures = [
        *(Figure(f"worst slide of a planted point {name}", 1e3 * _worst(take.planted, each, held), "mm",
                 at_most=None if each is take.planted else 1) for name, each in versions.items()),
        *(Figure(f"pops {name}", _pops(take.planted, each), "", at_most=0 if each is cleaned else None)
          for name, each in versions.items() if each is not take.planted),
        *(Figure(f"keys {name}", sum(map(len, each.clip().curves.values())), "") for name, each in versions.items()),
    ]  # fmt: skip
    shown = {name: replace(each, props=(*each.props, *marks), constraints=()) for name, each in versions.items()}
    return Worked(shown, figures, FEET)


def _mark(document: Document, number: int, rule: Constraint) -> Prop:
    place = document.motion().states([0.5 * (rule.start + rule.end)], rule.point)[0][0]
    where = (float(place[0]), float(place[1]), float(place[2]))
    return Prop(f"where {rule.point} stands, {number + 1}", Sphere(MARK_M), Transform(where), colour=YELLOW)


def _worst(before: Document, after: Document, held: Sequence[Constraint]) -> float:
    return max(each.after for each in slides(before.motion(), after.motion(), held))


def _pops(before: Document, after: Document) -> int:
    times, places = before.clip().frame_times, before.rig.places
    return pops(*(each.motion().point_positions(times, places) for each in (before, after)))


def _work(stem: str) -> Callable[[], Worked]:
    def work() -> Worked:
        return worked(REAL_FILES / "bvh" / "cmu" / f"{stem}.bvh")

    return work


_ALL = {
    "02_01_walk": Exhibit(
        "captured-walk",
        "Captured: a walk",
        "captured",
        "CMU database, subject 2",
        "",
        "Contacts are found, every frame is changed as little as may be so that the feet stand, and the clip is fitted "
        f"within 5 mm with its contacts held. A ball marks where a foot is to stand. {CMU}",
        _work("02_01_walk"),
        "As captured, the arc of each foot ends in a hook, 35 mm of slide; cleaned, it ends in one place. The fitted "
        "version has an eighth of the keys, and changes its speeds harder than the capture on a few frames.",
        shot=Shot(20, size=(420, 360)),
    ),
    "13_11_forward_jump": Exhibit(
        "captured-jump",
        "Captured: a jump",
        "captured",
        "CMU database, subject 13",
        "",
        f"The same with a forward jump: both feet stand, leave together and land elsewhere. {CMU}",
        _work("13_11_forward_jump"),
        "Both feet leave and land as they did, and stand before and after. The fitted version has a tenth of the keys.",
        shot=Shot(30, size=(420, 360)),
    ),
    "49_06_cartwheel": Exhibit(
        "captured-cartwheel",
        "Captured: a cartwheel",
        "captured",
        "CMU database, subject 49",
        "",
        "The same with a cartwheel. Its hands carry the body and slip by 37 and 45 cm in the capture, as if the floor "
        f"were wet: nobody would plant them, so they are named and left alone; the feet are planted. {CMU}",
        _work("49_06_cartwheel"),
        "Knees bend as they did and nothing pops; the hands still slip under the body.",
        shot=Shot(40, size=(420, 360)),
    ),
}

CAPTURED: tuple[Exhibit, ...] = tuple(
    exhibit for stem, exhibit in _ALL.items() if (REAL_FILES / "bvh" / "cmu" / f"{stem}.bvh").is_file()
)
LEFT_OUT: tuple[str, ...] = tuple(each.name for each in _ALL.values() if each not in CAPTURED)
"""Exhibits whose clips are not beside the checkout."""
