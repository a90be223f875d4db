"""Static posing against mink, the QP inverse kinematics on MuJoCo: same skeleton, same limits, same targets.

`python -m benchmarks.posing [--json]`

Both start from the rest pose and go on until the pulled hands are within a tenth of a millimetre and planted feet
within 1e-4 of the height. mink takes full Gauss-Newton steps with daqp, its fastest solver here, and of its dampings
the one that did best in a preliminary search; its model, configuration and tasks are made beforehand, as our
problem and solver are.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.harness import Figure, main
from inbetweener.builtin.characters.human import human_rig
from inbetweener.maths import euler
from inbetweener.posing import Pin, PoseDrag, PoseRequest, Problem, Pull, Solver, State, build, certify, state_of
from inbetweener.rig import Joint, Point, Rig, chains

TARGETS = 60
REACHED_M = 1e-4
ARMS = ("clavicle", "upper_arm", "forearm", "hand")
FEET = ("heel_l", "ball_l", "heel_r", "ball_r")
TASKS = {
    "hand": (("palm_l",), ()),
    "hand, feet planted": (("palm_l",), FEET),
    "both hands, feet planted": (("palm_l", "palm_r"), FEET),
}
MINK_DAMPING = {1: 1e-3, 2: 1e-2}
"""Where mink is fastest, by the number of hands: of 1e-6, 1e-4, 1e-3, 1e-2 and 0.1, with feet that weigh 1 to 100."""


def measure() -> list[Figure]:
    rig = body()
    figures: list[Figure] = []
    for name, (hands, feet) in TASKS.items():
        figures += against_mink(rig, name, hands, feet)
    return [*figures, *dragging(human_rig())]


def body() -> Rig:
    """The human example without fingers, eyes and controls, so that mink has no joints to carry along for nothing."""
    whole = human_rig()
    digits = ("thumb", "index", "middle", "ring", "pinky", "eye")
    kept = [i for i, joint in enumerate(whole.joints) if not joint.name.startswith(digits)]
    joints = [whole.joints[i] for i in kept]
    names = {joint.name for joint in joints}
    return Rig(
        tuple(
            Joint(j.name, kept.index(j.parent) if j.parent >= 0 else -1, j.rest, j.order)
            for j in joints
        ),
        tuple(c for c in whole.channels if c.kind != "control" and c.drives[0].joint in names),
        tuple(p for p in whole.points if p.joint in names),
    )  # fmt: skip


def random_targets(rig: Rig, points: Sequence[str], count: int, seed: int) -> list[tuple[State, ...]]:
    """Where the points are in poses with arms and spine turned at random within their limits."""
    random = np.random.default_rng(seed)
    targets = []
    for _ in range(count):
        pose = rig.defaults.copy()
        for i, channel in enumerate(rig.channels):
            if channel.name.startswith((*ARMS, "spine", "chest")):
                pose[i] = random.uniform(0.6 * channel.lower, 0.6 * channel.upper)
        targets.append(tuple(State(state_of(rig, pose, rig.point(name)).position) for name in points))
    return targets


def against_mink(rig: Rig, name: str, hands: Sequence[str], feet: Sequence[str]) -> list[Figure]:
    request = PoseRequest(tuple(Pull(rig.point(h)) for h in hands), tuple(Pin(rig.point(f)) for f in feet))
    problem = build(rig, rig.defaults, request)
    solver, peer = Solver(problem), Mink.of(rig, hands, feet, damping=MINK_DAMPING[len(hands)])
    targets = random_targets(rig, hands, TARGETS, seed=11)
    seconds = np.empty((2, len(targets)))
    errors, pins, reached, steps = np.empty_like(seconds), np.zeros_like(seconds), np.empty_like(seconds), [[], []]
    for n in (0, 0, *range(len(targets))):  # the first one warms up
        started = time.perf_counter()
        solution = solver.solve_anew(targets[n])
        seconds[0, n] = time.perf_counter() - started
        started = time.perf_counter()
        pose, iterations = peer.solve(targets[n])
        seconds[1, n] = time.perf_counter() - started
        steps[0].append(solution.iterations)
        steps[1].append(iterations)
        for who, channels in enumerate((solution.channels, pose)):
            errors[who, n] = max(
                np.linalg.norm(state_of(rig, channels, rig.point(h)).position - t.position)
                for h, t in zip(hands, targets[n], strict=True)
            )
            if feet:
                pins[who, n] = max(_slide(problem, channels, rig.point(f)) for f in feet)
            reached[who, n] = errors[who, n] <= REACHED_M and pins[who, n] <= 1e-4 * problem.height
    both = (reached[0] > 0) & (reached[1] > 0)
    ratio = float(np.median(seconds[1, both] / seconds[0, both]))
    ours, theirs = np.median(seconds, axis=1) * 1e3
    return [
        Figure(f"{name}: per pose, median", float(ours), "ms"),
        Figure(f"{name}: per pose, p95", float(np.percentile(seconds[0], 95)) * 1e3, "ms"),
        Figure(f"{name}: per pose, mink, median", float(theirs), "ms"),
        Figure(f"{name}: times faster than mink where both arrive", ratio, "×", at_least=3),
        Figure(f"{name}: targets reached", float(reached[0].mean()) * 100, "%", at_least=98),
        Figure(f"{name}: targets reached by mink", float(reached[1].mean()) * 100, "%"),
        Figure(f"{name}: error, median", float(np.median(errors[0])) * 1e3, "mm"),
        Figure(f"{name}: error, mink, median", float(np.median(errors[1])) * 1e3, "mm"),
        Figure(f"{name}: error, largest", float(errors[0].max()) * 1e3, "mm", at_most=1e3 * REACHED_M),
        Figure(f"{name}: error, mink, largest", float(errors[1].max()) * 1e3, "mm"),
        Figure(f"{name}: programs, median", float(np.median(steps[0])), ""),
        Figure(f"{name}: programs, mink, median", float(np.median(steps[1])), ""),
    ]


def dragging(rig: Rig) -> list[Figure]:
    """Sixty small moves of one hand with planted feet on the whole person, fingers and controls included."""
    request = PoseRequest((Pull(rig.point("palm_l")),), tuple(Pin(rig.point(f)) for f in FEET))
    seconds, steps = [], []
    for target in random_targets(rig, ("palm_l",), 10, seed=12):
        drag = PoseDrag(rig, rig.defaults, request)
        start = drag.start[0].position
        for share in np.linspace(0.0, 1.0, 61)[1:]:
            started = time.perf_counter()
            solution = drag.to(State(start + share * (target[0].position - start)))
            seconds.append(time.perf_counter() - started)
            steps.append(solution.iterations)
        slid = max(pin.distance for pin in certify(solution).pins) / drag.problem.height
    return [
        Figure("drag: per move, median", float(np.median(seconds)) * 1e3, "ms", at_most=1.0),
        Figure("drag: per move, p95", float(np.percentile(seconds, 95)) * 1e3, "ms"),
        Figure("drag: per program", float(np.sum(seconds) / np.sum(steps)) * 1e3, "ms", at_most=0.2),
        Figure("drag: feet off after sixty moves, heights", float(slid), "", at_most=1e-4),
    ]


@dataclass
class Mink:
    """Our rig as a MuJoCo model, its points as sites, and mink's tasks for them."""

    rig: Rig
    configuration: Any
    hands: list[Any]
    feet: list[Any]
    limits: list[Any]
    order: list[int]
    tolerance: float
    damping: float

    @classmethod
    def of(
        cls, rig: Rig, hands: Sequence[str], feet: Sequence[str], *, foot_cost: float = 10.0, damping: float
    ) -> "Mink":
        import mink
        import mujoco

        model = mujoco.MjModel.from_xml_string(mjcf(rig))
        configuration = mink.Configuration(model)
        configuration.update(np.zeros(model.nq))
        hand_tasks = [mink.FrameTask(h, "site", 1.0, 0.0) for h in hands]
        foot_tasks = [mink.FrameTask(f, "site", foot_cost, 0.0) for f in feet]
        for task in (*hand_tasks, *foot_tasks):
            task.set_target(configuration.get_transform_frame_to_world(task.frame_name, "site"))
        names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(model.njnt)]
        return cls(
            rig, configuration, hand_tasks, foot_tasks, [mink.ConfigurationLimit(model, gain=1.0)],
            [rig.channel_index(name) for name in names], 1e-4 * chains.height(rig), damping,
        )  # fmt: skip

    def solve(self, targets: Sequence[State]) -> tuple[np.ndarray, int]:
        """Channel values (C,) after as many steps as it takes, a hundred at most, and their number."""
        import mink

        configuration = self.configuration
        configuration.update(np.zeros(len(self.order)))
        for task, target in zip(self.hands, targets, strict=True):
            rotation = task.transform_target_to_world.rotation()
            task.set_target(mink.SE3.from_rotation_and_translation(rotation, target.position))
        tasks = [*self.hands, *self.feet]
        allowed = [REACHED_M] * len(self.hands) + [self.tolerance] * len(self.feet)
        wished = [task.transform_target_to_world.translation() for task in tasks]
        sites = [configuration.data.site(task.frame_name) for task in tasks]
        for n in range(1, 101):  # noqa: B007
            velocity = mink.solve_ik(configuration, tasks, 1.0, "daqp", damping=self.damping, limits=self.limits)
            configuration.integrate_inplace(velocity, 1.0)
            if all(np.linalg.norm(s.xpos - w) <= a for s, w, a in zip(sites, wished, allowed, strict=True)):
                break
        channels = self.rig.defaults.copy()
        channels[self.order] += configuration.q
        return channels, n


