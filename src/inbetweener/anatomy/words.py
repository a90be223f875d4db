"""The words of joint names: how people and programs write them, and what they mean."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from inbetweener.rig.mirror import Side

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_SIDES: dict[str, Side] = {
    "l": "left", "left": "left", "lft": "left", "lf": "left", "lt": "left", "sinister": "left",
    "r": "right", "right": "right", "rgt": "right", "rt": "right", "rht": "right", "dexter": "right",
}  # fmt: skip
MEANINGS: dict[str, str] = {
    "root": ("root rootnode rootjoint armature reference rig origin world master global trajectory scene skeleton cog"),
    "hips": "hips pelvis",
    "?hip": "hip hipjoint",
    "?body": "body",
    "spine": (
        "spine abdomen abdomenlower abdomenupper stomach belly waist torso lumbar lowerback back lowerspine "
        "upperspine upperback spinelower spinemid spineupper"
    ),
    "chest": "chest upperchest thorax ribcage ribs chestlower chestupper shoulders",
    "neck": "neck lowerneck upperneck necklower neckupper necktwist",
    "head": "head skull cranium",
    "jaw": "jaw mandible lowerjaw jawlower jawbone",
    "eye": "eye eyeball",
    "ear": "ear",
    "clavicle": "clavicle collar collarbone scapula scap shoulderblade frontshoulder clav",
    "?shoulder": "shoulder shldr",
    "?arm": "arm",
    "upper_arm": "upperarm uparm humerus bicep shldrbend upperarmbend foreupperleg frontupperleg frontupleg frontthigh",
    "forearm": (
        "forearm lowerarm lowarm loarm elbow radius ulna frontlowerleg frontlowleg forelowerleg frontknee frontcalf"
    ),
    "hand": "hand wrist palm frontfoot forefoot frontpaw fronthoof frontankle forepaw fronthorselink",
    "?frontleg": "frontleg foreleg",
    "finger": "finger fingers thumb index pinky pinkie little ring fingerbase metacarpal carpal fingermid fingerlow",
    "thigh": (
        "thigh upleg upperleg femur thighbend hindupperleg backupperleg backupleg hindthigh rearupperleg legupper"
    ),
    "shin": (
        "shin calf shank lowleg lowerleg loleg knee tibia crus backlowleg backlowerleg hindlowerleg stifle "
        "leglower legmid midleg"
    ),
    "?leg": "leg hindleg backleg rearleg",
    "foot": (
        "foot ankle paw hoof tarsus hock metatarsal metatarsals cannon pastern fetlock horselink talocrural subtalar "
        "transversetarsal backfoot hindfoot footback rearfoot feet backpaw hindpaw"
    ),
    "toe": "toe toes toebase ball toeroot bigtoe",
    "tail": "tail",
    "wing": "wing feather flipper fin pinion",
    "twist": "twist roll bendy",
    "end": "end nub site endsite tip null leaf effector headtop",
    "control": "ik fk pole poletarget pt target ctrl control controller goal mch locator vb",
    "helper": (
        "hair bang bangs fringe ponytail breast bust boob pec pectoral glut rect delt skirt cape cloak cloth "
        "scarf coat belt weapon prop slot handslot holder socket attach attachment gun sword hat helmet "
        "shield eyelid lid eyelids brow eyebrow lip lips lipcorner cheek nose nostril tongue teeth tooth face "
        "muscle corrective heel antenna horn horns mouth chin mass interaction camera light geo mesh "
        "accessory levator orbicularis oris oculi risorius temporalis special eyebrows butt buttock spring "
        "dynamic string ribbon pupil iris"
    ),
}
"""By meaning the words for it, put together: "Up Leg" is upleg. A question mark: it depends on what hangs there."""
_LEXICON = {word: meaning for meaning, listed in MEANINGS.items() for word in listed.split()}
_LONGEST = 4
_FIRST = ("control", "helper", "end", "twist")
"""What is said before all else, in this order: a hair of the head is no head."""
_DIGITS = {"thumb": 1, "index": 2, "middle": 3, "mid": 3, "ring": 4, "pinky": 5, "pinkie": 5, "little": 5, "small": 5}
_VERTEBRA = re.compile(r"^[TL]\d{1,2}$")
_GLUED = re.compile(r"^(left|right|l|r)(.+)$")


@dataclass(frozen=True, slots=True)
class Said:
    """What a name says: a meaning or none, the side, numbers in it, the first as it is written, and all its words."""

    meaning: str
    side: Side | None
    numbers: tuple[int, ...]
    first: str
    digit: int
    words: tuple[str, ...]

    @property
    def goes_on(self) -> str:
        """The meaning if it is no end: a tip that something hangs on."""
        return _found([word for word in self.words if _LEXICON.get(word) != "end"], self.digit)


def said(names: Sequence[str]) -> list[Said]:
    """What each of a rig's names says; what most names have in common, or counts them, says nothing."""
    split = [_split(name) for name in names]
    _drop_common(split)
    _drop_running_numbers(split)
    return [_meaning(name, words) for name, words in zip(names, split, strict=True)]


