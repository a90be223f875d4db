"""A virtual environment that holds Blender as a Python module, made on first use beside the checkout's own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".venv-blender"
PYTHON = HOME / "bin" / "python"
VERSION = "3.13"
"""The Python that this Blender is built for, and no other."""
REQUIREMENTS = (
    "bpy==5.2.3", "numba==0.68.1", "daqp==0.10.3", "platformdirs>=4.3", "msgspec>=0.19", "scipy>=1.14",
    "threadpoolctl>=3.5", "pytest>=9.0.3",
)  # fmt: skip
"""Blender, what drags and other methods need inside it, and what tests that."""


class BlenderFailed(Exception):
    """Blender could not be installed or did not do its job."""


def is_there() -> bool:
    """True once the environment is whole."""
    return (HOME / "installed").is_file()


def make() -> None:
    """Install Blender: about 1 GB, half a minute with a good connection."""
    if is_there():
        return
    python = sys.executable if f"{sys.version_info[0]}.{sys.version_info[1]}" == VERSION else f"python{VERSION}"
    found = shutil.which(python)
    if found is None or subprocess.run((found, "--version"), capture_output=True).returncode:
        raise BlenderFailed(f"no Python {VERSION} on this machine: Blender is built for it and no other; install it")
    print(f"Installing {REQUIREMENTS[0]} into {HOME.name} (about 1 GB)", flush=True)
    pip = (str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *REQUIREMENTS)
    for command in ((found, "-m", "venv", "--clear", str(HOME)), pip):
        if subprocess.run(command).returncode:
            raise BlenderFailed(f"{' '.join(command[:4])} … failed; see above")
    (HOME / "installed").touch()


def surroundings() -> dict[str, str]:
    """What Blender's Python is started with, so that it finds us."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}


def do(job: dict[str, Any], folder: Path) -> None:
    """One job of `inside/` in a Blender of its own; what it prints comes with the error when it fails."""
    description = folder / "job.json"
    description.write_text(json.dumps(job))
    command = (str(PYTHON), "-m", "interop.blender.inside", str(description))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    # Blender may print a traceback and still end with zero.
    if done.returncode or not Path(job["seen"]).is_file() or not Path(job.get("export", job["seen"])).is_file():
        raise BlenderFailed(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
