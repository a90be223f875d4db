"""Being ready inside another program: compiled beside it, and without most of what the rest of us needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from inbetweener import kernels
from inbetweener.host import WarmUp

NEEDED = ("numba", "llvmlite", "daqp", "platformdirs", "msgspec", "numpy")
WITHOUT = (
    "scipy", "threadpoolctl", "typer", "rich", "moderngl", "PIL", "imageio_ffmpeg", "matplotlib", "starlette",
    "uvicorn", "h11", "websockets",
)  # fmt: skip

SLIM = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {WITHOUT}:
            raise ModuleNotFoundError(f"no {{name}} in a slim install", name=name)
sys.meta_path.insert(0, Absent())
from inbetweener import kernels
from inbetweener.host import WarmUp
warming = WarmUp(later=())
warming.wait()
assert warming.ready, warming.error
compiled = {{name for name, each in kernels._registry.items() if each._compiled is not None}}
import numpy as np
from inbetweener import host
from inbetweener.curves import Curve, Key, Tangent
from inbetweener.motion import Clip, Curves, Motion, Pin
from inbetweener.rig import Joint, Point
from inbetweener.maths.transforms import Transform
from inbetweener.tangents import Drag, DragRequest, motion_curve
joints, channels, turning = [], [], []
for n, name in enumerate("abc"):
    pair, four, q = host.quaternion_joint(
        Joint(name, len(joints) - 1, Transform((0.0, 0.5 * (n > 0), 0.0))), tuple(f"{{name}}.{{p}}" for p in "wxyz"))
    joints += [pair[0], Joint(name, len(joints))]
    channels += four
    turning.append(q)
rig = host.TurnedRig(tuple(joints), tuple(channels), quaternions=tuple(turning))
t = Tangent(0.3, 0.0)
curves = {{c.name: Curve.from_keys([Key(0.0, c.default, t, t), Key(1.0, 0.2 * (n % 4), t, t)])
          for n, c in enumerate(channels)}}
motion = Motion(rig, Clip("clip", end=1.0, curves=Curves(curves)))
drag = Drag(motion, DragRequest(Point("c"), 0.5, constraints=(Pin(Point("b"), start=0.2, end=0.2),)))
solution = drag.to(drag.start_position + np.array([0.0, 0.0, 0.02]))
assert solution.reached, solution
assert drag.certificate().keys_kept
motion_curve(motion, Point("c"), start=0.25, end=0.75)
used = {{name.partition(".")[0] for name in sys.modules}}
assert not used & set({WITHOUT}), used & set({WITHOUT})
missed = {{name for name, each in kernels._registry.items() if each._compiled is not None}} - compiled
assert not missed, f"compiled while somebody dragged: {{missed}}"
print("dragged")
"""


def test_a_slim_install_drags() -> None:
    done = subprocess.run([sys.executable, "-c", SLIM], capture_output=True, text=True)
    assert done.stdout.strip() == "dragged", done.stderr


def test_a_thread_compiles_what_a_drag_needs_and_says_how_far_it_is() -> None:
    warming = WarmUp(("maths.kernels",), ())
    warming.wait()
    assert not warming.alive
    assert warming.error is None
    assert (warming.ready, warming.progress) == (True, 1.0)
    assert warming.total == sum(name.startswith("inbetweener.maths.kernels.") for name in kernels._registry)


def test_a_thread_that_fails_says_why() -> None:
    class Broken(Exception):
        pass

    def fail(*_: str) -> None:
        raise Broken("no compiler")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "warm_up", fail)
        warming = WarmUp()
        warming.wait()
    assert isinstance(warming.error, Broken)
    assert not warming.ready


def test_the_second_process_sees_what_this_one_sees(tmp_path: Path) -> None:
    """As inside a program whose Python knows nothing of our packages: they are on this process's path alone."""
    code = (
        f"import sys; sys.path[:0] = {[each for each in sys.path if each]}\n"
        "from inbetweener import kernels\n"
        "partner = kernels._partner(('maths',))\n"
        "print(partner.wait())"
    )
    python = getattr(sys, "_base_executable", sys.executable)
    done = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "0", done.stderr
