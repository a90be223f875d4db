"""Mutated files of every format that is read: each gets a clear line or opens as a sound document, in bounds.

`python -m torture.files [--count FILES] [--seed SEED]`. Files are our own, real ones where they are at hand, and ones
crafted to unfold to far more than they hold; each is changed in places by chance.
"""

import base64
import json
import re
import signal
import struct
import tempfile
import time
import traceback
import tracemalloc
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any
from urllib.parse import unquote

import numpy as np

from benchmarks.harness import Figure
from inbetweener import formats
from inbetweener.document import Editor, read_journal
from inbetweener.document.native.read import native_text
from inbetweener.document.validation import problems
from inbetweener.errors import InbetweenerError
from tests.conftest import REAL_FILES
from tests.document.puppet import puppet
from tests.document.random_edits import edited
from tests.formats.bvh.samples import chain
from tests.studio.documents import loose_arm
from torture.command import main, told

ROOM, TIMES = 64 << 20, 20
"""Bytes that reading any file may take, and how many more for each of its own."""
SLOWEST = 10.0
"""Seconds of work that reading may take."""
GIVEN_UP = 60.0
"""Seconds after which a file is taken to hang."""
SMALL = 60_000
"""Bytes of a real file, at most, to be worth changing: most changes of larger ones hit numbers."""
JOURNAL = ".journal"
Crafted = Iterator[tuple[str, bytes]]


# --- files that unfold to more than they hold -----------------------------------------------------------------------


def gltf(data: bytes = b"", **parts: Any) -> bytes:
    whole: dict[str, Any] = {"asset": {"version": "2.0"}, **parts}
    if data:
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        whole["buffers"] = [{"byteLength": len(data), "uri": uri}]
        whole["bufferViews"] = [{"buffer": 0, "byteLength": len(data)}]
    return json.dumps(whole, separators=(",", ":")).encode()


def accessor(count: int, kind: str = "VEC3", component: int = 5126, **more: Any) -> dict[str, Any]:
    return {"componentType": component, "count": count, "type": kind, **more}


def crafted_gltf(random: Random) -> Crafted:
    """Sharing, zeros, numbers and names, each multiplied as far as the format lets it be."""
    n = random.choice([10, 200, 1000])
    many = random.choice([5, 20, 150])
    triangle = {"attributes": {"POSITION": 0}}
    yield (
        "zeros.gltf",
        gltf(
            accessors=[accessor(random.choice([10**5, 10**7, 3 * 10**8]))],
            meshes=[{"primitives": [triangle]}],
            nodes=[{"mesh": 0}],
        ),
    )
    yield (
        "shared.gltf",
        gltf(
            bytes(12 * n),
            accessors=[accessor(n, bufferView=0)] * many,
            meshes=[{"primitives": [{"attributes": {"POSITION": i}} for i in range(many)]}],
            nodes=[{"mesh": 0}],
        ),
    )
    yield (
        "targets.gltf",
        gltf(
            bytes(12 * n),
            accessors=[accessor(n, bufferView=0)],
            meshes=[{"primitives": [{**triangle, "targets": [{}] * many}]}],
            nodes=[{"mesh": 0, "name": "x" * random.choice([1, 100_000])}] * random.choice([1, 50]),
        ),
    )
    yield "nodes.gltf", gltf(nodes=[{}] * (2 * n))
    yield "skins.gltf", gltf(nodes=[{}], skins=[{"joints": [0] * n}] * many)
    times = np.arange(n, dtype="<f4").tobytes()
    turns = np.tile(np.array([0, 0, 0, 1], "<f4"), n).tobytes()
    animated = {
        "accessors": [accessor(n, "SCALAR", bufferView=0), accessor(n, "VEC4", bufferView=0, byteOffset=4 * n)],
        "nodes": [{}] * many,
        "animations": [
            {
                "samplers": [{"input": 0, "output": 1}],
                "channels": [{"sampler": 0, "target": {"node": i, "path": "rotation"}} for i in range(many)],
            }
        ],
    }
    yield "tracks.gltf", gltf(times + turns, **animated)
    late = struct.pack("<2f", 0.0, random.choice([1e3, 1e6, 1e9])) + struct.pack("<8f", 0, 0, 0, 1, 0, 0, 0, 1)
    yield (
        "late.gltf",
        gltf(
            late,
            accessors=[accessor(2, "SCALAR", bufferView=0), accessor(2, "VEC4", bufferView=0, byteOffset=8)],
            nodes=[{}],
            animations=[
                {
                    "samplers": [{"input": 0, "output": 1}],
                    "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
                    "extras": {"inbetweener": {"rate": random.choice([24, 1e6, 9e8])}},
                }
            ],
        ),
    )
    yield "extras.gltf", gltf(nodes=[{}])[:-1] + b',"extras":' + b"[" * 400 + b"]" * 400 + b"}"
    yield "lists.gltf", gltf(nodes=[{}])[:-1] + b',"x":[' + b",".join([b"[]"] * n) + b"]}"


