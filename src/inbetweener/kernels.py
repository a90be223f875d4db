"""Numba kernels: how they are declared, cached, and compiled once with progress.

Rules of the house:

- compiled code lives only in files named `kernels.py`, one a package;
- `@kernel(signature)` marks an entry point called from Python; it compiles (or loads from the cache) when first
  called, so importing costs nothing;
- `@inlined` marks a small function called only from other kernels;
- arrays that a kernel only reads are declared with `const`, so that frozen arrays may be passed.

Numba notices an edited file but not an edited file that it calls into, so the cache folder is named after a
digest of all kernel files: no stale machine code, ever.
"""

import hashlib
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).parent
_registry: dict[str, "Kernel[Any, Any]"] = {}


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

    def compile(self) -> Callable[P, R]:
        """Machine code for the declared signature, from the cache when it is there."""
        if self._compiled is None:
            self._compiled = _jit(parallel=self.parallel, signature=_types(self.signature))(self.function)
        return self._compiled


def kernel(signature: str, *, parallel: bool = False) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Declare an entry point, e.g. `@kernel("void(const(f8[::1]), f8[:,::1])")`."""

    def declare(function: Callable[P, R]) -> Kernel[P, R]:
        made = Kernel(function, signature, parallel)
        _registry[made.name] = made
        return made

    return declare


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Declare a function that only kernels call; compiled into them."""
    return _jit()(function)


def _jit(parallel: bool = False, signature: Any = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    import numba

    setattr(numba.config, "CACHE_DIR", str(cache_folder()))  # noqa: B010  # the stubs do not know it
    # error_model: IEEE division, no hidden branch. No fastmath: results must repeat to the bit.
    make = numba.njit(signature, cache=True, nogil=True, error_model="numpy", parallel=parallel)
    return cast(Callable[[Callable[P, R]], Callable[P, R]], make)


def _types(signature: str) -> Any:
    from numba import types

    def const(array: Any) -> Any:
        return types.Array(array.dtype, array.ndim, array.layout, readonly=True)

    names = {name: getattr(types, name) for name in ("f4", "f8", "i4", "i8", "u1", "b1", "void", "UniTuple")}
    return eval(signature, {"const": const, **names})


def kernel_files() -> list[Path]:
    """All files that hold compiled code."""
    return sorted(p for p in PACKAGE.rglob("kernels.py") if p != Path(__file__))


def digest() -> str:
    """Names the compiled state: kernel sources, Python and numba versions."""
    from importlib.metadata import version

    made = hashlib.sha256(f"{sys.version_info[:2]} {version('numba')}".encode())
    for path in kernel_files():
        made.update(path.read_bytes())
    return made.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels of exactly these sources are kept."""
    global _cache_folder
    if _cache_folder is None:
        from platformdirs import user_cache_path

        root = os.environ.get("INBETWEENER_CACHE")
        base = Path(root) if root else user_cache_path("inbetweener")
        _cache_folder = base / "kernels" / digest()
    return _cache_folder


_cache_folder: Path | None = None


def is_warm() -> bool:
    """True when all kernels have been compiled on this machine."""
    return (cache_folder() / "complete").exists()


def warm_up() -> Iterator[tuple[int, int, str]]:
    """Compile everything that is not compiled yet; yields (done, total, name) before each kernel."""
    for path in kernel_files():
        importlib.import_module(".".join(("inbetweener", *path.relative_to(PACKAGE).with_suffix("").parts)))
    todo = sorted(_registry.values(), key=lambda k: k.name)
    for done, each in enumerate(todo):
        yield done, len(todo), each.name
        each.compile()
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "complete").touch()
