"""What importing brings along: heavy libraries wait until they are used."""

import subprocess
import sys

import pytest

HEAVY = ("numba", "scipy", "mujoco", "matplotlib", "PIL", "moderngl", "starlette", "asyncio", "concurrent.futures")


@pytest.mark.parametrize(
    ("imported", "unwelcome"),
    [
        ("inbetweener", ("numpy", "msgspec", *HEAVY)),
        ("inbetweener.cli", ("numpy", "msgspec", "inbetweener.document", *HEAVY)),
        ("inbetweener.document", HEAVY),
        ("inbetweener.builtin.sculpt", HEAVY),
    ],
)
def test_heavy_libraries_wait(imported: str, unwelcome: tuple[str, ...]) -> None:
    code = f"import sys, {imported}; print(*(name for name in {unwelcome} if name in sys.modules))"
    told = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == []


def test_the_front_door_opens_on_all_it_promises() -> None:
    code = "import inbetweener as ib; print(*(name for name in ib.__all__ if getattr(ib, name) is None)); ib.nothing"
    told = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout.split() == []
    assert told.stderr.strip().endswith("module 'inbetweener' has no attribute 'nothing'")
