"""What is shown to Blender: all built-in scenes, and characters from files where the folder of real files is there."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import inbetweener as ib
from inbetweener.document import Document
from inbetweener.motion import Clip
from interop.blender.environment import ROOT

FILES = ROOT.parent / "shared" / "data"
_CHARACTERS = (
    "gltf/characters/RobotExpressive.glb",
    "gltf/characters/kaykit_Knight.glb",
    "gltf/characters/kenney_character/character.glb",
    "gltf/characters/quaternius_Horse/Horse.gltf",
    "gltf/hands/aframe_leftHandHigh.glb",
    "gltf/khronos-samples/CesiumMan.glb",
    "gltf/khronos-samples/Fox.glb",
    "gltf/khronos-samples/RiggedFigure.glb",
    "gltf/khronos-samples/RecursiveSkeletons.glb",
    "gltf/khronos-samples/InterpolationTest.glb",
    "gltf/khronos-samples/AnimatedMorphCube.glb",
    "gltf/khronos-samples/MorphStressTest.glb",
    "gltf/khronos-samples/BoxAnimated.glb",
    "gltf/blender-io/01_cs_morph/01_cs_morph.gltf",
    "gltf/blender-io/03_skinned_cylinder/03_skinned_cylinder.gltf",
    "gltf/blender-io/07_nla-anim/07_nla-anim.gltf",
    "gltf/exporter-quirks/momentum_blender_simple_armature.glb",
    "gltf/exporter-quirks/momentum_skeleton_non_joint_root.glb",
    "gltf/exporter-quirks/momentum_test_24fps.glb",
    "bvh/cmu/02_01_walk.bvh",
)
_IMPORTING = {
    # Under a scaled armature Blender's own way to lay bones moves what hangs from them by the length of the bone.
    "RobotExpressive": {"bone_heuristic": "TEMPERANCE"},
}


@dataclass(frozen=True, slots=True)
class Case:
    """A document, made when it is asked for, and the options with which Blender is to import it."""

    name: str
    make: Callable[[], Document]
    importing: dict[str, str] = field(default_factory=dict)

    def document(self) -> Document:
        """The document, with a clip that stands still where it has none."""
        document = self.make()
        return document if document.clips else replace(document, clips=(Clip("still", 0.0),))


def cases() -> tuple[Case, ...]:
    """All that can be had here."""
    built_in = tuple(Case(info.name, partial(ib.example, info.name)) for info in ib.examples())
    files = [FILES / path for path in _CHARACTERS if FILES.is_dir()]
    return built_in + tuple(Case(file.stem, partial(_read, file), _IMPORTING.get(file.stem, {})) for file in files)


def _read(path: Path) -> Document:
    return ib.read(path).document