def _split(name: str) -> list[str]:
    name = re.sub(r"FBXASC(\d{3})", lambda found: chr(int(found[1])), name)
    tail = re.split(r"[:|]", name)[-1]
    # A letter before a number is one word with it, as in F2a.
    return [word.lower() for word in _WORDS.findall(tail or name)]


def _drop_common(split: list[list[str]]) -> None:
    """Take words off the front that nearly all names begin with, such as mixamorig, CC Base or Bip 01."""
    while True:
        heads = Counter(words[0] for words in split if len(words) > 1)
        if not heads:
            return
        word, count = heads.most_common(1)[0]
        common = count >= 0.7 * len(split) and len(split) >= 5
        if not common or word in _SIDES or (word in _LEXICON and word not in ("root", "rig", "skeleton", "armature")):
            return
        for words in split:
            if len(words) > 1 and words[0] == word:
                del words[0]


def _drop_running_numbers(split: list[list[str]]) -> None:
    """Take numbers off the end that only count the joints, as some web sites add them."""
    ends = [words[-1] for words in split if len(words) > 1 and words[-1].isdigit()]
    numbered = sum(len(words) > 1 for words in split)
    if len(ends) > 5 and len(ends) >= 0.8 * numbered and len(set(map(int, ends))) >= 0.95 * len(ends):
        for words in split:
            if len(words) > 1 and words[-1].isdigit():
                words.pop()


def _meaning(name: str, words: list[str]) -> Said:
    if _VERTEBRA.match(name):
        return Said("spine", None, (), "", 0, (name.lower(),))
    side: Side | None = None
    left: list[str] = []
    for word in words:
        parts = _unglued(word)
        for part in parts:
            if side is None and part in _SIDES:
                side = _SIDES[part]
            else:
                left.append(part)
    numbers = tuple(int(word) for word in left if word.isdigit() and len(word) < 6)
    plain = [word for word in left if not word.isdigit()]
    while len(plain) > 1 and plain[-1] in ("m", "c", "joint", "jnt", "bone", "def", "bind", "skin"):
        plain.pop()
    while len(plain) > 1 and plain[0] in (
        "m",
        "c",
        "j",
        "b",
        "p",
        "bip",
        "sec",
        "def",
        "org",
        "joint",
        "bone",
        "jnt",
        "f",
        "valve",
        "biped",
    ):
        del plain[0]
    # A middle leg is no middle finger.
    digit = 0 if {"foot", "leg", "paw"} & set(plain) else next((_DIGITS[word] for word in plain if word in _DIGITS), 0)
    if len(plain) == 1:
        # By themselves these are fingers, beside others they are front legs and third joints.
        digit = {"fore": 2, "third": 4}.get(plain[0], digit)
    first = next((word for word in left if word.isdigit()), "")
    return Said(_found(plain, digit), side, numbers, first, digit, tuple(plain))


def _unglued(word: str) -> list[str]:
    """A word without its side, as in "lefthand" or "lfemur", and without another that is glued to it, as "handslot"."""
    if word in _LEXICON or word in _SIDES:
        return [word]
    glued = _GLUED.match(word)
    if glued and (glued[2] in _LEXICON or glued[1] in ("left", "right")):
        return [glued[1], *_unglued(glued[2])]
    for cut in range(len(word) - 2, 2, -1):
        if word[:cut] in _LEXICON and word[cut:] in _LEXICON:
            return [word[:cut], word[cut:]]
    return [word]


def _found(words: list[str], digit: int) -> str:
    """The meaning of the longest run of words that has one; of several such the last, unless one goes before all."""
    found: list[str] = []
    n = 0
    while n < len(words):
        for end in range(min(len(words), n + _LONGEST), n, -1):
            joined = "".join(words[n:end])
            # "toes" and "toe", "ears" and "ear"
            meaning = _LEXICON.get(joined) or _LEXICON.get(joined.removesuffix("s"))
            if meaning is not None:
                found.append(meaning)
                n = end - 1
                break
        n += 1
    if words == ["mouth"]:
        return "jaw"
    if "facial" in words:
        return found[-1] if words[-1] in ("eye", "jaw") else "helper"
    for first in _FIRST:
        if first in found and not (first == "helper" and "face" in words and found[-1] == "eye"):
            return first
    if digit and "toe" not in found and "foot" not in found and ("finger" in found or "hand" in found or not found):
        return "finger"
    if "toe" in found:
        return "toe"
    if "finger" in found:
        return "finger"
    # The root of a jaw is a jaw.
    return next((each for each in reversed(found) if each != "root"), found[-1] if found else "")
