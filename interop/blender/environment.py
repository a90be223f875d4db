"""A virtual environment that holds Blender as a Python module, made on first use beside the checkout's own."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".venv-blender"
PYTHON = HOME / "bin" / "python"
REQUIREMENTS = ("bpy==5.0.1", "numpy<2")
"""This Blender is built for Python 3.11 and for numpy's first interface, ours needs the second: hence a world apart."""


class BlenderFailed(Exception):
    """Blender could not be installed or did not do its job."""


def is_there() -> bool:
    """True once the environment is whole."""
    return (HOME / "installed").is_file()


def make() -> None:
    """Install Blender: about 1 GB, half a minute with a good connection."""
    if is_there():
        return
    python = sys.executable if sys.version_info[:2] == (3, 11) else shutil.which("python3.11")
    if python is None:
        raise BlenderFailed("no Python 3.11 on this machine: Blender 5.0 is built for it and no other; install it")
    print(f"Installing {REQUIREMENTS[0]} into {HOME.name} (about 1 GB)", flush=True)
    pip = (str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *REQUIREMENTS)
    for command in ((python, "-m", "venv", "--clear", str(HOME)), pip):
        if subprocess.run(command).returncode:
            raise BlenderFailed(f"{' '.join(command[:4])} … failed; see above")
    (HOME / "installed").touch()


def do(job: dict[str, Any], folder: Path) -> None:
    """One job of `inside/` in a Blender of its own; what it prints comes with the error when it fails."""
    description = folder / "job.json"
    description.write_text(json.dumps(job))
    command = (str(PYTHON), "-m", "interop.blender.inside", str(description))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    # Blender may print a traceback and still end with zero.
    if done.returncode or not Path(job["seen"]).is_file() or not Path(job.get("export", job["seen"])).is_file():
        raise BlenderFailed(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
