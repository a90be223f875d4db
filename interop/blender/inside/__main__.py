"""`python -m interop.blender.inside JOB.json`: one job in a fresh Blender.

A job is an object with
  source  the glTF or FBX file to import, with `importing` options for Blender
  make    instead of these, the name of a scene to make from scratch
  rate    whole frames a second
  clips   times in seconds by clip name; without it, every frame of every action
  seen    the .npz that is to hold where everything was
  export  the .glb to write afterwards, if any
"""

import json
import sys
from pathlib import Path

import bpy

from interop.blender.inside import made, sight


def main(path: str) -> None:
    """Do the job described in a file."""
    job = json.loads(Path(path).read_text())
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = job["rate"], 1.0
    if "make" in job:
        made.SCENES[job["make"]](scene)
    else:
        _import(job["source"], job["importing"])
    sight.record(scene, job.get("clips"), job["seen"])
    if "export" in job:
        # More than four influences a vertex are dropped unless one asks.
        bpy.ops.export_scene.gltf(filepath=job["export"], export_format="GLB", export_all_influences=True)


def _import(source: str, options: dict) -> None:
    if source.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=source, **options)
    else:
        bpy.ops.import_scene.gltf(filepath=source, disable_bone_shape=True, **options)


if __name__ == "__main__":
    main(sys.argv[1])
