"""One captured walk on six bodies, each with its own legs, joints and soles.

The clip and three of the bodies belong to others and are not part of the repository: this hangs here where the folder
of real files is.
"""

import warnings
from dataclasses import replace

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from benchmarks.library.plain import REAL_FILES
from gallery.captured import CMU
from gallery.exhibit import Exhibit, Shot
from inbetweener import formats
from inbetweener.builtin import example
from inbetweener.document import Document, edits

WALK = REAL_FILES / "bvh" / "cmu" / "02_01_walk.bvh"
SECONDS = 2.0
FILES = {
    "a knight (KayKit)": REAL_FILES / "gltf" / "characters" / "kaykit_Knight.glb",
    "a toy robot": REAL_FILES / "gltf" / "characters" / "RobotExpressive.glb",
    "an avatar with Mixamo's names": REAL_FILES / "gltf" / "vrm" / "polygonalmind_Polybot.vrm",
}
BUILT_IN = {"a person": "diver", "a cartoon": "caricature", "a dinosaur": "dino-punch"}


def walking() -> Worked:
    """The walk brought to every body; what became of feet, ground and ends."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is told of files is told where they are opened by hand
        source = edits.trim(formats.load(WALK), end=SECONDS, set_pose=True).document
        bodies = {name: example(scene) for name, scene in BUILT_IN.items()}
        bodies |= {name: formats.load(path) for name, path in FILES.items()}
        versions, figures = {}, []
        for name, body in bodies.items():
            result = edits.retarget(replace(body, props=(), constraints=()), source)
            versions[name] = _alone(result.document, result.clip.name)
            figures += [
                Figure(f"slide of a standing foot of {name}", 1e3 * float(result.quality.slide.max()), "mm", at_most=1),
                Figure(
                    f"depth of soles in the ground of {name}", 1e3 * float(result.quality.below.max()), "mm", at_most=5
                ),
            ]
    return Worked(versions, figures)


def _alone(document: Document, clip: str) -> Document:
    """A document with nothing but that clip, and without constraints, which would be drawn."""
    return replace(document, clips=(document.clip(clip),), view=None)


ONE_WALK = Exhibit(
    "one-walk-six-bodies",
    "One walk, six bodies",
    "captured",
    "CMU database, subject 2",
    "",
    "A captured walk is brought to six bodies by what their joints are: way and steps by the length of legs, feet "
    f"planted where the walker's are, soles above the ground. {CMU}",
    walking,
    "Everybody walks as the walker does, heels first, and no foot slides. The dinosaur's toes bend by 50° at most and "
    "dip into the ground as its heels rise; the toy robot's feet are as long as its shins, so it lifts its knees.",
    shot=Shot(24, size=(320, 360), columns=3, apart=True),
)
HERE = all(path.is_file() for path in (WALK, *FILES.values()))
BODIES: tuple[Exhibit, ...] = (ONE_WALK,) if HERE else ()
LEFT_OUT: tuple[str, ...] = () if HERE else (ONE_WALK.name,)
