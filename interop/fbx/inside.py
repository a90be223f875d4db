"""What ufbx makes of a file: `python inside.py job.json`, in a process of its own, as its binding may crash.

A job names the source, where to write what was seen, and by clip the times to look at. Knows nothing of ours.
"""

import gc
import json
import os
import sys

import numpy as np
import ufbx


def main(job: dict) -> None:
    """Joints and vertices in metres, Y up, as ufbx itself turns and scales them."""
    options = {"target_axes": ufbx.axes_right_handed_y_up, "target_unit_meters": 1.0}
    scene = ufbx.load_file(job["source"], **options)
    names = [node.name for node in _kept(scene.nodes) if not node.is_root]
    seen = {"names": np.array(names), "clips": np.array(list(job["clips"]))}
    stacks = {stack.name: stack for stack in scene.anim_stacks}
    for n, (clip, times) in enumerate(job["clips"].items()):
        anim = stacks[clip].anim if clip in stacks else scene.anim
        joints, vertices = [], []
        for time in times:
            posed = ufbx.evaluate_scene(scene, anim, time, evaluate_skinning=True)
            HELD.append(posed)
            nodes = _kept(posed.nodes)
            joints.append([_vector(node.node_to_world.c3) for node in nodes if not node.is_root])
            vertices.append(_vertices(nodes))
        seen[f"times {n}"] = np.array(times)
        seen[f"joints {n}"] = np.array(joints).reshape(len(times), -1, 3)
        seen[f"vertices {n}"] = np.array(vertices).reshape(len(times), -1, 3)
    np.savez(job["seen"], **seen)


def _vector(v) -> tuple:
    return v.x, v.y, v.z


HELD = []


def _kept(things) -> list:
    """Things that stay until the end: the binding hands out again what has been let go, and crashes."""
    made = list(things)
    HELD.append(made)
    return made


def _vertices(nodes: list) -> list:
    made = []
    for node in nodes:
        mesh = node.mesh
        HELD.append(mesh)
        if mesh is None or not len(mesh.faces):
            continue
        placed = mesh.skinned_position
        used = sorted(set(placed.indices))
        values = placed.values
        points = np.array([_vector(values[i]) for i in used])
        if mesh.skinned_is_local:
            m = node.geometry_to_world
            points = points @ np.array([_vector(m.c0), _vector(m.c1), _vector(m.c2)]) + np.array(_vector(m.c3))
        made += points.tolist()
    return made


if __name__ == "__main__":
    # The binding crashes when it is tidied up: nothing is, and the process ends at once.
    gc.disable()
    with open(sys.argv[1]) as file:
        main(json.load(file))
    os._exit(0)