@cache
def packed_zeros(size: int) -> str:
    packing = zlib.compressobj(9)
    parts = [packing.compress(bytes(10**5)) for _ in range(size // 10**5)]
    return base64.b64encode(b"".join([*parts, packing.flush()])).decode()


def crafted_tween(random: Random, plain: dict[str, Any]) -> Crafted:
    """Arrays that are next to nothing when packed, many keys, absurd lengths."""
    made = json.loads(json.dumps(plain))
    size = random.choice([10**5, 10**7, 2 * 10**8])
    content = packed_zeros(size)
    rows = size // 12
    for copy in range(random.choice([1, 4])):
        made["arrays"][f"bomb{copy}"] = {"type": "f4", "shape": [rows, 3], "zlib": content}
        made["meshes"][0] |= {"vertices": f"bomb{copy}", "normals": f"bomb{copy}"}
    yield "bomb.tween", json.dumps(made).encode()
    long = json.loads(json.dumps(plain))
    long["clips"][0] |= {"end": random.choice([10.0, 1e6, 1e12]), "rate": random.choice([24.0, 1e9])}
    yield "long.tween", json.dumps(long).encode()
    keys = json.loads(json.dumps(plain))
    name = next(iter(keys["clips"][0]["curves"]))
    keys["clips"][0]["curves"][name] = [[i, 0] for i in range(random.choice([10, 20_000]))]
    yield "keys.tween", json.dumps(keys, separators=(",", ":")).encode()
    joints = json.loads(json.dumps(plain))
    joints["joints"] = [joints["joints"][0]] * random.choice([2, 2000])
    yield "joints.tween", json.dumps(joints).encode()


def crafted_bvh(random: Random) -> Crafted:
    joints, frames = random.choice([1, 20, 200]), random.choice([2, 100])
    name = "x" * random.choice([1, 2000])
    opened = "".join(
        f"JOINT {name}\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n" for _ in range(joints)
    )
    body = opened + "End Site\n{\nOFFSET 0 0 0\n}\n" + "}\n" * joints
    row = " ".join(["0"] * (3 + 3 * joints)) + "\n"
    head = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
    declared = random.choice([frames, 10**9])
    yield "some.bvh", f"{head}{body}}}\nMOTION\nFrames: {declared}\nFrame Time: 0.01\n{row * frames}".encode()


# --- files to be changed --------------------------------------------------------------------------------------------


@cache
def specimens() -> tuple[tuple[str, bytes], ...]:
    """Sound files by suffix: our own of everything, and small real ones where they are at hand."""
    found: list[tuple[str, bytes]] = []
    with tempfile.TemporaryDirectory(prefix="inbetweener-files-") as folder:
        for document in (puppet(), loose_arm()):
            for suffix in formats.SUFFIXES:
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
        for path in sorted(REAL_FILES.rglob("*")):
            if path.suffix in formats.SUFFIXES and path.stat().st_size < SMALL:
                content = _embedded(path) if path.suffix == ".gltf" else path.read_bytes()
                # Some are broken on purpose, and nobody looks further into those than to where they break.
                with suppress(InbetweenerError):
                    _looked_at(Path(folder) / f"real{path.suffix}", content)
                    found.append((path.suffix, content))
    return tuple(found)


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


# --- changes --------------------------------------------------------------------------------------------------------

ODD: list[Any] = [
    None, True, False, -3, 0, 1, 40, 2**31, 2**63, 1e300, -1e300, 1e38, 1e-320, 0.5, "", "x", "x" * 5000, [], {}, [0],
    [[0]], {"a": 1}, "LINEAR", "STEP", "CUBICSPLINE", "weights", "SCALAR", "MAT4", "../../etc/passwd", "\x00", "\ud800",
]  # fmt: skip
WORDS = (
    b"{ } [ ] : , JOINT ROOT End Site OFFSET CHANNELS MOTION Frames: Frame Time: Xposition Zrotation 0 -1 3 1e308 nan "
    b"1e999 999999999999 null \x00 \x85 \xff \r \n"
).split(b" ")


def bent(content: bytes, random: Random) -> bytes:
    """Cuts, doublings, words where they do not belong."""
    for _ in range(random.choice([1, 1, 2, 4])):
        start = random.randrange(len(content) + 1)
        end = min(len(content), start + random.randrange(30))
        put = random.choice([random.choice(WORDS), b"", content[start:end] * 2, random.randbytes(random.randrange(4))])
        content = content[:start] + put + content[end:]
    return content


def with_changed_bytes(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(random.choice([1, 1, 2, 8]) if changed else 0):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def with_changed_numbers(content: bytes, random: Random) -> bytes:
    """Some numbers of a text are others."""
    share = random.choice([0.001, 0.01, 0.2, 1.0])
    odd = [b"0", b"-1", b"1e38", b"1e300", b"-1e300", b"4294967296", b"0.5", b"1e-320", b"NaN", b"7"]
    return re.sub(rb"-?\d+\.?\d*", lambda found: random.choice(odd) if random.random() < share else found[0], content)


def cut_short(content: bytes, random: Random) -> bytes:
    return content[: random.randrange(len(content) + 1)]


def spliced(content: bytes, random: Random) -> bytes:
    """The beginning of one file and the end of another."""
    _, other = random.choice(specimens())
    return content[: random.randrange(len(content) + 1)] + other[random.randrange(len(other) + 1) :]


def with_changed_values(content: bytes, random: Random) -> bytes:
    """Some values of a JSON text are others; that of a binary glTF file, too."""
    if content.startswith(b"glTF"):
        (length,) = struct.unpack_from("<I", content, 12)
        text = with_changed_values(content[20 : 20 + length], random)
        text += b" " * (-len(text) % 4)
        rest = content[20 + length :]
        head = struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest))
        return head + struct.pack("<I4s", len(text), b"JSON") + text + rest
    try:
        whole = json.loads(content)
    except ValueError:
        return with_changed_numbers(content, random)
    for _ in range(random.choice([1, 1, 3])):
        spots = list(_places(whole))
        if not spots:
            break
        above, last = random.choice(spots)
        above[last] = random.choice(ODD)
    return json.dumps(whole).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    inner = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    for key, item in inner:
        yield value, key
        yield from _places(item)


CHANGES: list[Callable[[bytes, Random], bytes]] = [
    bent, with_changed_bytes, with_changed_numbers, cut_short, spliced, with_changed_values, with_changed_values,
]  # fmt: skip


def _kind(random: Random) -> str:
    """A suffix; the four of USD, which is read by a process of its own, count as one."""
    others = [suffix for suffix in formats.SUFFIXES if not suffix.startswith(".usd")]
    return random.choice((*others, JOURNAL, random.choice([each for each in formats.SUFFIXES if each not in others])))


def mutated(random: Random) -> tuple[str, bytes]:
    """The suffix and the content of one file."""
    kind = random.random()
    if kind < 0.02:
        return _kind(random), random.randbytes(random.randrange(400))
    if kind < 0.05:
        plain = json.loads(native_text(puppet()))
        crafted = random.choice([crafted_gltf(random), crafted_tween(random, plain), crafted_bvh(random)])
        name, content = random.choice(list(crafted))
        return Path(name).suffix, content
    # By format first, for there are many more real files of one than of another.
    suffix = _kind(random)
    content = random.choice([each for each in specimens() if each[0] == suffix])[1]
    return suffix, random.choice(CHANGES)(content, random)


# --- what must hold -------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What was counted."""

    suffixes: Counter[str] = field(default_factory=Counter)
    opened: int = 0
    refused: int = 0
    share: float = 0.0
    most: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)


