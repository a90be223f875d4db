"""What is kept of a built exhibit, so that the page can be made again without running anything that is fresh."""

import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import msgspec

from benchmarks.harness import Figure
from gallery.exhibit import Exhibit
from gallery.movie import Film

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "inbetweener"
NOT_SEEN = ("cli", "studio", "builtin/scenes", "formats")
"""Parts of the package that no exhibit shows, or that are looked at scene by scene."""
MADE_BY = ("movie.py", "curves.py", "build.py")


class Record(msgspec.Struct):
    """A built exhibit: its versions, figures and drawings, and the length of its movie."""

    fingerprint: str
    versions: list[str]
    figures: list[Figure]
    drawings: list[str]
    changed: str
    film: Film
    seconds: float

    def write(self, path: Path) -> None:
        """Keep it as JSON; numbers that numpy has made are numbers too."""
        path.write_bytes(msgspec.json.encode(self, enc_hook=float))


def read(path: Path) -> Record | None:
    """What was kept there; nothing where it is missing or of another make."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def fingerprint(exhibit: Exhibit) -> str:
    """A digest of all code that the exhibit's movie, curves and figures come from."""
    digest = sha256(repr((exhibit.name, exhibit.shot)).encode())
    for path in sources(exhibit):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sources(exhibit: Exhibit) -> list[Path]:
    """The files that an exhibit comes from: the package but for what nobody sees of it, its scene, and its gestures."""
    seen = [path for path in sorted(PACKAGE.rglob("*.py")) if not _belongs(path, NOT_SEEN)]
    own = PACKAGE / "builtin" / "scenes" / f"{exhibit.name.replace('-', '_')}.py"
    made = [Path(__file__).with_name(name) for name in MADE_BY]
    return [*seen, *made, *([own] if own.exists() else []), *_modules(exhibit.work.__module__)]


def _belongs(path: Path, parts: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(PACKAGE / part) for part in parts)


def _modules(name: str) -> list[Path]:
    """The file of a module of the repository outside the package, and of all such that it takes something from."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name in found or name.split(".")[0] not in ("benchmarks", "gallery") or name == "gallery.exhibits":
            continue
        found.add(name)
        for value in vars(sys.modules[name]).values():
            origin = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(origin, str):
                waiting.append(origin)
    return [Path(str(sys.modules[each].__file__)) for each in sorted(found)]
