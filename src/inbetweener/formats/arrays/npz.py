"""`.npz`: the arrays of a skeleton and one clip, as `numpy.load` opens them; nothing in it is ever unpickled."""

import io
import math
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inbetweener.arrays import Floats, are_sane
from inbetweener.document import Document, Source
from inbetweener.document.budget import ROOM, TIMES, Budget, OverBudget
from inbetweener.errors import FormatError
from inbetweener.formats.arrays.build import sampled_document, unit
from inbetweener.formats.arrays.samples import Samples
from inbetweener.formats.files import Reading, clear_file_errors, naming
from inbetweener.formats.losses import losses_of, merged_layers
from inbetweener.formats.names import called
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint
from inbetweener.system import replacing

READ = {
    "names": ("U", ("J",)),
    "parents": ("i", ("J",)),
    "offsets": ("f", ("J", 3)),
    "rest": ("f", ("J", 4)),
    "rest_scales": ("f", ("J", 3)),
    "rate": ("f", ()),
    "times": ("f", ("F",)),
    "local_positions": ("f", ("F", "J", 3)),
    "local_quaternions": ("f", ("F", "J", 4)),
    "local_scales": ("f", ("F", "J", 3)),
    "clip": ("U", ()),
}
"""What is read back: kinds and shapes of arrays, with as many joints and frames in all of them."""
OPTIONAL = {"rest_scales": "a scale of one", "local_scales": "the scale of rest", "clip": "the name of the file"}
"""Those that may be missing, and what is there instead."""
_REMEDY = "make a document of other arrays with Document.from_arrays"
_BROKEN = (
    zipfile.BadZipFile, zlib.error, ValueError, EOFError, NotImplementedError, RuntimeError, SyntaxError,
    tokenize.TokenError, UserWarning,
)  # fmt: skip
"""What broken archives and heads of arrays raise."""


def write(document: Document, path: Path | str, clip: str | None = None, rate: float | None = None) -> tuple[str, ...]:
    """Write a clip (the first by default) and return what arrays cannot hold, one line each.

    `rate` in frames a second is the clip's own by default.
    """
    path = Path(path)
    samples = Samples(path, document, clip, rate)
    with clear_file_errors(path), replacing(path) as file:
        size = _write(samples, file, zipfile.ZIP_DEFLATED)
        if size > ROOM + TIMES * file.tell():
            # Packed so well that no reader, ours first, would believe it.
            file.seek(0)
            file.truncate()
            _write(samples, file, zipfile.ZIP_STORED)
    losses = [*samples.losses, *losses_of(document, "NPZ"), *merged_layers(document, "NPZ")]
    if document.meshes:
        losses.append(f"{len(document.meshes)} meshes are left out: NPZ holds joints only")
    others = [each.name for each in document.clips if samples.clip is None or each.name != samples.clip.name]
    if others:
        losses.append(f"{len(others)} other clips are left out: NPZ holds one; write each to its own file")
    return tuple(losses)


def _write(samples: Samples, file: Any, compression: int) -> int:
    """All arrays, one after the other; returns their bytes."""
    joints, frames, columns = samples.rig.joints, len(samples.times), len(samples.channel_names)
    count = len(joints)
    small: dict[str, Any] = {
        "names": _texts([joint.name for joint in joints]),
        "parents": np.array([joint.parent for joint in joints], np.int64),
        "offsets": np.array([joint.rest.translation for joint in joints], np.float64).reshape(count, 3),
        "rest": np.array([joint.rest.rotation for joint in joints], np.float64).reshape(count, 4),
        "rest_scales": np.array([joint.rest.scale for joint in joints], np.float64).reshape(count, 3),
        "rate": np.float64(samples.rate),
        "times": samples.times,
        "clip": np.str_(samples.clip.name if samples.clip else ""),
        "channel_names": _texts(samples.channel_names),
    }
    long: dict[str, tuple[tuple[int, ...], Iterable[Floats]]] = {
        "channels": ((frames, columns), samples.channels()),
        "positions": ((frames, count, 3), samples.positions()),
        "quaternions": ((frames, count, 4), samples.turns()),
        "local_positions": ((frames, count, 3), samples.local_positions()),
        "local_quaternions": ((frames, count, 4), samples.local_turns()),
    }
    if samples.scaled:
        long["local_scales"] = ((frames, count, 3), samples.local_scales())
    size = 0
    with zipfile.ZipFile(file, "w", compression, strict_timestamps=False) as archive:
        for name, array in small.items():
            array = np.asarray(array)
            size += _member(archive, name, array.dtype, array.shape, [array])
        for name, (shape, blocks) in long.items():
            size += _member(archive, name, np.dtype("<f8"), shape, blocks)
    return size


def _member(archive: zipfile.ZipFile, name: str, dtype: Any, shape: tuple[int, ...], blocks: Iterable[Floats]) -> int:
    # A fixed date, so that the same document is the same file.
    info = zipfile.ZipInfo(f"{name}.npy")
    info.compress_type = archive.compression
    with archive.open(info, "w", force_zip64=True) as member:
        header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(member, header)
        for block in blocks:
            member.write(np.ascontiguousarray(block).tobytes())
    return math.prod(shape) * dtype.itemsize


def _texts(texts: Sequence[str]) -> Any:
    return np.array(texts, np.str_) if texts else np.empty(0, "<U1")


