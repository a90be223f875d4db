"""Sound files of every kind that is read, to be changed."""

import base64
import json
import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import msgspec
import numpy as np

from inbetweener import formats
from inbetweener.batch.hand import Hand
from inbetweener.batch.recipe import read_recipe, ready_recipes
from inbetweener.batch.run import About
from inbetweener.batch.store import ABOUT, CLIPS, HAND, HAND_NOTE
from inbetweener.batch.store import RECORD as KEPT
from inbetweener.batch.work import Record
from inbetweener.document import Document, Editor, edits, read_journal
from inbetweener.document.native.read import native_text
from inbetweener.document.pose import SUFFIX as POSE
from inbetweener.document.pose import Pose, read_pose, write_pose
from inbetweener.document.validation import problems
from inbetweener.errors import InbetweenerError
from inbetweener.studio.project.batches import read_batch
from inbetweener.studio.session.page_view import text
from tests.conftest import REAL_FILES
from tests.document.puppet import puppet
from tests.document.random_edits import edited
from tests.formats.bvh.samples import chain
from tests.formats.test_robots import MJCF, URDF
from tests.sounds import PNG, beep
from tests.studio.documents import loose_arm

SMALL = 60_000
"""Bytes of a real file, at most, to be worth changing: most changes of larger ones hit numbers."""
JOURNAL, RECIPE, RECORD = ".journal", ".toml", ".record"
"""What a batch keeps of a clip, as its record and as a note on hand edits, is called `record.json` and `hand.json`."""
NUMBERS = (".npz", ".csv")
USD = tuple(suffix for suffix in formats.READABLE if suffix.startswith(".usd"))
SUFFIXES = (*formats.READABLE, *NUMBERS, JOURNAL, RECIPE, POSE, RECORD)
"""Everything that is read."""


def looked_at(path: Path, content: bytes) -> list[str]:
    """Open a file; what is wrong with what it holds."""
    path.write_bytes(content)
    return READERS.get(path.suffix, _document)(path)


