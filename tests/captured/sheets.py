"""Sheets to label contacts by eye: what a foot or a hand does, frame by frame; nothing here asks our finder.

`python -m tests.captured.sheets 02_01_walk picture.png --limb LeftFoot --limb RightFoot --frames 0:200`
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

from inbetweener.formats.bvh.read import read
from tests.captured import plain

matplotlib.use("Agg")
from matplotlib import pyplot


def draw(path: Path, joints: list[str], first: int, last: int, picture: Path) -> None:
    """For each limb its pose seen from the side, heights and speeds of its joint and all below, over frame numbers."""
    capture = plain.read(path)
    frames = np.arange(first, min(last, capture.frames - 1) + 1)
    names = [*capture.names, *(f"{capture.names[j]}.end" for j, _ in capture.ends)]
    parents = [*capture.parents, *(j for j, _ in capture.ends)]
    every = plain.in_metres(capture.positions(np.arange(float(capture.frames))), read(path).document)
    speeds = np.linalg.norm(np.gradient(every, capture.frame_time, axis=0), axis=-1)
    lowest = every[1:, :, 1].min()
    figure, axes = pyplot.subplots(3 * len(joints), 1, figsize=(15, 5 * len(joints)), dpi=100, layout="constrained")
    for row, joint in enumerate(joints):
        top = names.index(joint)
        chain, at = [parents[top], top], top
        while at in parents:  # the first child of each: ankle, ball, tip
            at = parents.index(at)
            chain.append(at)
        chain = chain[:5]
        limb, height, speed = axes[3 * row : 3 * row + 3]
        step = max(1, len(frames) // 40)
        metre = step / 0.3  # frames of the axis that a metre takes in the strip of poses
        for frame in frames[::step]:
            ahead = np.array([*(every[min(frame + 3, len(every) - 1), 0] - every[max(frame - 3, 0), 0])])[[0, 2]]
            ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
            pose = every[frame, chain] - every[frame, chain[2]]
            limb.plot(frame + metre * pose[:, [0, 2]] @ ahead, every[frame, chain, 1] - lowest, ".-", lw=1, ms=3)
        limb.set_ylim(-0.02, 0.5)
        for each in chain[1:]:
            height.plot(frames, 100 * (every[frames, each, 1] - lowest), label=names[each], lw=1)
            speed.plot(frames, speeds[frames, each], ".-", ms=2, lw=1)
        shown = 100 * (every[frames[frames > 0]][:, chain[2], 1] - lowest)  # frame 0 is often a T-pose elsewhere
        height.set_ylim(shown.min() - 4, np.quantile(shown, 0.6) + 6)
        height.legend(loc="upper right", fontsize=7)
        speed.set_ylim(0, 1.5)
        for each, what in ((limb, f"{joint}, m"), (height, "height, cm"), (speed, "speed, m/s")):
            each.set(xlim=(frames[0], frames[-1]), ylabel=what)
            ticks = 10 if len(frames) > 60 else 2
            each.set_xticks(np.arange(frames[0] + -frames[0] % ticks, frames[-1] + 1, ticks))
            each.set_xticks(np.arange(frames[0], frames[-1] + 1, ticks // 2 if ticks == 10 else 1), minor=True)
            each.grid(which="both", alpha=0.4)
            each.tick_params(labelsize=7, rotation=60)
    figure.savefig(picture)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("clip")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--limb", action="append", required=True)
    parser.add_argument("--frames", default="0:100000")
    wanted = parser.parse_args()
    begin, end = map(int, wanted.frames.split(":"))
    draw(next(p for p in plain.CLIPS if p.stem == wanted.clip), wanted.limb, begin, end, wanted.picture)
