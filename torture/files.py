"""Mutated files of every format that is read: each gets a clear line or opens as a sound document, in bounds.

`python -m torture.files [--count FILES] [--seed SEED]`. Files are our own, real ones where they are at hand, and ones
crafted to unfold to far more than they hold; each is changed in places by chance.
"""

import io
import json
import re
import resource
import signal
import struct
import tempfile
import time
import traceback
import tracemalloc
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from benchmarks.harness import Figure
from inbetweener.errors import InbetweenerError
from torture.command import main, told
from torture.crafted import crafted
from torture.specimens import SUFFIXES, USD, binary_gltf, looked_at, specimens

ROOM, TIMES = 64 << 20, 20
"""Bytes that reading any file may take, and how many more for each of its own."""
SLOWEST = 10.0
"""Seconds of work that reading may take."""
GIVEN_UP = 600.0
"""Seconds after which a file is taken to hang, on a machine that has much else to do."""
LONGEST_LINE = 1000
"""Letters of what is said of a file that cannot be read; nobody reads more."""
BESIDE = 2 << 30
"""Bytes that the process in which USD is read may take."""


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
        return binary_gltf(with_changed_values(content[20 : 20 + length], random), content[20 + length :])
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
    """A suffix. Those of USD are read by a process of its own, which takes a second: one file in thirty is theirs."""
    if random.random() < 1 / 30:
        return random.choice(USD)
    return random.choice([suffix for suffix in SUFFIXES if suffix not in USD])


def mutated(random: Random) -> tuple[str, bytes]:
    """The suffix and the content of one file."""
    kind = random.random()
    if kind < 0.02:
        return _kind(random), random.randbytes(random.randrange(400))
    if kind < 0.06:
        name, content = crafted(random)
        return Path(name).suffix, content
    # By format first, for there are many more real files of one than of another.
    suffix = _kind(random)
    content = random.choice([each for each in specimens() if each[0] == suffix])[1]
    return suffix, _repacked(content, random) if zipfile.is_zipfile(io.BytesIO(content)) else _changed(content, random)


def _changed(content: bytes, random: Random) -> bytes:
    return random.choice(CHANGES)(content, random)


def _repacked(content: bytes, random: Random) -> bytes:
    """An archive that is changed itself, or of whose members one is: most changes from outside break a checksum."""
    if random.random() < 0.4:
        return _changed(content, random)
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as new:
        chosen = random.choice(old.namelist())
        for name in old.namelist():
            new.writestr(name, _changed(old.read(name), random) if name == chosen else old.read(name))
    return made.getvalue()


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
        Figure("most memory of the process in which USD is read", _beside() / (1 << 20), "MiB", at_most=BESIDE >> 20),
        Figure("longest that one was worked on", tally.seconds, "s", at_most=SLOWEST),
        Figure("tracebacks, unclear lines, unsound documents, hangs", told(tally.problems), "", at_most=0),
    ]


def looked_for_problems(path: Path, content: bytes, tally: Tally) -> Iterator[str]:
    """Read a file; what is wrong with how it is read."""
    began = time.process_time()
    tracemalloc.start()
    try:
        with _patience(), warnings.catch_warnings():
            # What numpy stumbles over is nothing that we said.
            warnings.simplefilter("error", RuntimeWarning)
            found = looked_at(path, content)
    except InbetweenerError as error:
        tally.refused += 1
        if "\n" in str(error) or path.name not in str(error) or len(str(error)) > LONGEST_LINE + len(str(path)):
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


def _beside() -> int:
    """Bytes of the largest process that was waited for, since this one began: all of them read USD, in this driver."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10


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