def _document(path: Path) -> list[str]:
    options = {"onto": loose_arm()} if path.suffix == ".csv" else {}
    document = formats.read(path, **options).document
    found = [str(each) for each in problems(document)]
    for clip in document.clips:
        times = clip.frame_times
        if len(times) > 10**6 + 1:
            found.append(f"{len(times)} frames")
        few = times[:: max(1, len(times) // 5)]
        if not np.isfinite(document.motion(clip.name).joint_positions(few)).all():
            found.append(f"{clip.name} goes beyond all numbers")
    native_text(document)
    return found


def _recipe(path: Path) -> list[str]:
    return [] if read_recipe(path).key else ["a recipe without a key"]


def _pose(path: Path) -> list[str]:
    pose = read_pose(path)
    with suppress(InbetweenerError):  # it may say nothing to this character
        if not np.isfinite(pose.values(loose_arm())[0]).all():
            return ["goes beyond all numbers"]
    return []


def _record(path: Path) -> list[str]:
    root = path.parent / "batch"
    for place in (root / CLIPS / "a.bvh" / KEPT, root / HAND / "a.bvh" / HAND_NOTE):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    (root / ABOUT).write_bytes(msgspec.json.encode(About("r", "", "", "moved_mm", "")))
    found = read_batch(root, "")
    told = [each.path for each in found.clips if each.path is not None]
    text(found)
    return [f"leads to {each}" for each in told if not each.startswith((f"{CLIPS}/a.bvh/", f"{HAND}/a.bvh/"))]


READERS: dict[str, Callable[[Path], list[str]]] = {
    JOURNAL: lambda path: problems(read_journal(path).history.document),
    RECIPE: _recipe,
    POSE: _pose,
    RECORD: _record,
}


@cache
def specimens() -> tuple[tuple[str, bytes], ...]:
    """Sound files by suffix: our own of everything, and small real ones where they are at hand."""
    found: list[tuple[str, bytes]] = []
    with tempfile.TemporaryDirectory(prefix="inbetweener-files-") as folder:
        for document in (_staged(), loose_arm()):
            for suffix in (*formats.SUFFIXES, *NUMBERS):
                path = Path(folder) / f"{document.name}{suffix}"
                formats.write(document, path)
                if suffix == ".gltf":
                    path.write_bytes(_embedded(path))
                found.append((suffix, path.read_bytes()))
        with Editor(puppet(), Path(folder) / "journal") as editor:
            for seed in range(12):
                editor.apply(f"Edit {seed}", lambda document, seed=seed: edited(document, seed))
        found.append((JOURNAL, (Path(folder) / "journal").read_bytes()))
        rows = (
            [0, 90, 0, 1.5, -2e-3, 3, 10, 20, 30],
            [1, 91, 0.5, 4, 5, 6, 170, 21, 31],
            [2, 92, 1, 7, 8, 9, -170, 22, 3],
        )
        found.append((".bvh", chain(*rows).encode()))
        found += [(suffix, MJCF.encode()) for suffix in (".xml", ".mjcf")]
        found.append((".urdf", URDF.encode()))
        found += [(RECIPE, said.encode()) for said in ready_recipes().values()]
        found += [(suffix, content) for suffix, content in _avatars(found)]
        write_pose(Pose.of(loose_arm(), "kept", "swing", 0.5), Path(folder) / f"kept{POSE}")
        found.append((POSE, (Path(folder) / f"kept{POSE}").read_bytes()))
        made = Record(
            "a.bvh", "done", "k", files={"a.tween": 9, "a.png": 3}, sheets={"a.png": 3}, rows=({"clip": "a"},)
        )
        found.append((RECORD, msgspec.json.encode(made)))
        found.append((RECORD, msgspec.json.encode(Hand("a.bvh", True, "0123456789abcdef"))))
        for path in sorted(REAL_FILES.rglob("*")):
            if path.suffix in (*formats.READABLE, *NUMBERS) and path.stat().st_size < SMALL:
                content = _embedded(path) if path.suffix == ".gltf" else path.read_bytes()
                # Some are broken on purpose, and nobody looks further into those than to where they break.
                with suppress(InbetweenerError):
                    looked_at(Path(folder) / f"real{path.suffix}", content)
                    found.append((path.suffix, content))
    return tuple(found)


def _staged() -> Document:
    """One of everything, and a sound, a camera and a picture with it."""
    heard = edits.sound(puppet(), beep(0.1), name="beep.wav", clip="walk").document
    seen = edits.camera(heard, (2.0, 1.0, 3.0), (0.0, 1.0, 0.0), frame=3, clip="walk").document
    return edits.picture(seen, PNG, name="look.png", clip="walk").document


def _avatars(found: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """VRM files are binary glTF files that say which node is which bone."""
    made = []
    for suffix, word in ((".vrm", "VRMC_vrm"), (".vrma", "VRMC_vrm_animation")):
        content = next(content for kind, content in found if kind == ".glb")
        (length,) = struct.unpack_from("<I", content, 12)
        whole = json.loads(content[20 : 20 + length])
        bones = {name: {"node": number} for number, name in enumerate(("hips", "spine", "head"))}
        whole["extensions"] = {word: {"specVersion": "1.0", "humanoid": {"humanBones": bones}}}
        whole["extensionsUsed"] = [*whole.get("extensionsUsed", []), word]
        made.append((suffix, binary_gltf(json.dumps(whole).encode(), content[20 + length :])))
    return made


def binary_gltf(text: bytes, rest: bytes) -> bytes:
    """A binary glTF file of its JSON and of all chunks after that."""
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest))
    return head + struct.pack("<I4s", len(text), b"JSON") + text + rest


def _embedded(path: Path) -> bytes:
    """A glTF file with what lies beside it put into it, so that it can be changed alone."""
    whole = json.loads(path.read_bytes())
    for each in (*whole.get("buffers", ()), *whole.get("images", ())):
        uri = unquote(str(each.get("uri", "data:")))
        beside = path.parent / uri
        if not uri.startswith("data:") and beside.is_file():
            content = base64.b64encode(beside.read_bytes()).decode()
            each["uri"] = f"data:application/octet-stream;base64,{content}"
    return json.dumps(whole).encode()
