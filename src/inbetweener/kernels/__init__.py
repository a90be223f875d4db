"""Numba kernels: how they are declared, cached, and compiled once with progress.

Rules of the house:

- compiled code lives only in files named `kernels.py` or `*_kernels.py`;
- `@kernel(signature)` marks an entry point called from Python; it compiles (or loads from the cache) when first
  called, so importing costs nothing, not even numba's own import;
- `@inlined` marks a small function called only from other kernels, which import it by name; `@lent` one that makes no
  array, `@merged` one that must become part of its callers whatever its size, and `@distinct` one that is both and
  whose arrays never overlap;
- arrays that a kernel only reads are declared with `const`, so that frozen arrays may be passed;
- `@record(fields)` marks a NamedTuple that signatures name, so that what always goes together is one argument, and
  no kernel takes more than a dozen;
- vectors, 3×3 matrices and quaternions are tuples; the functions on them are those of `maths`.

The code of each kernel file is kept in a folder named after a digest of that file and of all that it imports from us:
no stale machine code, ever, and an edit recompiles only what it touches. A cache that cannot be written or read costs
time, never a result. What is found there is run, so a cache where anybody else could have put something is not looked
into. A package for one platform may bring the code along (`shipped`), made for a processor that most machines have;
where versions or processor are others, kernels are compiled as if it brought none.
"""

import functools
import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast

# Not by `from`: digests follow those, and no machine code depends on it.
import inbetweener.system as system

P = ParamSpec("P")
R = TypeVar("R")
if TYPE_CHECKING:
    from inbetweener.kernels import machine

N = TypeVar("N", bound=tuple[Any, ...])

PACKAGE = Path(__file__).parent.parent
FIRST = (
    *("curves.kernels", "curves.limit_kernels", "rig.kernels", "maths.kernels", "tangents.kernels"),
    *("skinning.kernels", "document.kernels"),
)
"""Whose kernels are made ready before all others: what a first drag needs, and to see it."""
SHIPPED = PACKAGE / "machine_code"
"""Where a package that brings machine code along has it."""
BASELINES = {
    "x86_64": (
        "x86-64-v3",
        "avx avx2 bmi bmi2 cmov cx16 cx8 f16c fma fxsr lzcnt mmx movbe popcnt sahf sse sse2 sse3 sse4.1 sse4.2 ssse3 "
        "xsave",
    )
}
"""By architecture, the processor that machine code in packages is made for, and what another must have to run it."""
KEPT_CACHES = 2
"""How many caches of a file's other versions stay, so that two installs side by side do not evict each other."""

