"""The cache of compiled kernels, watched from fresh processes with a cache folder of their own."""

import importlib
import os
import pickle
import platform
import shutil
import subprocess
import sys
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

from inbetweener import kernels
from inbetweener.arrays import frozen
from inbetweener.dynamics.kernels import Moving, Pushing
from inbetweener.maths import euler
from inbetweener.maths.kernels import parity
from inbetweener.tangents.kernels import Free, set_tangents

# Only one small kernel file: what is said of it holds for all, and it compiles in about a second.
ALONE = """
from inbetweener import kernels
all_files = kernels.kernel_files()
kernels.kernel_files = lambda: [p for p in all_files if p.parent.name == "maths" and p.name == "kernels.py"]
"""

TURN = (
    ALONE
    + """
import numpy as np
from inbetweener.maths import euler
angles = euler.continuous([[0, 0, 3.0], [0, 0, -3.0]], "XYZ")
assert abs(angles[1, 2] - (2 * np.pi - 3.0)) < 1e-15, angles
"""
)

WARM_UP = (
    ALONE
    + """
print(kernels.is_warm())
for done, total, name in kernels.warm_up():
    print(done, total, name)
print(kernels.is_warm(), kernels.cache_folder())
"""
)


def python(code: str, cache: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "INBETWEENER_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> list[str]:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return output.splitlines()


@pytest.fixture(scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A cache warmed by two processes at once, and what the first of them said."""
    cache = tmp_path_factory.mktemp("cache")
    both = [python(WARM_UP, cache), python(WARM_UP, cache)]
    said = [finished(process) for process in both]
    return cache, said[0]


def compiled_files(cache: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in cache.glob("kernels/*/*")}


def test_two_processes_warm_up_at_once(warmed: tuple[Path, list[str]]) -> None:
    cache, said = warmed
    assert said[0] == "False"
    assert said[1] == "0 1 inbetweener.maths.kernels.continue_angles"
    assert said[2].startswith(f"True {cache}")
    names = [path.name.partition("-")[0] for path in compiled_files(cache)]
    assert names == ["continue_angles"]  # no temporary file is left


def test_the_cache_is_closed_to_others(warmed: tuple[Path, list[str]]) -> None:
    folders = [warmed[0] / "kernels", *warmed[0].glob("kernels/maths.*")]
    assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700, 0o700]


def test_a_warm_start_writes_nothing(warmed: tuple[Path, list[str]]) -> None:
    cache, _ = warmed
    before = compiled_files(cache)
    assert finished(python(WARM_UP, cache))[0] == "True"
    assert compiled_files(cache) == before


def test_a_damaged_file_costs_time_and_no_result(warmed: tuple[Path, list[str]]) -> None:
    cache, _ = warmed
    (damaged,) = compiled_files(cache)
    damaged.write_bytes(damaged.read_bytes()[:40])
    finished(python(TURN, cache))
    # The next start is told that something must be compiled again, and puts it right.
    assert finished(python(WARM_UP, cache))[0] == "False"
    assert damaged.stat().st_size > 40
    finished(python(TURN, cache))


def test_a_folder_that_cannot_be_written_costs_time_and_no_result(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    said = finished(python(TURN + "print(kernels.cache_problem())\nprint(kernels.is_warm())", blocked))
    assert "INBETWEENER_CACHE" in said[0]
    assert str(blocked) in said[0]
    assert said[1] == "False"


class _Planted:
    """What a stranger would leave: unpickling it leaves a file."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return os.mkdir, (str(self.mark), 0o700)


@pytest.mark.skipif(os.name == "nt", reason="there, folders of a user are closed to others by themselves")
@pytest.mark.parametrize("open_to_others", ["kernels", "kernels/maths.*"])
def test_code_that_a_stranger_may_have_left_is_never_run(
    warmed: tuple[Path, list[str]], tmp_path: Path, open_to_others: str
) -> None:
    cache = tmp_path / "cache"
    shutil.copytree(warmed[0], cache)
    for kept in compiled_files(cache):
        kept.write_bytes(pickle.dumps(_Planted(tmp_path / "run")))
    next(cache.glob(open_to_others)).chmod(0o777)
    said = finished(python(TURN + "print(kernels.is_warm(), kernels.cache_problem())", cache))
    assert not (tmp_path / "run").exists()
    if open_to_others == "kernels":
        assert said == [
            f"False compiled kernels cannot be kept in {cache}/kernels: {cache}/kernels can be written by others; "
            "remove it; set INBETWEENER_CACHE to a folder of your own"
        ]


def test_old_caches_are_pruned_and_recent_ones_stay(warmed: tuple[Path, list[str]]) -> None:
    cache, _ = warmed
    old = [cache / "kernels" / f"maths.kernels-{n:016x}" for n in range(kernels.KEPT_CACHES + 3)]
    other = cache / "kernels" / f"curves.kernels-{0:016x}"
    for age, folder in enumerate([*old, other]):
        folder.mkdir()
        (folder / "code").touch()
        os.utime(folder, (1e9 - age, 1e9 - age))
    finished(python(WARM_UP, cache))
    assert [folder.exists() for folder in old] == [True] * kernels.KEPT_CACHES + [False] * 3
    assert other.exists()  # each package keeps its own
    assert compiled_files(cache)


BROUGHT = (
    ALONE
    + """
import os
from pathlib import Path
from inbetweener.kernels import __main__ as packing
packing.main(Path(os.environ["INBETWEENER_CACHE"]) / "brought")
"""
)

USED = """
import os
from pathlib import Path
from inbetweener import kernels
kernels.SHIPPED = Path(os.environ["INBETWEENER_CACHE"]) / "brought"
kernels.on_compiling = lambda: print("compiling")
"""


@pytest.fixture(scope="module")
def brought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that is empty but for what a package would bring."""
    cache = tmp_path_factory.mktemp("cache")
    finished(python(BROUGHT, cache))
    return cache


@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="no code is shipped for it")
def test_code_that_came_with_the_package_is_run_where_it_fits_and_else_compiled(brought: Path) -> None:
    older = "kernels.BASELINES['x86_64'] = ('x86-64-v3', 'avx no-such-thing')\n"
    other = "import numba\nnumba.__version__ = '0.1'\n"
    fits, elsewhere, otherwise = (python(USED + each + TURN, brought) for each in ("", older, other))
    assert finished(fits) == []
    assert finished(elsewhere) == ["compiling"]
    assert finished(otherwise) == ["compiling"]
    # Compiled for this very machine, it is kept beside, and what the package brought is what it was.
    assert {path.parent.parent.name for path in compiled_files(brought)} == {"kernels"}


def test_declaring_kernels_does_not_import_numba(tmp_path: Path) -> None:
    code = "import sys, inbetweener.skinning, inbetweener.document; print('numba' in sys.modules)"
    assert finished(python(code, tmp_path)) == ["False"]


def test_a_part_is_for_kernels_and_for_python() -> None:
    # As part of a kernel it is no function by itself; called from here, it is compiled as one.
    euler.continuous([[0.0, 0.0, 3.0], [0.0, 0.0, -3.0]], "XYZ")
    assert [parity(np.array(each)) for each in ([0, 1, 2], [1, 0, 2])] == [1.0, -1.0]


def test_digests_see_what_kernels_import_and_nothing_else() -> None:
    # Machine code holds the numbers of the interpolation kinds, which live beside the kernels.
    edited = kernels.PACKAGE / "curves" / "key.py"
    original = Path.read_bytes
    before = {path: kernels.digest(path) for path in kernels.kernel_files()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda path: original(path) + (b"#" if path == edited else b""))
        after = {path: kernels.digest(path) for path in kernels.kernel_files()}
    changed = {path.parent.name for path in before if before[path] != after[path]}
    assert "curves" in changed
    assert not {"maths", "rig", "skinning"} & changed


def test_one_partner_at_a_time_is_enough_for_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Partner:
        ended = False

        def __init__(self, *arguments: object, **options: object) -> None:
            started.append(self)

        def poll(self) -> int | None:
            return 0 if self.ended else None

        def kill(self) -> None:
            self.ended = True

        def wait(self) -> None:
            assert self.ended

    monkeypatch.setattr(kernels.subprocess, "Popen", Partner)
    monkeypatch.setattr(kernels, "_partners", [])
    first, second = (kernels.warm_up("maths") for _ in range(2))
    next(first)
    next(second)
    assert len(started) == 1
    second.close()
    assert not started[0].ended
    first.close()
    assert started[0].ended
    third = kernels.warm_up("maths")
    next(third)
    third.close()
    assert len(started) == 2


def test_every_kernel_file_is_known_to_the_warm_up() -> None:
    folders = {path.parent.name for path in kernels.kernel_files()}
    assert {"maths", "curves", "rig", "skinning"} <= folders


def test_no_kernel_takes_more_than_a_dozen_arguments() -> None:
    for path in kernels.kernel_files():
        importlib.import_module(".".join(("inbetweener", *path.relative_to(kernels.PACKAGE).with_suffix("").parts)))
    counts = {name: len(signature(each.function).parameters) for name, each in kernels._registry.items()}
    assert len(counts) > 50
    assert {name for name, count in counts.items() if count > 12} == set()


@pytest.mark.parametrize(
    "made",
    [
        Moving(*(frozen(np.zeros((1, 9))) for _ in range(3))),
        Pushing(frozen([0], np.int64), frozen(np.zeros((1, 3))), frozen(np.zeros((1, 1, 3)))),
    ],
    ids=["of one type", "of several"],
)
def test_records_are_declared_as_numba_finds_them(made: tuple[np.ndarray, ...]) -> None:
    from numba import typeof

    (declared,) = kernels._types("void(Made)", {"Made": type(made)}).args
    assert typeof(made) == declared


def test_a_bound_kernel_takes_nothing_but_what_it_declares() -> None:
    z, rows = np.array([1.0, 2.0]), np.zeros((2, 2))
    free = Free(np.array([0]), np.zeros((1, 2), np.bool_), np.arange(4.0), np.ones(4))
    shift = set_tangents.bound(free, np.arange(4.0), rows, keys := np.zeros((2, 2)))
    shift()
    assert (rows[1].tolist(), keys[0].tolist()) == ([4.0, 6.0], [0.0, 2.0])
    free.start[:] = 1.0  # what the arrays hold may change
    shift()
    assert (rows[1].tolist(), keys[0].tolist()) == ([3.0, 4.0], [1.0, 2.0])
    for wrong in (z.astype(np.float32), z[None], np.ones(4, np.int64), np.arange(8.0)[::2], free, 1.0):
        with pytest.raises(TypeError, match="argument 1 must be"):
            set_tangents.bound(free, wrong, rows, keys)
    for wrong in (tuple(free), free._replace(ties=np.zeros((1, 2), np.int64)), z):
        with pytest.raises(TypeError, match="argument 0 must be"):
            set_tangents.bound(wrong, z, rows, keys)
    with pytest.raises(TypeError, match="argument 2 must be"):
        set_tangents.bound(free, z, frozen(rows), keys)
    with pytest.raises(TypeError, match="argument 3 must be"):
        set_tangents.bound(free, z, rows)


def test_kernels_that_take_records_are_kept_like_others(tmp_path: Path) -> None:
    code = "from inbetweener.curves import Curve, evaluate\nprint(evaluate(Curve.sampled([0, 1], [0, 3]), 0.5)[0])"
    assert finished(python(code, tmp_path)) == ["1.5"]
    kept = compiled_files(tmp_path)
    assert finished(python(code, tmp_path)) == ["1.5"]
    assert compiled_files(tmp_path) == kept != {}