def read(path: Path | str, *, trust: bool = False) -> Reading:
    """Open an `.npz` that we wrote, or one with the same arrays; `trust` one that unfolds to far more than its size."""
    path = Path(path)
    with clear_file_errors(path), path.open("rb") as file:
        budget = Budget(path.stat().st_size, trust=trust)
        try:
            with zipfile.ZipFile(file) as archive:
                found = _arrays(path, archive, budget)
        except OverBudget as error:
            raise FormatError(path, "", str(error)) from error
        except _BROKEN as error:
            if isinstance(error, FormatError):
                raise
            raise FormatError(path, "", f"is no sound .npz file ({str(error) or type(error).__name__})") from error
    with naming(path, _REMEDY):
        return Reading(_document(path, found))


def _arrays(path: Path, archive: zipfile.ZipFile, budget: Budget) -> dict[str, Any]:
    members = {info.filename: info for info in archive.infolist()}
    lengths: dict[str, int] = {}
    found: dict[str, Any] = {}
    for name, (kind, shape) in READ.items():
        info = members.get(f"{name}.npy")
        if info is not None:
            found[name] = _array(path, name, archive, info, budget)
            _check(path, name, found[name], kind, shape, lengths)
        elif name not in OPTIONAL:
            raise FormatError(path, name, "there is no such array", _REMEDY)
    return found


def _array(path: Path, name: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Any:
    """One array. Its bytes are paid for before they are unpacked, and a header that claims others is refused."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FormatError(path, name, "is packed in a way that NumPy does not write")
    budget.spend(info.file_size)
    with archive.open(info) as member:
        # Not all of it at once: what is packed may be far more than it says.
        content = io.BytesIO(member.read(info.file_size))
        if member.read(1):
            raise FormatError(path, name, f"is longer than the {info.file_size} bytes that it says")
    version = np.lib.format.read_magic(content)
    reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    with warnings.catch_warnings():
        # NumPy warns where it has to guess what a head means; nothing that we read was written so.
        warnings.simplefilter("error", UserWarning)
        shape, fortran, dtype = reader(content)
    if dtype.hasobject or dtype.kind not in "iufU":
        raise FormatError(path, name, f"holds {dtype}, not numbers or names")
    if math.prod(shape) * dtype.itemsize != info.file_size - content.tell() or min(shape, default=0) < 0:
        raise FormatError(path, name, f"says that it has shape {shape}, but has {info.file_size} bytes")
    array = np.frombuffer(content.getbuffer(), dtype, math.prod(shape), content.tell())
    return array.reshape(shape, order="F" if fortran else "C")


def _check(path: Path, name: str, array: Any, kind: str, shape: tuple[str | int, ...], lengths: dict[str, int]) -> None:
    if (array.dtype.kind == "U") != (kind == "U") or (kind == "i" and array.dtype.kind == "f"):
        wanted = {"U": "names", "i": "whole numbers", "f": "numbers"}[kind]
        raise FormatError(path, name, f"holds {array.dtype}; expected {wanted}")
    if array.ndim == len(shape):
        known = [
            lengths.setdefault(n, size) if isinstance(n, str) else n for n, size in zip(shape, array.shape, strict=True)
        ]
        if tuple(known) == array.shape:
            if kind == "f" and not are_sane(array).all():
                raise FormatError(path, name, "holds a number that is not finite, or beyond 1e30")
            if kind == "U" and not _is_text(array):
                raise FormatError(path, name, "holds letters that there are not")
            return
    wanted = ", ".join(str(lengths.get(n, n) if isinstance(n, str) else n) for n in shape)
    raise FormatError(path, name, f"has shape {array.shape}; expected ({wanted}), F frames and J joints")


def _is_text(array: Any) -> bool:
    """Whether all numbers of letters are those of letters; NumPy takes any, of which Python makes broken texts."""
    codes = np.frombuffer(array.tobytes(), f"{array.dtype.str[0]}u4")
    return bool(((codes < 0xD800) | ((codes > 0xDFFF) & (codes <= 0x10FFFF))).all())


def _document(path: Path, found: dict[str, Any]) -> Document:
    count, times = len(found["names"]), found["times"].astype(np.float64)
    if (np.diff(times) <= 0).any():
        raise FormatError(path, "times", "do not grow from frame to frame")
    scales = found.get("rest_scales", np.ones((count, 3)))
    joints = tuple(
        Joint(name, parent, Transform(tuple(offset), tuple(turn), tuple(scale)))
        for name, parent, offset, turn, scale in zip(
            found["names"].tolist(),
            found["parents"].tolist(),
            found["offsets"].astype(np.float64).tolist(),
            unit("rest", found["rest"].astype(np.float64)).tolist(),
            scales.astype(np.float64).tolist(),
            strict=True,
        )
    )
    turns = unit("local_quaternions", found["local_quaternions"].astype(np.float64))
    grown = found["local_scales"].astype(np.float64) if "local_scales" in found else None
    clip = str(found.get("clip", "")) or called(path)
    places = found["local_positions"].astype(np.float64)
    document = sampled_document(called(path), clip, joints, times, float(found["rate"]), turns, places, grown)
    return Document(document.name, document.rig, clips=document.clips, source=Source("npz"))
