"""Which part of a human body a joint moves, read from its name.

Knows the names of the CMU database, Mixamo, Unreal, Rigify, SMPL and ours: `LeftUpLeg`, `mixamorig:LeftForeArm`,
`calf_l`, `DEF-upper_arm.L`, `L_Knee`, `shank_l`.
"""

import re
from typing import Literal

from inbetweener.rig.chains import descendants
from inbetweener.rig.mirror import WORDS, side_of
from inbetweener.rig.rig import Rig

Part = Literal["head", "neck", "trunk", "upper_arm", "forearm", "hand", "thigh", "shank", "foot"]

_NOISE = {"l", "r", "left", "right", "joint", "bone", "jnt", "def", "org", "mch", "end", "site", "nub", "twist", "roll"}
_DIGITS = {"thumb", "index", "middle", "ring", "pinky", "little", "finger", "palm", "carpal", "metacarpal"}
_TOES = {"toe", "toes", "ball", "heel"}
_ON_HEAD = {"jaw", "eye", "eyelid", "brow", "ear", "hair", "tongue", "nose", "mouth", "lip", "chin", "cheek"}

_PARTS: dict[Part, set[str]] = {
    "head": {"head", "skull", "headtop"},
    "neck": {"neck", "lowerneck", "upperneck"},
    "trunk": {
        "hips", "pelvis", "spine", "lowerspine", "upperspine", "back", "lowerback", "upperback", "waist", "belly",
        "abdomen", "torso", "chest", "upperchest", "thorax", "ribcage", "breast", "clavicle", "collar", "collarbone",
        "scapula",
    },
    "upper_arm": {"arm", "upperarm", "uparm", "humerus"},
    "forearm": {"forearm", "lowerarm", "lowarm", "loarm", "elbow", "radius"},
    "hand": {"hand", "wrist"},
    "thigh": {"thigh", "upleg", "upperleg", "femur"},
    "shank": {"leg", "shank", "calf", "shin", "lowleg", "loleg", "lowerleg", "knee", "tibia"},
    "foot": {"foot", "ankle", "toebase"},
}  # fmt: skip
_PART_OF = {word: part for part, words in _PARTS.items() for word in words}


def named_part(name: str) -> Part | None:
    """The body part that a name speaks of, without looking at the joints around it."""
    words = [w.lower() for w in WORDS.findall(re.split(r"[:|]", name)[-1])]
    # Glued sides, as in "lefthand", leave the rest of the word.
    words = [re.sub(r"^(left|right)(?=.)", "", w) for w in words]
    words = [w for w in words if w not in _NOISE]
    if _DIGITS.intersection(words):
        return "hand"
    if _TOES.intersection(words):
        return "foot"
    if _ON_HEAD.intersection(words):
        return "head"
    joined = "".join(words)
    if joined in _PART_OF:
        return _PART_OF[joined]
    # A word of its own among others, as in "Bip Spine" or "skeleton_arm".
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            if (found := _PART_OF.get("".join(words[start:end]))) is not None:
                return found
    return None


def parts(rig: Rig) -> dict[str, Part | None]:
    """The body part of every joint; None where the name says nothing.

    "Shoulder" and "hip" mean different joints to different people: one that carries a named upper arm or thigh is part
    of the trunk, otherwise it is that arm or thigh itself.
    """
    found = {joint.name: named_part(joint.name) for joint in rig.joints}
    for name, part in list(found.items()):
        words = {w.lower() for w in WORDS.findall(name)}
        limb: Part | None = "upper_arm" if {"shoulder", "shldr"} & words else "thigh" if "hip" in words else None
        if part is None and limb is not None:
            carries = any(found[below] == limb for below in descendants(rig, name))
            found[name] = "trunk" if carries or side_of(name) is None else limb
    return found
