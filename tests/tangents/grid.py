"""The cells of [TSO] Table 3 as characters, and targets in them that are known to be reachable.

A cell of n degrees of freedom has exactly n free tangent components: n / 4 channels, all of which move the dragged
hand or something that is held. Rows are the frames between two keys. Configurations, as the paper's lost pictures are
read: A nothing held, B a pin low in the hierarchy (another hand), C a pin high up (the chest), D a contact (a foot),
E a pin and a contact, F two contacts.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Channel, Joint, Point, Rig, joint_channels
from inbetweener.tangents import Constraint, Contact, DragRequest, Pin, Problem, Solution, build
from inbetweener.tangents.problem import changed_motion
from inbetweener.tangents.workspace import Workspace

CONFIGURATIONS = "ABCDEF"
FREEDOMS = (24, 72, 120, 168)
FRAMES = (2, 7, 20)
LIMBS = {"A": (), "B": ("hand2",), "C": (), "D": ("foot",), "E": ("hand2", "foot"), "F": ("foot", "foot2")}
HANGS = {
    "hand": ((0.2, 0.15, 0.0), (0.7, -0.05, 0.05)),
    "hand2": ((-0.2, 0.15, 0.0), (-0.7, -0.05, 0.05)),
    "foot": ((0.1, -0.05, 0.0), (0.0, -0.85, 0.03)),
    "foot2": ((-0.1, -0.05, 0.0), (0.0, -0.85, 0.03)),
}
OFFSET = (0.02, 0.03, 0.01)


@dataclass(frozen=True)
class Cell:
    configuration: str
    dof: int
    frames: int


@dataclass(frozen=True, eq=False)
class Case:
    """A drag, where its point is, and a place that tangents alone can bring it to."""

    motion: Motion
    request: DragRequest
    start: np.ndarray
    target: np.ndarray


def cells() -> Iterator[Cell]:
    for configuration in CONFIGURATIONS:
        for dof in FREEDOMS:
            for frames in FRAMES:
                yield Cell(configuration, dof, frames)


def character(cell: Cell) -> Rig:
    """A trunk, the dragged arm and the limbs that are held, with dof / 12 joints' worth of channels between them."""
    units = cell.dof // 12
    limbs = ("hand", *LIMBS[cell.configuration])
    trunk = 1 if units < 10 else 3
    travels = units >= 6
    counts = dict.fromkeys(limbs, 0)
    for n in range(units - trunk - travels):
        counts[limbs[n % len(limbs)]] += 1
    joints = [Joint("root", -1, Transform((0.0, 0.95, 0.0)))]
    channels: list[Channel] = [*joint_channels(joints[0], "tx ty tz rx ry rz" if travels else "rx ry rz")]
    for name in ("spine", "chest"):
        joints.append(Joint(name, len(joints) - 1, Transform((0.0, 0.2, 0.02))))
        if trunk == 3:
            channels += joint_channels(joints[-1])
    joints.append(Joint("head", 2, Transform((0.0, 0.4, 0.0))))
    for limb in limbs:
        hang, reach = HANGS[limb]
        above = 0 if limb.startswith("foot") else 2
        links = max(1, counts[limb])
        for n in range(links):
            last = n == links - 1
            place = hang if n == 0 else tuple(np.array(reach) / links)
            joints.append(Joint(limb if last else f"{limb}_{n}", above, Transform(place)))  # type: ignore[arg-type]
            above = len(joints) - 1
            if counts[limb]:
                channels += joint_channels(joints[-1])
    return Rig(tuple(joints), tuple(channels))


def motion_of(cell: Cell, seed: int, segments: int = 1) -> Motion:
    """Key poses with arbitrary tied tangents, `segments` + 1 of them; feet in contact stand still."""
    rng = np.random.default_rng(seed)
    rig = character(cell)
    length = cell.frames / 24.0
    still = (
        {"root", *(j.name for j in rig.joints if j.name.startswith("foot"))}
        if "foot" in LIMBS[cell.configuration]
        else set()
    )
    curves = {}
    for channel in rig.channels:
        size = 0.05 if channel.kind == "translation" else 0.35
        values = channel.default + size * rng.normal(size=segments + 1)
        heights = 0.1 * rng.normal(size=segments + 1)
        if channel.drives[0].joint in still:
            values[:], heights[:] = values[0], 0.0
        tangents = [Tangent(length / 3.0, y) for y in heights]
        curves[channel.name] = Curve.from_keys(
            Key(k * length, v, tangent, tangent) for k, (v, tangent) in enumerate(zip(values, tangents, strict=True))
        )
    return Motion(rig, Clip("cell", end=segments * length, curves=Curves(curves)))


