# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip that people get: built, checked by Blender's own tool, installed from the file, and dragged with."""

import os
import subprocess
import sys
from pathlib import Path

import bpy

from extension import build

TOOL = Path(bpy.utils.resource_path("LOCAL")) / "scripts" / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"

INSTALL_AND_DRAG = """
import sys
import bpy
bpy.ops.preferences.addon_enable(module="bl_pkg")
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=False)
# What the zip brings counts, not what this environment has for other tests.
import glob
from importlib.machinery import PathFinder
class FromZip:
    def find_spec(self, name, path=None, target=None):
        if name in ("numba", "llvmlite", "daqp", "msgspec", "platformdirs", "inbetweener"):
            return PathFinder.find_spec(name, glob.glob(sys.argv[2] + "/extensions/.local/lib/*/site-packages"))
sys.meta_path.insert(0, FromZip())
bpy.ops.preferences.addon_enable(module="bl_ext.user_default.inbetweener")
ball = bpy.data.objects.new("ball", None)
bpy.context.scene.collection.objects.link(ball)
bpy.context.view_layer.objects.active = ball
for frame, x in ((1, 0.0), (25, 2.0)):
    ball.location = (x, 0.0, 0.0)
    ball.keyframe_insert("location", frame=frame)
bpy.context.scene.frame_set(13)
# After scripts were reloaded too, once and again.
for _ in range(3):
    wish = ball.matrix_world.translation.copy()
    wish.z += 0.1
    bpy.ops.inbetweener.drag(frame=13.0, target=wish)
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_set(13)
    assert (ball.matrix_world.translation - wish).length < 1e-4, ball.matrix_world.translation
    bpy.ops.script.reload()
    ball = bpy.data.objects["ball"]
import inbetweener, numba, daqp
print("FROM", inbetweener.__file__, numba.__file__, daqp.__file__)
"""


def test_the_zip_is_sound_and_drags_once_it_is_installed(tmp_path: Path) -> None:
    made = build.build("linux-x64", tmp_path)
    assert made.stat().st_size < build.LARGEST
    told = subprocess.run([sys.executable, str(TOOL), "validate", str(made)], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr
    (tmp_path / "drag.py").write_text(INSTALL_AND_DRAG)
    home = tmp_path / "user"
    home.mkdir()
    surroundings = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        "BLENDER_USER_RESOURCES": str(home),
        "INBETWEENER_CACHE": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, str(tmp_path / "drag.py"), str(made), str(home)],
        capture_output=True,
        text=True,
        env=surroundings,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    where = next(line for line in done.stdout.splitlines() if line.startswith("FROM")).split()[1:]
    assert all(path.startswith(str(home)) for path in where), where
