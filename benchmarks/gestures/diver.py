"""Diver: the hips fall as gravity wants, and the feet stay on the board until they leave it.

The feet are off the board on the key of take-off, frame 24: they are planted up to frame 23. Their key poses on frames
8 and 17 are half a millimetre out and are snapped first. The legs' tangents are broken on the planted keys: what the
hips do there is smooth, and a foot that stands still makes the legs smooth with it. At last both arms swing up to the
jump in less time, by timing alone.
"""

import numpy as np

from benchmarks.gestures.dino_punch import speed
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.document.edits import drag, move_key, scale_timing, tie_tangents
from inbetweener.posing import State, snap
from inbetweener.tangents import Certificate, Contact, Lock, Pin, Settings, disagreement

CLIP, RATE = "dive", 24
TAKE_OFF, ENTRY = 24, 51
PLANTED = ((0, 8), (8, 17), (17, 23))
"""Frames between which the feet stand, stretch by stretch."""

FLIGHT_KEYS = np.array([24, 34, 44, 51]) / RATE
FLIGHT_DRAGS = (27.5, 30.5, 37.5, 40.5, 46.5, 48.5)
"""Frames on which the hips are dragged: twice between any two keys, where a cubic is told."""

SWING, FASTER = 20.5, 0.3
"""The frame on which the arms swing up to the jump, and how much faster they do."""

LEG = ("thigh", "shank", "foot", "toe")
PATIENT = Settings(tolerance=3e-4)
"""Half a millimetre for two feet, position and orientation, over a whole stretch."""


def worked() -> Worked:
    """HoldResult feet, then a fall."""
    before = example("diver")
    stood, certificates = after(before)
    dived = timed(stood)
    falls = [fall_accelerations(each) for each in (before, dived)]
    figures = [
        Figure("drags", len(certificates), ""),
        Figure("key poses put the feet apart by", 1e3 * key_disagreement(before), "mm"),
        Figure("slide of the feet before", 1e3 * slide(before), "mm"),
        Figure("slide of the feet after", 1e3 * slide(dived), "mm", at_most=1),
        *(
            Figure(f"{which} vertical acceleration {when}", value, "m/s²")
            for when, fall in zip(("before", "after"), falls, strict=True)
            for which, value in (("lowest", float(fall.min())), ("highest", float(fall.max())))
        ),
        Figure("root mean square off gravity before", off_gravity(falls[0]), "m/s²"),
        Figure("root mean square off gravity after", off_gravity(falls[1]), "m/s²", at_most=1),
        Figure("hips off the best parabola before", 1e3 * off_parabola(before), "mm"),
        Figure("hips off the best parabola after", 1e3 * off_parabola(dived), "mm", at_most=30),
        Figure("hand on its way up before", speed(stood, "hand_r", SWING), "m/s"),
        Figure("hand on its way up after", speed(dived, "hand_r", SWING), "m/s", at_least=10),
    ]
    return Worked({"before": before, "after": dived}, figures, ("hips", "hand_r"))


def timed(document: Document) -> Document:
    """Both arms swing up snappier before the feet leave the board, which stand meanwhile."""
    feet = [Contact(document.rig.point(f"ball_{side}"), 0.0, PLANTED[-1][1] / RATE, "both") for side in "lr"]
    for side in "lr":
        document = scale_timing(document, f"hand_{side}", FASTER, frame=SWING, contacts=feet).document
    return document


def after(document: Document) -> tuple[Document, list[Certificate]]:
    """The dive with planted feet and an even fall, and what each drag is worth."""
    certificates: list[Certificate] = []
    document = fall(snapped(document), certificates)
    for start, end in PLANTED:
        document = plant(document, start, end, certificates)
    return document, certificates


def snapped(document: Document) -> Document:
    """The planted keys with both feet where the first pose has them, and the legs' tangents broken there."""
    motion, rig = document.motion(), document.rig
    for key, frame in ((1, 8), (2, 17)):
        was = motion.channels([frame / RATE])[0]
        pose = was
        for side in "lr":
            joints = [f"{bone}_{side}" for bone in LEG]
            pose = snap(rig, pose, rig.point(f"ball_{side}"), home(document, side), joints=joints).channels
        for channel in np.flatnonzero(pose != was):
            document = move_key(document, CLIP, rig.channels[channel].name, key, value=float(pose[channel]))
    for channel in sorted(leg_channels(document)):
        document = tie_tangents(document, CLIP, channel, [1, 2, 3], tied=False)
    return document


