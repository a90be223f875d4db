"""Recipes: one small TOML file that says what is done to every clip of a folder, checked before anything is done.

Whatever is wrong names its line and its key. Steps are verbs and their words (see `steps`); numbers are metres,
radians and seconds, or have a unit, as "5 mm".
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_type_hints

import msgspec

from inbetweener.batch import steps
from inbetweener.errors import FormatError, UnknownName

FOLDER = "recipes"
GO_ON = "go on"
KINDS = ("picture", "sheet", "movie")
_OWN: dict[str, dict[str, Any]] = {
    "picture": {"at": float}, "sheet": {"count": int}, "movie": {"suffix": Literal[".mp4", ".gif"]},
}  # fmt: skip
_TOO_MUCH = "holds lists that are too deep, or a number that is too long"
_NOT_LOOKS = ("document", "time", "clip", "path", "progress", "return")


@dataclass(frozen=True, slots=True)
class Step:
    """A verb with its words; with `go_on`, a clip that it refuses is not a failure: the step is left out and told."""

    verb: str
    words: dict[str, Any] = field(default_factory=dict)
    go_on: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """A file that is written of every clip: its suffix, and options of that format's `write`."""

    suffix: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture (of the moment `at`, from 0 to 1), a sheet of `count` moments side by side, or a movie of every clip.

    look  options of `render.render_frame` and `render_movie`
    """

    kind: Literal["picture", "sheet", "movie"] = "picture"
    suffix: str = ".png"
    at: float = 0.5
    count: int = 6
    look: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost before it is given up."""

    seconds: float = 600.0
    memory_gb: float = 4.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is done to every clip; `files` are those that steps name, with digests of what is in them.

    open   options of formats' `read`; `suffixes` says which files are meant, where not all that are surely motion
    worst  the figure by which the report shows the worst first, as "fit.max_error_m"
    """

    name: str
    about: str = ""
    open: dict[str, Any] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    exports: tuple[Export, ...] = ()
    pictures: tuple[Picture, ...] = ()
    limits: Limits = Limits()
    worst: str = "moved_mm"
    files: dict[str, str] = field(default_factory=dict)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Of the files that are looked for in folders."""
        from inbetweener.formats import READABLE

        return tuple(self.open.get("suffixes", READABLE))

    @property
    def key(self) -> str:
        """Names what outputs depend on: two recipes with the same key make the same of the same file."""
        parts = {each: asdict(self)[each] for each in ("open", "steps", "exports", "pictures")}
        # A file counts by what is in it, wherever it lies.
        text = msgspec.json.encode([parts, sorted(self.files.values())], order="sorted")
        for path, digest in self.files.items():
            text = text.replace(msgspec.json.encode(path), digest.encode())
        return hashlib.sha256(text).hexdigest()

    def __str__(self) -> str:
        done = [each.verb.replace("_", " ") for each in self.steps]
        done += [f"write {each.suffix}" for each in self.exports] + [f"{each.kind}" for each in self.pictures]
        return f"{self.name}: {' → '.join(done)}"


def ready_recipes() -> dict[str, str]:
    """The recipes that come along: names, and the TOML of each."""
    folder = resources.files("inbetweener.batch") / FOLDER
    found = {each.name.removesuffix(".toml"): each.read_text("utf-8") for each in folder.iterdir()}
    return dict(sorted(found.items()))


def read_recipe(said: str | Path, changes: Iterable[str] = ()) -> Recipe:
    """The recipe in a file, or one that comes along by its name.

    `changes` are keys that are said otherwise, as "fit.tolerance=0.01".
    """
    ready = ready_recipes()
    if str(said) in ready:
        path, text = Path(f"{said}.toml"), ready[str(said)]
    else:
        path = Path(said)
        if path.suffix != ".toml" and not path.exists():
            raise UnknownName("recipe", str(said), ready)
        from inbetweener.formats.files import file_bytes

        try:
            text = file_bytes(path).decode()
        except UnicodeDecodeError as error:
            raise FormatError(path, "", "is no text", "a recipe is a TOML file") from error
    return parse_recipe(text, path, changes)