def mjcf(rig: Rig) -> str:
    """The rig as MuJoCo's XML: a body a joint, a hinge or slide a channel, outermost turn first, a site a point."""
    children: list[list[int]] = [[] for _ in rig.joints]
    roots = []
    for i, joint in enumerate(rig.joints):
        (children[joint.parent] if joint.parent >= 0 else roots).append(i)
    channels = {channel.name: channel for channel in rig.channels}

    def written(i: int) -> str:
        joint = rig.joints[i]
        place = " ".join(map(repr, joint.rest.translation))
        turn = " ".join(map(repr, joint.rest.rotation))
        inner = ['<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>']
        kinds = [("slide", f"t{a}") for a in "xyz"] + [("hinge", f"r{'xyz'[a]}") for a in euler.axes(joint.order)]
        for kind, dof in kinds:
            channel = channels.get(f"{joint.name}.{dof}")
            if channel is not None:
                axis = " ".join("1" if a == dof[1] else "0" for a in "xyz")
                bounded = np.isfinite(channel.lower)
                limit = (
                    f' limited="true" range="{channel.lower!r} {channel.upper!r}"' if bounded else ' limited="false"'
                )
                inner.append(f'<joint name="{channel.name}" type="{kind}" axis="{axis}"{limit}/>')
        inner += [_site(p) for p in rig.points if p.joint == joint.name]
        inner += [written(child) for child in children[i]]
        return f'<body name="{joint.name}" pos="{place}" quat="{turn}">{"".join(inner)}</body>'

    bodies = "".join(written(root) for root in roots)
    return f'<mujoco><compiler angle="radian" autolimits="false"/><worldbody>{bodies}</worldbody></mujoco>'


def _site(point: Point) -> str:
    return f'<site name="{point.name}" pos="{" ".join(map(repr, point.offset))}"/>'


def _slide(problem: Problem, channels: np.ndarray, point: Point) -> float:
    before, after = (state_of(problem.rig, values, point).position for values in (problem.channels, channels))
    return float(np.linalg.norm(after - before))


if __name__ == "__main__":
    main("posing", measure)