def drive(count: int, seed: int) -> list[Figure]:
    """Read `count` changed files."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="inbetweener-files-") as folder:
        specimens()  # whatever is made once is made now
        for number in range(count):
            suffix, content = mutated(Random(f"{seed} {number}"))
            tally.suffixes[suffix] += 1
            for problem in looked_for_problems(Path(folder) / f"changed{suffix}", content, tally):
                tally.problems.append(f"file {number} of seed {seed}, {suffix}: {problem}")
    return [
        Figure("files", count, ""),
        *(Figure(f"of them {suffix}", tally.suffixes[suffix], "") for suffix in sorted(tally.suffixes)),
        Figure("opened as sound documents", tally.opened, ""),
        Figure("refused in a clear line", tally.refused, ""),
        Figure("most memory that one took", tally.most / (1 << 20), "MiB"),
        Figure(f"of what its size allows (64 MiB and {TIMES} times its size)", 100 * tally.share, "%", at_most=100),
        Figure("longest that one was worked on", tally.seconds, "s", at_most=SLOWEST),
        Figure("tracebacks, unclear lines, unsound documents, hangs", told(tally.problems), "", at_most=0),
    ]


def looked_for_problems(path: Path, content: bytes, tally: Tally) -> Iterator[str]:
    """Read a file; what is wrong with how it is read."""
    began = time.process_time()
    tracemalloc.start()
    try:
        with _patience():
            found = _looked_at(path, content)
    except InbetweenerError as error:
        tally.refused += 1
        if "\n" in str(error) or path.name not in str(error):
            yield f"an unclear line: {error}"
    except Exception:
        yield traceback.format_exc()
    else:
        tally.opened += 1
        yield from found
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    seconds = time.process_time() - began
    tally.seconds = max(tally.seconds, seconds)
    if seconds > SLOWEST:
        yield f"took {seconds:.1f} s"
    tally.most = max(tally.most, most)
    share = most / (ROOM + TIMES * len(content))
    tally.share = max(tally.share, share)
    if share > 1.0:
        yield f"took {most >> 20} MiB for {len(content)} bytes"


def _looked_at(path: Path, content: bytes) -> list[str]:
    """Open a file; what is wrong with its document."""
    path.write_bytes(content)
    if path.suffix == JOURNAL:
        return problems(read_journal(path).history.document)
    document = formats.read(path).document
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


@contextmanager
def _patience() -> Iterator[None]:
    def hangs(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"still reading after {GIVEN_UP:.0f} s")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.setitimer(signal.ITIMER_REAL, GIVEN_UP)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    main("files", drive, 10_000)