def request_of(cell: Cell, motion: Motion, rng: np.random.Generator) -> DragRequest:
    held: list[Constraint] = [Pin(Point("chest", OFFSET))] if cell.configuration == "C" else []
    for limb in LIMBS[cell.configuration]:
        point = Point(limb, OFFSET)
        held.append(Contact(point, 0.0, motion.clip.end) if limb.startswith("foot") else Pin(point))
    keys = next(iter(motion.clip.curves.values())).times
    middle = (len(keys) - 2) // 2
    time = keys[middle] + rng.uniform(0.2, 0.8) * (keys[middle + 1] - keys[middle])
    return DragRequest(Point("hand", (0.05, 0.02, 0.0)), float(time), constraints=tuple(held))


def case(cell: Cell, seed: int, segments: int = 1) -> Case | None:
    """A target 2 to 20 cm away; None where chance finds none that is reachable."""
    motion = motion_of(cell, seed, segments)
    rng = np.random.default_rng([seed, cell.dof, cell.frames, CONFIGURATIONS.index(cell.configuration), segments])
    request = request_of(cell, motion, rng)
    problem = build(motion, request)
    work = Workspace(problem)
    start = work.positions[work.dragged].copy()
    target = _elsewhere(problem, work, rng, size=float(rng.choice([0.02, 0.05, 0.1, 0.2])))
    return None if target is None or np.linalg.norm(target - start) > 0.3 else Case(motion, request, start, target)


def _elsewhere(problem: Problem, work: Workspace, rng: np.random.Generator, size: float) -> np.ndarray | None:
    """Walk along what the constraints leave free, then Newton steps back onto them: where the point is then."""
    variables, rows = problem.variables, work.dragged_rows
    held = work.derivatives[rows:].copy()
    free = np.eye(len(variables))
    if len(held):
        _, strength, ways = np.linalg.svd(held)
        free = ways[int((strength > 1e-5 * max(strength[0], 1e-12)).sum()) :].T
    if free.shape[1] == 0:
        return None
    heading = rng.normal(size=3)
    along = np.linalg.pinv(work.derivatives[:rows] @ free, rcond=1e-2) @ (heading / np.linalg.norm(heading))
    # Chance is drawn before it is projected: which basis spans what is free is the linear algebra library's affair.
    way = free @ (along + 0.03 * free.T @ rng.normal(size=len(variables)))
    moved = float(np.linalg.norm(work.derivatives[:rows] @ way)) * problem.height
    if moved < 1e-9:
        return None
    room = np.where(way > 0, variables.upper, variables.lower) / np.where(way == 0, np.inf, way)
    heights = np.abs((way * variables.scale).reshape(-1, 4)[:, 1::2]).max()
    z = way * min(size / moved, 0.9 * float(room[way != 0].min()), 1.5 / heights)
    for _ in range(12):
        work.evaluate(z)
        if work.constraint_error < 1e-8:
            break
        back = np.linalg.lstsq(work.derivatives[rows:], work.errors[rows:], rcond=1e-8)[0]
        z = np.clip(z + back, variables.lower, variables.upper)
    return None if work.constraint_error > 1e-5 else work.positions[work.dragged].copy()


@dataclass(frozen=True)
class Verdict:
    """Errors as shares of the character's height, measured on the evaluated motion."""

    target: float
    at_frames: float
    between_frames: float

    @property
    def good(self) -> bool:
        return self.target <= 1e-3 and self.at_frames <= 1e-4 and self.between_frames <= 5e-4


def judge(case: Case, solution: Solution) -> Verdict:
    after = changed_motion(case.motion, None, solution.curves)
    height, clip = solution.problem.height, case.motion.clip
    fine = np.arange(0.0, clip.end + 1e-9, 1.0 / (8.0 * clip.rate))
    reached = after.states([case.request.time], case.request.point)[0][0]

    def leak(times: np.ndarray) -> float:
        worst = 0.0
        for held in case.request.constraints:
            assert isinstance(held, Pin | Contact)
            wished = np.zeros_like(times) if isinstance(held, Contact) else times
            gap = after.states(times, held.point)[0] - case.motion.states(wished, held.point)[0]
            worst = max(worst, float(np.linalg.norm(gap, axis=1).max()))
        return worst / height

    return Verdict(float(np.linalg.norm(reached - case.target)) / height, leak(clip.frame_times), leak(fine))