def parse_recipe(text: str, path: Path | str = "recipe.toml", changes: Iterable[str] = ()) -> Recipe:
    """The recipe that a TOML text holds; files that it names lie beside `path`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at (line \d+), column \d+\)|at end of document", str(error))
        where = (place[1] or f"line {text.count(chr(10)) + 1}") if place else ""
        raise FormatError(path, where, str(error).partition(" (at ")[0]) from error
    except (RecursionError, ValueError) as error:
        raise FormatError(path, "", _TOO_MUCH) from error
    reader = _Reader(Path(path), text)
    for change in changes:
        reader.change(table, change)
    return reader.recipe(table)


_TABLES: dict[str, Any] = {
    "name": str, "about": str, "worst": str, "limits": dict, "open": dict, "step": list, "export": list,
    "picture": list,
}  # fmt: skip


class _Reader:
    """Turns tables into a recipe; knows on which line each key stands."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.lines = _lines(text)
        self.files: dict[str, str] = {}

    def wrong(self, table: str, number: int, key: str, problem: str, remedy: str = "") -> FormatError:
        line = self.lines.get((table, number, key)) or self.lines.get((table, number, ""))
        where = f"{table} {number + 1}" if _TABLES.get(table) is list else table
        named = ": ".join(filter(None, (where, key)))
        return FormatError(
            self.path, f"line {line}" if line else "", f"{named}: {problem}" if named else problem, remedy
        )

    def change(self, table: dict[str, Any], said: str) -> None:
        """Say a key otherwise: of the first step of that verb, or of a table."""
        name, equals, value = said.partition("=")
        owner, dot, key = name.strip().rpartition(".")
        if not (equals and dot and owner and key):
            raise FormatError(self.path, "", f"{said!r} changes nothing", "write it like fit.tolerance=0.01")
        try:
            (made,) = tomllib.loads(f"x = {value}").values()
        except tomllib.TOMLDecodeError:
            made = value.strip()
        except (RecursionError, ValueError) as error:
            raise FormatError(self.path, "", f"{said[:40]!r}: {_TOO_MUCH}") from error
        verb = _plain(owner)
        steps_of = [
            each for each in table.get("step", []) if isinstance(each, dict) and _plain(each.get("verb")) == verb
        ]
        if steps_of:
            steps_of[0][key] = made
        elif owner in ("open", "limits"):
            table.setdefault(owner, {})[key] = made
        else:
            known = [str(each.get("verb")) for each in table.get("step", [])]
            raise UnknownName(f"step of {self.path.name}", owner, [*known, "open", "limits"])

    def recipe(self, table: dict[str, Any]) -> Recipe:
        for name, value in table.items():
            if name not in _TABLES:
                self._unknown("", 0, name, list(_TABLES))
            if not isinstance(value, _TABLES[name]) or (name in ("step", "export", "picture") and not _tables(value)):
                shape = f"[[{name}]]" if _TABLES[name] is list else f"[{name}]" if _TABLES[name] is dict else "a text"
                raise self.wrong("", 0, name, f"must be {shape}")
        made = Recipe(
            name=table.get("name", self.path.stem),
            about=table.get("about", ""),
            open=self._open(table.get("open", {})),
            steps=tuple(self._step(n, each) for n, each in enumerate(table.get("step", []))),
            exports=tuple(self._export(n, each) for n, each in enumerate(table.get("export", []))),
            pictures=tuple(self._picture(n, each) for n, each in enumerate(table.get("picture", []))),
            limits=self._limits(table.get("limits", {})),
            worst=table.get("worst", "moved_mm"),
        )
        if not (made.exports or made.pictures):
            raise self.wrong("", 0, "", "nothing is written", "add an [[export]] or a [[picture]]")
        return replace(made, files=self.files)

    def _open(self, table: dict[str, Any]) -> dict[str, Any]:
        from inbetweener.formats import NUMBERS, READABLE, SUFFIXES, function_for

        hints: dict[str, Any] = {}
        for suffix in (*SUFFIXES, *NUMBERS):
            hints |= get_type_hints(function_for(Path(f"x{suffix}"), "read", {}))
        hints = {name: hint for name, hint in hints.items() if name not in ("path", "return")}
        words = self._words("open", 0, table, {**hints, "suffixes": tuple[str, ...]})
        for name, value in words.items():
            if steps.is_document(hints.get(name)):
                words[name] = self._file("open", 0, name, value)
        wanted = words.get("suffixes", READABLE)
        for each in wanted:
            if each not in (*READABLE, *NUMBERS):
                known = " ".join((*READABLE, *NUMBERS))
                raise self.wrong("open", 0, "suffixes", f"each must be one of {known}, not {each!r}")
        if ".csv" in wanted and "onto" not in words:
            raise self.wrong("open", 0, "suffixes", "a table has no rig", 'say onto which file, as onto = "robot.xml"')
        return words

    def _step(self, number: int, table: dict[str, Any]) -> Step:
        table = dict(table)
        verb = table.pop("verb", None)
        if not isinstance(verb, str):
            raise self.wrong("step", number, "verb" if verb is not None else "", 'has no verb, as in verb = "fit"')
        refused = table.pop("if_refused", "fail")
        if refused not in ("fail", GO_ON):
            raise self.wrong("step", number, "if_refused", f"must be 'fail' or {GO_ON!r}, not {refused!r}")
        known = steps.verbs()
        if _plain(verb) not in known:
            self._unknown("step", number, "verb", [each.replace("_", " ") for each in known], verb)
        function = known[_plain(verb)]
        words = self._words("step", number, table, steps.keys(function))
        for missing in (each for each in steps.required(function) if each not in words):
            raise self.wrong("step", number, "", f"{verb} must be told {missing!r}")
        for name, hint in steps.keys(function).items():
            if name in words and steps.is_document(hint):
                words[name] = self._file("step", number, name, words[name])
        return Step(_plain(verb), words, refused == GO_ON)

    def _file(self, table: str, number: int, key: str, said: str) -> str:
        path = (self.path.parent / said).resolve()
        if not path.is_file():
            raise self.wrong(table, number, key, f"there is no file {path}")
        self.files[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
        return str(path)

    def _export(self, number: int, table: dict[str, Any]) -> Export:
        from inbetweener.formats import WRITABLE, function_for

        table = dict(table)
        suffix = table.pop("suffix", None)
        if suffix not in WRITABLE:
            raise self.wrong("export", number, "suffix", f"must be one of {' '.join(WRITABLE)}, not {suffix!r}")
        hints = get_type_hints(function_for(Path(f"x{suffix}"), "write", {}))
        known = {name: hint for name, hint in hints.items() if name not in ("document", "path", "clip", "return")}
        return Export(suffix, self._words("export", number, table, known))

    def _picture(self, number: int, table: dict[str, Any]) -> Picture:
        from inbetweener.render import render_frame, render_movie

        table = dict(table)
        kind = table.pop("kind", "picture")
        if kind not in KINDS:
            raise self.wrong("picture", number, "kind", f"must be one of {', '.join(KINDS)}, not {kind!r}")
        looks = get_type_hints(render_movie if kind == "movie" else render_frame)
        own = _OWN[kind]
        known = {**{name: hint for name, hint in looks.items() if name not in _NOT_LOOKS}, **own}
        words = self._words("picture", number, table, known)
        said = {name: words.pop(name) for name in own if name in words}
        if not (0 <= said.get("at", 0) <= 1 and 1 <= said.get("count", 1) <= 100):
            raise self.wrong("picture", number, next(iter(said)), "at is from 0 to 1, count from 1 to 100")
        return Picture(kind, **({"suffix": ".mp4"} if kind == "movie" else {}) | said, look=words)

    def _limits(self, table: dict[str, Any]) -> Limits:
        words = self._words("limits", 0, table, {"seconds": float, "memory_gb": float})
        for name, value in words.items():
            if not 0 < value < 1e9:
                raise self.wrong("limits", 0, name, f"must be more than nothing, not {value:g}")
        return Limits(**{name: float(value) for name, value in words.items()})

    def _words(self, table: str, number: int, given: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, value in given.items():
            if name not in known:
                self._unknown(table, number, name, list(known))
            try:
                made[name] = steps.said(value, known[name])
            except ValueError as error:
                raise self.wrong(table, number, name, f"must be {error}, not {value!r}") from error
        return made

    def _unknown(self, table: str, number: int, key: str, known: list[str], name: str | None = None) -> None:
        said = UnknownName("verb" if name else "key", name or key, known)
        raise self.wrong(table, number, key, str(said))


def _plain(verb: Any) -> str:
    """ "remove slide" and "remove-slide" are `remove_slide`."""
    return re.sub(r"[ -]+", "_", verb) if isinstance(verb, str) else ""


def _tables(value: Any) -> bool:
    return all(isinstance(each, dict) for each in value)


_HEADER = re.compile(r"\s*\[(\[?)\s*([\w-]+)\s*\]")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*[=.]""")


def _lines(text: str) -> dict[tuple[str, int, str], int]:
    """On which line each key stands, by its table and, where there are several of the kind, its number."""
    found: dict[tuple[str, int, str], int] = {}
    table, number, counts = "", 0, dict[str, int]()
    for at, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = header[2]
            number = counts.get(table, 0) if header[1] else 0
            counts[table] = number + 1
            found.setdefault(("", 0, table), at)
            found[table, number, ""] = at
        elif key := _KEY.match(line):
            found.setdefault((table, number, key[1]), at)
    return found
