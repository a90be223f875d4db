"""How numba makes machine code of kernels, and how that is kept: all that reaches into numba is here.

Left alone, numba optimises each function that a kernel calls, wraps it twice for Python and makes machine code of it,
and then does the same again to the copy in every caller. Parts of kernels are never called by themselves, so here they
are only translated, and optimised once, with the kernel that they became part of: half of the time.

Numba's own cache knows code by when its file was changed, by its path, and by the exact processor. Ours is one file a
kernel, whose folder is named after all that the code was made of, so that it may travel.
"""

import gc
import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from numba import _dynfunc
from numba.core import caching, codegen, compiler, compiler_machinery, serialize, typed_passes, typeinfer
from numba.core.registry import cpu_target

import inbetweener.system as system
from inbetweener.kernels import BASELINES

# The stubs know neither all options nor these.
_njit: Any = numba.njit
_dumps: Any = serialize.dumps
PATIENT = 100_000
"""Objects made before garbage is looked for: compiling makes millions and leaves little."""


class Part(codegen.JITCodeLibrary):
    """Code that others take in: neither optimised nor made machine code by itself."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(typed_passes.NativeLowering):
    """Translates a part, and tells callers where it is."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """As numba does, but for what only a function that Python calls would need."""
        state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        made = state["cr"]
        # Numba knows the function by this; nobody calls it.
        name = made.fndesc.qualname.split(".")[-1]
        known = _dynfunc.make_function(made.fndesc.lookup_module(), name, "", 0, made.env, (state.library,))
        state.targetctx.insert_user_function(known, made.fndesc, [state.library])
        state["cr"] = made._replace(cfunc=known)
        return True


class PartCompiler(compiler.CompilerBase):
    """Numba's compiler, but for its last step."""

    def define_pipelines(self) -> list[Any]:
        """The steps."""
        steps = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        native = typed_passes.NativeLowering
        steps.passes = [(PartLowering if step is native else step, why) for step, why in steps.passes]
        steps.finalize()
        return [steps]


class DistinctCompiler(PartCompiler):
    """The same for parts whose arrays never overlap."""

    def define_pipelines(self) -> list[Any]:
        """The steps, told what numba has no option for."""
        self.state.flags.noalias = True
        return super().define_pipelines()


class Kept(caching._Cache):
    """Machine code of one kernel in files: the first that is there is loaded, what had to be compiled is saved."""

    def __init__(self, files: Sequence[Path], save: Path | None) -> None:
        self.files, self.save = files, save

    @property
    def there(self) -> bool:
        """Whether a file holds it."""
        return any(map(Path.exists, self.files))

    @property
    def cache_path(self) -> str:
        """Where it is written."""
        return str(self.save)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """A kernel's only signature, or None where no file holds it."""
        target_context.refresh()
        for file in self.files:
            try:
                content = file.read_bytes()
            except FileNotFoundError:
                continue
            return compiler.CompileResult._rebuild(target_context, *pickle.loads(content))
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep it; code that holds addresses of this process must not be."""
        if self.save is not None and not cres.library.has_dynamic_globals:
            system.replace_file(self.save, _dumps(cres._reduce()), own=True)

    def enable(self) -> None:
        """Asked of every cache of numba's; this one always is."""

    disable = flush = enable


# error_model: IEEE division, no hidden branch. No fastmath: results must repeat to the bit.
OPTIONS: Any = {"nogil": True, "error_model": "numpy"}


def part(function: Callable[..., Any], *, merged: bool, lent: bool, distinct: bool) -> Any:
    """What numba calls from kernels, typed by them: `merged` where its code is repeated in each caller, `lent` where it
    counts no references, `distinct` where its arrays never overlap."""
    made_by = DistinctCompiler if distinct else PartCompiler
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": made_by, "_nrt": not lent}
    return _njit(forceinline=merged, **bare, **OPTIONS)(function)


def alone(function: Callable[..., Any]) -> Any:
    """A part that Python calls, for whatever it is given."""
    return _njit(**OPTIONS)(function)


def entry(function: Callable[..., Any], signature: Any, *, parallel: bool, kept: Kept | None) -> Any:
    """A kernel as Python calls it, compiled for its signature or loaded."""
    made = _njit(parallel=parallel, no_cfunc_wrapper=True, **OPTIONS)(function)
    if kept is not None:
        made._cache = kept
    with typeinfer.register_dispatcher(made), _patient():
        made.compile(signature)
    made.disable_compile()
    return made


@contextmanager
def _patient() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(PATIENT, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def load_compiler() -> None:
    """Import all that compiling takes, about a second."""
    cpu_target.target_context.refresh()


def made_here() -> str:
    """Names what code is made by and for in this process."""
    return _made(*cpu_target.target_context.codegen().magic_tuple())


def made_for_any() -> str:
    """Names what code in packages is made by and for; empty where this machine could not run that."""
    triple = llvm.get_process_triple()
    processor, needed = BASELINES.get(triple.partition("-")[0], ("", ""))
    features = llvm.get_host_cpu_features()
    return _made(triple, processor, "") if processor and all(features.get(word) for word in needed.split()) else ""


def _made(triple: str, processor: str, features: str) -> str:
    said = f"{numba.__version__} {llvmlite.__version__} {triple} {processor} {features}"
    return hashlib.sha256(said.encode()).hexdigest()[:8]
