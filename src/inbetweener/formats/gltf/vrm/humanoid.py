"""The humanoid map of VRM files, in which the file itself says which node is which bone."""

import re
from typing import Any

from inbetweener.anatomy import Anatomy, Part, Role
from inbetweener.formats.gltf.reading.scene import Scene
from inbetweener.formats.gltf.reading.source import Source
from inbetweener.rig.mirror import Side

_ROLES: dict[str, Role] = {
    "hips": "hips", "spine": "spine", "chest": "chest", "upperChest": "chest", "neck": "neck", "head": "head",
    "jaw": "jaw", "Eye": "eye", "Shoulder": "clavicle", "UpperArm": "upper_arm", "LowerArm": "forearm",
    "Hand": "hand", "UpperLeg": "thigh", "LowerLeg": "shin", "Foot": "foot", "Toes": "toe",
}  # fmt: skip
_FINGERS = {"Thumb": 1, "Index": 2, "Middle": 3, "Ring": 4, "Little": 5}
_SEGMENTS = {"Metacarpal": 1, "Proximal": 1, "Intermediate": 2, "Distal": 3}


def humanoid_parts(source: Source, scene: Scene) -> tuple[Part, ...]:
    """What a VRM 0 or 1 file, or a VRM animation, says of its joints; what makes no sense is left out and told."""
    found: dict[str, Part] = {}
    for place, bone, node in _bones(source.gltf.extensions):
        joint = scene.joint_of_node.get(node) if isinstance(node, int) else None
        if joint is None:
            source.leave_out(place, f"bone {str(bone)[:40]!r} is no node of the scene; left out")
            continue
        name = scene.joints[joint].name
        if (part := _part(name, str(bone), place)) is not None:
            found[name] = part
    return tuple(found.values())


def _bones(extensions: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    for name in ("VRMC_vrm", "VRMC_vrm_animation", "VRM"):
        extension = extensions.get(name)
        humanoid = extension.get("humanoid") if isinstance(extension, dict) else None
        bones = humanoid.get("humanBones") if isinstance(humanoid, dict) else None
        place = f"/extensions/{name}/humanoid/humanBones"
        if isinstance(bones, dict):
            return [
                (f"{place}/{bone}", bone, each.get("node")) for bone, each in bones.items() if isinstance(each, dict)
            ]
        if isinstance(bones, list):
            each_bone = [each for each in bones if isinstance(each, dict)]
            return [(f"{place}/{n}", each.get("bone"), each.get("node")) for n, each in enumerate(each_bone)]
    return []


def _part(joint: str, bone: str, place: str) -> Part | None:
    matched = re.match(r"^(left|right)?(\w+)$", bone)
    if matched is None:
        return None
    side: Side | None = "left" if matched[1] == "left" else "right" if matched[1] else None
    rest = matched[2]
    for finger, digit in _FINGERS.items():
        if side and rest.startswith(finger) and (number := _SEGMENTS.get(rest[len(finger) :])) is not None:
            # A thumb of VRM 1 begins at its metacarpal, where one of VRM 0 begins at what is called proximal.
            later = finger == "Thumb" and "VRMC" in place and rest.endswith("Proximal")
            return Part(joint, "finger", side, number + later, digit)
    role = _ROLES.get(rest)
    if role is None or (side is None) == rest[0].isupper():
        return None
    number = {"spine": 1, "chest": 1, "upperChest": 2}.get(rest, 0)
    return Part(joint, role, side, number)


def human_bones(anatomy: Anatomy) -> dict[str, str]:
    """Joints by VRM 1's names of the bones that they are; of several in a row, the one nearest to the trunk."""
    words = {role: word for word, role in _ROLES.items() if word != "upperChest"}
    found: dict[str, str] = {}
    trunk: list[str] = []
    for part in anatomy.body:
        if part.role in ("spine", "chest"):
            trunk.append(part.joint)
        elif part.role == "finger" and part.side is not None:
            if (word := _finger(part)) is not None:
                found.setdefault(f"{part.side}{word}", part.joint)
        elif (word := words.get(part.role)) is not None and (part.side is None) == word[0].islower():
            found.setdefault(f"{part.side or ''}{word}", part.joint)
    # Arms hang on the last; of more than VRM has names for, the one in the middle stands for those between.
    if len(trunk) > 3:
        trunk = [trunk[0], trunk[len(trunk) // 2], trunk[-1]]
    found |= dict(zip(("spine", "chest", "upperChest"), trunk, strict=False))
    return found


def _finger(part: Part) -> str | None:
    names = ("Metacarpal", "Proximal", "Distal") if part.digit == 1 else ("Proximal", "Intermediate", "Distal")
    name = next((each for each, digit in _FINGERS.items() if digit == part.digit), None)
    return f"{name}{names[part.number - 1]}" if name is not None and 1 <= part.number <= 3 else None
