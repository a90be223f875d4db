"""A document written onto the .vrm file that it came from."""

from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from inbetweener.document import Document, edits
from inbetweener.errors import FormatError
from inbetweener.formats.gltf.vrm.spring_bones import NEW, Swinging, bones_of
from inbetweener.formats.gltf.vrm.write_springs import written
from inbetweener.formats.gltf.writing.onto import Base
from inbetweener.kinodynamics import Looseness

MODELS = ("VRMC_vrm", "VRM")


@dataclass(frozen=True, slots=True)
class Sprung:
    """A document as keyed, and how loose it was."""

    path: Path
    document: Document
    looseness: Looseness | None

    def put_into(self, base: Base | None) -> list[str]:
        """Write springs as spring bones of the kept file; a line for what they cannot say."""
        if base is None:
            raise FormatError(
                self.path, "", "joints of the file that it came from are gone or hang elsewhere", "write it as .glb"
            )
        if self.looseness is None or not self.looseness.springs:
            return []
        extensions = base.whole["extensions"]
        try:
            bones = bones_of(extensions, [node.get("children", []) for node in base.whole["nodes"]])
        except msgspec.ValidationError:
            return ["springs are left out: what the file says of its spring bones makes no sense"]
        swinging = Swinging.of(bones, self.document, lambda node: base.kept.joints[node])
        losses = written(extensions, swinging, self.looseness, base.node_of.get)
        if NEW in extensions and NEW not in base.whole.get("extensionsUsed", []):
            base.whole["extensionsUsed"] = [*base.whole.get("extensionsUsed", []), NEW]
        return losses


def as_model(document: Document, path: Path) -> tuple[Sprung, list[str]]:
    """What goes into a .vrm file, and a line for each thing that its programs will not see."""
    kept = None if document.source is None else document.source.kept
    extensions = {} if kept is None else msgspec.json.decode(kept.text).get("extensions", {})
    if not any(name in extensions for name in MODELS):
        raise FormatError(
            path,
            "",
            "only what was opened from a .vrm file is written as one, as its licence is for its makers to give",
            "write it as .glb, or its motion as .vrma",
        )
    losses = []
    loose = [each for each in document.loosenings if each.looseness.springs]
    if any(each.looseness.springs != loose[0].looseness.springs for each in loose):
        losses.append(f"spring bones are those of clip {loose[0].clip!r}: VRM has one kind of looseness for all clips")
    for each in loose:
        document = edits.switch_looseness(document, each.clip, False)
    # A clip that was made to hold springs has nothing to say in the file.
    moving = tuple(clip for clip in document.clips if clip.curves or clip.layers)
    still = {clip.name for clip in document.clips} - {clip.name for clip in moving}
    document = replace(
        document,
        clips=moving,
        constraints=tuple(each for each in document.constraints if each.clip not in still),
        loosenings=tuple(each for each in document.loosenings if each.clip not in still),
        stagings=tuple(each for each in document.stagings if each.clip not in still),
    )
    if moving:
        losses.append("clips are in the file as in any glTF, but programs that show VRM pass over them: write a .vrma")
    return Sprung(path, document, loose[0].looseness if loose else None), losses
