"""Runs inside Blender: F-curves of dense samples, thinned by Decimate at one error margin after another.

`python -m benchmarks.library.inside_blender FOLDER`. FOLDER/dense.npz holds counts (C,) of keys of C curves, their
keys (2, sum of counts) in frames and values, which curves are places (C,), and frame numbers (T,) to look at. Every
line of standard input is "HANDLES MARGIN PLACE_MARGIN": the answer is FOLDER/thin.npz with the counts of keys left
(C,), what Blender's own evaluation makes of the curves (C, T) and the seconds taken, then a line DONE.
"""

import sys
import time
from pathlib import Path

import bpy
import numpy as np

BEZIER, HANDLES = 2, {"automatic": 1, "vector": 2}
"""Blender's numbers for interpolation and handles."""


class Curves:
    """One object, and a custom property with an F-curve for every channel."""

    def __init__(self, counts: np.ndarray, keys: np.ndarray) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        thing = bpy.data.objects.new("body", None)
        bpy.context.scene.collection.objects.link(thing)
        bpy.context.view_layer.objects.active = thing
        thing.select_set(True)
        action = bpy.data.actions.new("clip")
        thing.animation_data_create().action = action
        for c in range(len(counts)):
            thing[f"c{c}"] = 0.0
        self.curves = [action.fcurve_ensure_for_datablock(thing, f'["c{c}"]') for c in range(len(counts))]
        self.dense = np.split(keys, np.cumsum(counts)[:-1], axis=1)
        self.window = bpy.context.window_manager.windows[0]
        self.area = max(self.window.screen.areas, key=lambda area: area.width * area.height)
        self.area.type = "GRAPH_EDITOR"
        self.region = next(region for region in self.area.regions if region.type == "WINDOW")

    def fill(self, handles: str) -> None:
        for curve, keys in zip(self.curves, self.dense, strict=True):
            points, count = curve.keyframe_points, keys.shape[1]
            points.clear()
            points.add(count)
            points.foreach_set("co", keys.T.astype(np.float32).ravel())
            points.foreach_set("interpolation", np.full(count, BEZIER))
            for side in ("handle_left_type", "handle_right_type"):
                points.foreach_set(side, np.full(count, HANDLES[handles]))
            curve.update()

    def decimate(self, chosen: np.ndarray, margin: float) -> None:
        for curve, is_chosen in zip(self.curves, chosen, strict=True):
            curve.select = bool(is_chosen)
            curve.keyframe_points.foreach_set(
                "select_control_point", np.full(len(curve.keyframe_points), bool(is_chosen))
            )
        with bpy.context.temp_override(
            window=self.window, screen=self.window.screen, area=self.area, region=self.region
        ):
            bpy.ops.graph.decimate(mode="ERROR", remove_error_margin=margin)


def main(folder: Path) -> None:
    """Answer every line until there are none."""
    with np.load(folder / "dense.npz") as dense:
        curves, places, at = Curves(dense["counts"], dense["keys"]), dense["places"], dense["at"].tolist()
    print("DONE", bpy.app.version_string, flush=True)
    for line in sys.stdin:
        handles, *margins = line.split()
        margin, place_margin = map(float, margins)
        curves.fill(handles)
        began = time.process_time()
        for chosen, allowed in ((~places, margin), (places, place_margin)):
            if chosen.any():
                curves.decimate(chosen, allowed)
        seconds = time.process_time() - began
        values = np.array([[curve.evaluate(frame) for frame in at] for curve in curves.curves])
        counts = np.array([len(curve.keyframe_points) for curve in curves.curves])
        np.savez(folder / "thin.npz", counts=counts, values=values, seconds=seconds)
        print("DONE", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
