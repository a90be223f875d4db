"""Make the pictures on captured motion: `python docs/make_captured_pictures.py`, with the folder of real files beside.

They show a walk of the CMU database (mocap.cs.cmu.edu, funded by NSF EIA-0196217), which may be used freely; the clip
itself is not part of the repository.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from benchmarks.library.ours import Take
from benchmarks.library.plain import REAL_FILES, accelerations
from docs.make_pictures import FOLDER, GREY, ORANGE, PURPLE, plt
from inbetweener.arrays import Floats
from inbetweener.curves import evaluate
from inbetweener.document import Document, edits
from inbetweener.rig import Point

WALK = REAL_FILES / "bvh" / "cmu" / "02_01_walk.bvh"
FEET = {"LeftToeBase": PURPLE, "RightToeBase": ORANGE}
SHOWN, BEND = "LeftLeg.rx", 0.005


def main() -> None:
    if not WALK.is_file():
        sys.exit(f"{WALK} is not there: these pictures need the folder of real files beside the checkout")
    take = Take.of(WALK)
    cleaned = edits.remove_slide(take.planted).document
    contacts(take, cleaned)
    fit(take.document)


def contacts(take: Take, cleaned: Document) -> None:
    """What finds contacts, what planting does to a foot from above, and to everything's acceleration."""
    figure, (speed, above, jerk) = plt.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
    document, rate = take.planted, take.dense.rate
    times = take.dense.frame_times
    for foot, colour in FEET.items():
        places = _places(document, times, foot)
        moved = rate * np.linalg.norm(np.gradient(places, axis=0), axis=1)
        speed.plot(times, moved, color=colour, lw=1.4, label=foot.removesuffix("ToeBase").lower() + " ball")
        for each in take.contacts:
            if str(each.point) == foot:
                speed.axvspan(each.start, each.end, color=colour, alpha=0.18, lw=0)
    speed.set(xlabel="s", ylabel="m/s", title="slow, and low: planted", ylim=(0.0, 5.4))
    speed.legend(fontsize=8, ncols=2, loc="upper center")
    foot = next(each for each in take.contacts if str(each.point) == "LeftToeBase" and each.end - each.start > 0.4)
    during = np.linspace(foot.start - 0.05, foot.end + 0.05, 400)
    for name, each, colour in (("as captured", document, GREY), ("cleaned", cleaned, PURPLE)):
        places = _places(each, during, str(foot.point)) - _places(cleaned, np.array([foot.start]), str(foot.point))
        above.plot(1e3 * places[:, 0], 1e3 * places[:, 2], color=colour, lw=1.6, label=name)
    above.plot(0.0, 0.0, "o", color=PURPLE, ms=7)
    above.set(xlabel="mm", ylabel="mm", title="one step, from above", aspect="equal", xlim=(-60, 60), ylim=(-60, 60))
    above.legend(fontsize=8)
    everything = [
        1e3 * accelerations(each.motion().point_positions(times, document.rig.places)) for each in (document, cleaned)
    ]
    jerk.plot(everything[0].ravel(), everything[1].ravel(), ".", color=PURPLE, ms=2, label="joints on frames")
    most = float(max(everything[0].max(), everything[1].max()))
    jerk.plot([0.0, most], [5.0, 5.0 + 1.5 * most], color=GREY, lw=1.2, label="a pop begins here")
    jerk.set(xlabel="mm a frame a frame, as captured", ylabel="cleaned", title="nothing is jerked harder")
    jerk.set(xlim=(0.0, most), ylim=(0.0, 1.2 * most))
    jerk.legend(fontsize=8)
    figure.savefig(FOLDER / "captured-contacts.png", dpi=110)


def fit(document: Document) -> None:
    """A knee's frames and keys, and how far every joint is from where it was, at quarter frames."""
    figure, (curve, error) = plt.subplots(1, 2, figsize=(10, 3.2), layout="constrained")
    dense = document.clip()
    fitted = edits.fit(document, tolerance=BEND).document
    times = np.arange(4 * (len(dense.frame_times) - 1) + 1) / (4 * dense.rate)
    keys = fitted.clip().curves[SHOWN]
    curve.plot(dense.frame_times, np.degrees(evaluate(dense.curves[SHOWN], dense.frame_times)), ".", color=GREY, ms=3,
               label=f"{len(dense.frame_times)} frames")  # fmt: skip
    curve.plot(times, np.degrees(evaluate(keys, times)), color=PURPLE, lw=1.6, label=f"{len(keys)} keys")
    curve.plot(keys.times, np.degrees(keys.values), "o", color=PURPLE, ms=5)
    curve.set(xlabel="s", ylabel="degrees", title="a knee")
    curve.legend(fontsize=8)
    off = [each.motion().joint_positions(times) for each in (document, fitted)]
    away = 1e3 * np.linalg.norm(off[1] - off[0], axis=-1)
    error.plot(times, away.max(axis=1), color=PURPLE, lw=1.2, label="the farthest joint, at quarter frames")
    error.plot(times, away.mean(axis=1), color=ORANGE, lw=1.2, label="all joints on average")
    error.axhline(1e3 * BEND, color=GREY, lw=1.0, ls="--")
    error.set(xlabel="s", ylabel="mm", title="how far from the capture", ylim=(0.0, 1.2e3 * BEND))
    error.legend(fontsize=8)
    figure.savefig(FOLDER / "captured-fit.png", dpi=110)


def _places(document: Document, times: Floats, joint: str) -> Floats:
    return document.motion().point_positions(times, [Point(joint)])[:, 0]


if __name__ == "__main__":
    main()