def fall(document: Document, certificates: list[Certificate]) -> Document:
    """The hips dragged onto the one cubic through their four keys of the flight: gravity, as far as the keys agree."""
    hips = document.rig.point("hips")
    keys = document.motion().states(FLIGHT_KEYS, hips)[0]
    paths = [np.polyfit(FLIGHT_KEYS, keys[:, axis], 3) for axis in range(3)]
    for n, frame in enumerate(FLIGHT_DRAGS):
        kept = [other / RATE for other in FLIGHT_DRAGS[:n]]
        target = [np.polyval(path, frame / RATE) for path in paths]
        dragged = drag(document, hips, time=frame / RATE, to=target, locks=kept)
        document = dragged.document
        certificates.append(dragged.certificate)
    return document


def plant(document: Document, start: int, end: int, certificates: list[Certificate]) -> Document:
    """Both feet at home from frame `start` to `end`: first three looks by the legs alone, then all of it together."""
    rig, looks = document.rig, [start + share * (end - start) for share in (1 / 3, 2 / 3, 11 / 12)]
    for n, frame in enumerate(looks):
        kept = [Lock(other / RATE, "both") for other in looks[:n]]
        for side in "lr":
            state = home(document, side)
            dragged = drag(
                document,
                f"ball_{side}",
                time=frame / RATE,
                to=state.position,
                turn_to=state.turn,
                locks=kept,
                channels=leg_channels(document),
            )
            document = dragged.document
            certificates.append(dragged.certificate)
    middle, rest = (start + end) / (2 * RATE), TAKE_OFF if end == PLANTED[-1][1] else end
    feet = tuple(Contact(rig.point(f"ball_{side}"), start / RATE, end / RATE, "both") for side in "lr")
    # The hips help between these keys; before and after, where they are settled, they stay.
    hips = tuple(
        Pin(rig.point("hips"), wanted, first / RATE, last / RATE)
        for first, last in ((0, start), (rest, ENTRY))
        for wanted in ("position", "orientation")
    )
    state = home(document, "l")
    dragged = drag(
        document,
        "ball_l",
        time=middle,
        to=state.position,
        turn_to=state.turn,
        pins=hips,
        contacts=feet,
        settings=PATIENT,
    )
    certificates.append(dragged.certificate)
    return dragged.document


def home(document: Document, side: str) -> State:
    """Where a foot stands in the first pose."""
    position, turn = document.motion().states([0.0], document.rig.point(f"ball_{side}"))
    return State(position[0], turn[0])


def leg_channels(document: Document) -> frozenset[str]:
    """The keyed channels of both legs."""
    joints = {f"{bone}_{side}" for bone in LEG for side in "lr"}
    return frozenset(name for name in document.clip().curves if name.split(".")[0] in joints)


def slide(document: Document) -> float:
    """How far, in metres, either foot is from its place on the board before take-off, eight times a frame."""
    times = np.arange(8 * PLANTED[-1][1] + 1) / (8 * RATE)
    paths = [document.motion().states(times, document.rig.point(f"ball_{side}"))[0] for side in "lr"]
    return max(float(np.linalg.norm(path - path[0], axis=1).max()) for path in paths)


def key_disagreement(document: Document) -> float:
    """How far apart, in metres, the key poses put a foot before take-off."""
    contacts = [Contact(document.rig.point(f"ball_{side}"), 0.0, 17 / RATE) for side in "lr"]
    return max(disagreement(document.motion(), contact).distance for contact in contacts)


def fall_accelerations(document: Document) -> Floats:
    """Vertical acceleration (T,) of the hips in m/s² from take-off to entry."""
    motion, step = document.motion(), 1 / 960
    times = np.arange(TAKE_OFF / RATE + step, ENTRY / RATE - step, 1 / 192)
    below, now, above = (
        motion.states(times + shift, document.rig.point("hips"))[0][:, 1] for shift in (-step, 0.0, step)
    )
    return (below - 2 * now + above) / step**2


def off_gravity(accelerations: Floats) -> float:
    """Root mean square of what vertical accelerations are off the earth's, in m/s²."""
    return float(np.sqrt(np.mean((accelerations + 9.81) ** 2)))


def off_parabola(document: Document) -> float:
    """The largest distance in metres of the hips' height from the best parabola through the flight."""
    times = np.linspace(TAKE_OFF, ENTRY, 217) / RATE
    heights = document.motion().states(times, document.rig.point("hips"))[0][:, 1]
    return float(np.abs(heights - np.polyval(np.polyfit(times, heights, 2), times)).max())