_IMPORT = re.compile(rb"^from inbetweener((?:\.\w+)*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)

on_compiling: Callable[[], None] | None = None
"""Called once, before the first kernel that is neither shipped nor in the cache."""

_registry: dict[str, "Kernel[Any, Any]"] = {}
_records: dict[type, str] = {}
_compiling = threading.RLock()


class Kernel(Generic[P, R]):
    """A Python function that becomes machine code on its first call."""

    def __init__(self, function: Callable[P, R], signature: str, parallel: bool) -> None:
        self.function = function
        self.signature = signature
        self.parallel = parallel
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.__doc__ = function.__doc__
        self._compiled: Callable[P, R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run, compiling first if need be."""
        compiled = self._compiled or self.compile()
        return compiled(*args, **kwargs)

    def bound(self, *args: Any) -> Callable[..., R]:
        """The kernel on these very arguments, again and again; numbers that it takes after them come with each call.

        To find out the types of many arrays takes longer than a small kernel runs. Here that is done once.
        """
        compiled: Any = self.compile()
        (made,) = compiled.overloads.values()
        for n, declared in enumerate(made.signature.args):
            # A number is converted by the compiled code itself; it would take any array for the one it expects.
            if not _fits(args[n] if n < len(args) else 0, declared):
                raise TypeError(f"{self.name}: argument {n} must be {declared}, not {args[n : n + 1]}")
        return functools.partial(made.entry_point, *args)

    def compile(self) -> Callable[P, R]:
        """Machine code for the declared signature, from a package or the cache when it is there."""
        with _compiling:
            if self._compiled is None:
                self._compiled = self._from_cache() or self._made(None)
        return self._compiled

    def _made(self, kept: "machine.Kept | None") -> Callable[P, R]:
        from inbetweener.kernels import machine

        if kept is not None and not kept.there:
            _tell()
        types = _types(self.signature, self.function.__globals__)
        return cast(Callable[P, R], machine.entry(self.function, types, parallel=self.parallel, kept=kept))

    def _from_cache(self) -> Callable[P, R] | None:
        from inbetweener.kernels import machine

        source, name = Path(self.function.__code__.co_filename), self.function.__qualname__
        files, own = [], None
        if brought := shipped():
            files.append(brought / code_name(source) / f"{name}-{brought.name}")
        try:
            if not cache_problem():
                folder = cache_folder() / code_name(source)
                system.folder_for_code(folder)
                files.append(own := folder / f"{name}-{machine.made_here()}")
            return self._made(machine.Kept(files, own))
        except system.NotOurs:
            return None
        except Exception:
            # What is found is trusted, and must be written. If a damaged file or a full disk was the cause, compiling
            # without the cache helps; if it was the kernel, that raises the same error again.
            if own is not None:
                _complete().unlink(missing_ok=True)
                own.unlink(missing_ok=True)
            return None


def _tell() -> None:
    """Say once that there is something to wait for."""
    global on_compiling
    if tell := on_compiling:
        on_compiling = None
        tell()


class Inlined(Generic[P, R]):
    """A Python function that becomes part of the kernels that call it."""

    def __init__(
        self, function: Callable[P, R], *, merged: bool = False, lent: bool = False, distinct: bool = False
    ) -> None:
        self.function = function
        self.how = {"merged": merged, "lent": lent, "distinct": distinct}
        self.__doc__ = function.__doc__
        self._part: Any = None
        self._alone: Callable[P, R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run on its own, compiled: for tests and for trying things out."""
        if self._alone is None:
            from inbetweener.kernels import machine

            self._alone = machine.alone(self.function)
        return self._alone(*args, **kwargs)

    @property
    def _numba_type_(self) -> Any:
        """What numba asks of a name that a kernel calls: typed by its callers, and kept as part of them."""
        with _compiling:
            if self._part is None:
                from inbetweener.kernels import machine

                self._part = machine.part(self.function, **self.how)
        return self._part._numba_type_


def kernel(signature: str, *, parallel: bool = False) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Declare an entry point, e.g. `@kernel("void(const(f8[::1]), f8[:,::1])")`."""

    def declare(function: Callable[P, R]) -> Kernel[P, R]:
        made = Kernel(function, signature, parallel)
        _registry[made.name] = made
        return made

    return declare


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Declare a function that only kernels call; compiled into them."""
    return Inlined(function)


def lent(function: Callable[P, R]) -> Callable[P, R]:
    """Declare an inlined function that makes no array and returns none: those it is given stay its caller's.

    So it counts no references to them: where a short function is given many arrays, that is half of its time.
    """
    return Inlined(function, lent=True)


def merged(function: Callable[P, R]) -> Callable[P, R]:
    """Declare an inlined function whose code is repeated in each caller, however large: slower to compile.

    For what is called in the innermost loop with many arrays: a real call counts a reference to every one of them.
    """
    return Inlined(function, merged=True)


def distinct(function: Callable[P, R]) -> Callable[P, R]:
    """Declare a merged function that is lent arrays of which none overlaps another: what it writes, it reads nowhere
    else.

    Then a loop may read and write as many rows as it likes, and the processor still takes several steps at once: left
    to find that out for itself, it gives up at eight.
    """
    return Inlined(function, merged=True, lent=True, distinct=True)


def record(fields: str) -> Callable[[type[N]], type[N]]:
    """Declare the types of a NamedTuple's fields, so that signatures of kernels may name it.

    Numba is strict inside tuples: what is declared `const` there must be a read-only array.
    """

    def declare(kind: type[N]) -> type[N]:
        _records[kind] = fields
        return kind

    return declare


def _types(signature: str, scope: dict[str, Any]) -> Any:
    """What a signature, or the fields of a record, say; records being those that its `scope` knows by name."""
    from numba import types

    def const(array: Any) -> Any:
        return types.Array(array.dtype, array.ndim, array.layout, readonly=True)

    names = {name: getattr(types, name) for name in ("f4", "f8", "i4", "i8", "u1", "b1", "void", "UniTuple")}
    names["const"] = const
    for name in set(re.findall(r"\w+", signature)) & scope.keys():
        kind = scope[name]
        if isinstance(kind, type) and kind in _records:
            names[name] = _record_type(kind)
    return eval(signature, names)


def _record_type(kind: type) -> Any:
    """A record as numba sees it; one of like fields is another type to it."""
    from numba import types

    tuple_of: Any = types.BaseTuple.from_types
    return tuple_of(_types(f"({_records[kind]},)", vars(sys.modules[kind.__module__])), kind)


@functools.cache
def _name(dtype: Any) -> str:
    """What a kind of number is called; numpy makes it up anew each time."""
    return str(dtype.name)


def _fits(given: Any, declared: Any) -> bool:
    """Whether numba's declared type is that of a record, an array or a number."""
    if isinstance(given, tuple):
        return type(given) is getattr(declared, "instance_class", None) and all(map(_fits, given, declared.types))
    if not hasattr(given, "flags"):
        return not hasattr(declared, "types") and not hasattr(declared, "ndim")
    return (
        getattr(declared, "ndim", None) == given.ndim
        and declared.dtype.name == _name(given.dtype)
        and (given.flags.c_contiguous or declared.layout == "A")
        and (given.flags.writeable or not declared.mutable)
    )


def kernel_files() -> list[Path]:
    """All files that hold compiled code."""
    found = (*PACKAGE.rglob("kernels.py"), *PACKAGE.rglob("*_kernels.py"))
    return sorted(path for path in found if path != Path(__file__))


def digest(path: Path) -> str:
    """Names the machine code of a file: its source, all that it imports from us, how that is compiled, and Python."""
    made = hashlib.sha256(system.python_tag().encode())
    for source in (*_sources(path), *sorted(Path(__file__).parent.glob("*.py"))):
        made.update(source.relative_to(PACKAGE).as_posix().encode())
        made.update(source.read_bytes())
    return made.hexdigest()[:16]


def _sources(path: Path) -> list[Path]:
    """The file and all of our own files that it imports from, however far away: their constants get compiled in."""
    found, todo = {path}, [path]
    while todo:
        for module, names in _IMPORT.findall(todo.pop().read_bytes()):
            base = PACKAGE.joinpath(*module.decode().split(".")[1:])
            inside = [base / f"{name.decode()}.py" for name in re.findall(rb"\w+", names)]
            for each in (base.with_suffix(".py"), base / "__init__.py", *inside):
                if each.is_file() and each not in found:
                    found.add(each)
                    todo.append(each)
    return sorted(found)


def cache_folder() -> Path:
    """Where compiled kernels are kept."""
    return system.cache_root() / "kernels"


@functools.cache
def shipped() -> Path | None:
    """The folder of machine code that came with the package, where there is one that this machine runs."""
    if not SHIPPED.is_dir():
        return None
    from inbetweener.kernels import machine

    made = machine.made_for_any()
    folder = SHIPPED / made
    return folder if made and folder.is_dir() else None


@functools.cache
def code_name(path: Path) -> str:
    """The folder for machine code of one kernel file as it is now."""
    return f"{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}-{digest(path)}"


@functools.cache
def cache_problem() -> str:
    """Why compiled kernels cannot be kept, in one line with the remedy; empty when they can."""
    folder = cache_folder()
    try:
        system.folder_for_code(folder)
        tempfile.TemporaryFile(dir=folder).close()
    except (OSError, system.NotOurs) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return f"compiled kernels cannot be kept in {folder}: {reason}; set INBETWEENER_CACHE to a folder of your own"
    return ""


def _complete() -> Path:
    """A mark that all kernels, as they are now, have been compiled."""
    together = hashlib.sha256(" ".join(map(code_name, kernel_files())).encode())
    return cache_folder() / f"complete-{together.hexdigest()[:16]}"


def _prune() -> None:
    """Remove what is kept for other versions of each kernel file, but for the most recent ones."""
    current = {_complete(), *(cache_folder() / code_name(path) for path in kernel_files())}
    versions: dict[str, list[Path]] = {}
    for each in cache_folder().iterdir():
        if each not in current:
            versions.setdefault(each.name.rpartition("-")[0], []).append(each)
    for others in versions.values():
        others.sort(key=_made_at, reverse=True)
        for each in others[KEPT_CACHES:]:
            # Another process may be removing the same one.
            shutil.rmtree(each, ignore_errors=True) if each.is_dir() else each.unlink(missing_ok=True)


def _made_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # gone meanwhile
        return 0.0


def is_warm() -> bool:
    """True when all kernels have been compiled, on this machine or for the package."""
    brought = shipped()
    if brought is not None and (brought / _complete().name).exists():
        return True
    return not cache_problem() and _complete().exists()


def warm_up(*homes: str, from_the_end: bool = False) -> Iterator[tuple[int, int, str]]:
    """Compile everything that is not compiled yet, or what some homes hold; yields (done, total, name) before each.

    A home is a package or a module, such as "rig" or "curves.kernels".

    A second process works through what a drag needs from the end, then through the rest: what it has done by the time
    the two meet is only loaded.
    """
    modules = [".".join(("inbetweener", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in kernel_files()]
    if homes:
        modules = [each for each in modules if any(f"{each}.".startswith(f"inbetweener.{home}.") for home in homes)]
    for module in modules:
        importlib.import_module(module)
    todo = [each for each in _registry.values() if each.function.__module__ in modules or not homes]
    todo.sort(key=_turn, reverse=from_the_end)
    todo.sort(key=lambda each: _turn(each)[0] == len(FIRST))
    partner = None if from_the_end or cache_problem() else _partner(homes)
    try:
        for done, each in enumerate(todo):
            yield done, len(todo), each.name
            each.compile()
    finally:
        if partner is not None:
            partner.kill()
            partner.wait()
    if not cache_problem() and not homes:
        _complete().touch()
        _prune()


def _turn(kernel: "Kernel[Any, Any]") -> tuple[int, str]:
    """When a kernel's turn is: what a drag needs first, then by name."""
    module = kernel.function.__module__.removeprefix("inbetweener.")
    return FIRST.index(module) if module in FIRST else len(FIRST), kernel.name


_partners: "list[subprocess.Popen[bytes]]" = []
"""The last one that was started. One is enough: servers that come and go in one process would each bring another."""


def _partner(homes: Sequence[str]) -> "subprocess.Popen[bytes] | None":
    if not Path(sys.executable or ".").is_file():
        return None  # a program that only embeds Python
    if _partners and _partners[-1].poll() is None:
        return None
    code = f"from inbetweener import kernels\nfor _ in kernels.warm_up(*{tuple(homes)}, from_the_end=True): pass"
    # Inside another program, what we are and need may lie where its Python by itself would not look.
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    _partners[:] = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=surroundings
        )
    ]
    return _partners[-1]
