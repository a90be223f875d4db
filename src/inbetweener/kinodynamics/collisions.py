"""Loose parts that bump into the ground and into props: windows simulated by MuJoCo, which knows about contacts.

The same springs and the same steps as without (`dynamics.forward.kernels`): being implicit, springs add to the inertia
of what is loose. What is prescribed weighs so much that nothing can push it, and is put on the reference at every step.
Joints that rotate are three hinges whose axes are set anew for every step, to what turns and springs are along there.
A window remembers only the bumps that happen in it ([IKD] §6.3).
"""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.dynamics.body import Body
from inbetweener.dynamics.forward import Simulation, damped
from inbetweener.dynamics.forward.kernels import hold, lead, show
from inbetweener.dynamics.forward.rotating_kernels import JUMP, Reference, Springs
from inbetweener.dynamics.movement import Movement
from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics.spring import InvalidLooseness
from inbetweener.maths import euler, quaternions
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.rig.joint import DOFS, ROOT
from inbetweener.rig.masses import WATER

Standing = tuple[Solid, Transform]
"""A solid and where it stands in the world."""

NEEDED = "bumping into things needs MuJoCo; install it with: pip install 'inbetweener[contacts]'"

BEFORE, SHARE = np.array([18.0, -9.0, 2.0]) / 11, 6 / 11
"""What was before counts for what is, and how many steps of what it gains."""

HEAVY = 1e6
"""How many times heavier than all that is loose the rest counts."""

DEEP = 0.01
"""Metres: what is farther inside of something is flung out of it at once."""

TILTED = np.array([[0.8, 0.6, 0.0], [0.0, 0.8, 0.6], [0.6, 0.0, 0.8]])


class MissingExtra(InbetweenerError, ImportError):
    """Something that is installed on request only; says how."""


class Collider:
    """A body in MuJoCo, with capsules along its loose bones, over a ground at height zero and among solids."""

    def __init__(
        self, simulation: Simulation, springs: Floats, step: float, drag: float, solids: Sequence[Standing]
    ) -> None:
        engine = _engine()
        body = simulation.body
        starts = body.rig.carrying_map.starts
        _require_plain(body)
        moving = (starts[1:] > starts[:-1]) & (np.arange(len(starts) - 1) % 9 < 6)
        self.simulation, self.springs, self.step = simulation, damped(springs, step, drag), step
        self.by = Springs(simulation.dofs, frozen(self.springs), step)
        self.model = engine.MjModel.from_xml_string(_written(simulation, moving, step, solids))
        self.data = engine.MjData(self.model)
        names = [self.model.joint(i).name.split() for i in range(self.model.njnt)]
        self.dofs = np.array([9 * int(joint) + DOFS.index(dof) for joint, dof in names])
        self.rest = body.rig.rest_dofs[self.dofs]
        self._know_turns()
        plan = simulation.branches.plan
        self.air = np.zeros(self.model.nbody)
        for joint, ball, share in zip(plan.joints, plan.balls, plan.air, strict=True):
            self.air[self.model.body(f"turned {joint}" if ball >= 0 else str(joint)).id] = share
        self._place, self._speed = engine.mj_fwdPosition, engine.mj_comVel
        where = {int(dof): i for i, dof in enumerate(self.dofs)}
        self.loose = np.array([where[int(dof)] for dof in simulation.dofs])
        self.heavy = np.full(len(self.dofs), HEAVY * body.total)
        self.heavy[self.loose] = 0.0
        self.model.dof_armature[:] = self.heavy
        self.model.dof_armature[self.loose] = _added(self.springs, SHARE * step, SHARE * step)
        # Armatures change what the engine works out once about the model.
        engine.mj_setConst(self.model, self.data)
        self._accelerate = engine.mj_forward
        self._reset = engine.mj_resetData

    def _know_turns(self) -> None:
        """Joints that rotate: three hinges each, in a body that stands as it is turned so that they need not move."""
        plan, model = self.simulation.branches.plan, self.model
        joints = plan.joints[plan.rotating]
        self.bodies = np.array([model.body(f"turned {j}").id for j in joints], np.int64)
        hinges = [[int(np.flatnonzero(self.dofs == 9 * j + 3 + axis)[0]) for axis in range(3)] for j in joints]
        self.hinges = np.reshape(hinges, (-1, 3)).astype(np.int64)
        self.rest = self.rest.copy()
        # What is off is known by itself there.
        self.rest[self.hinges] = 0.0
        self.turns, self.axes = np.empty((len(joints), 4)), np.empty((len(joints), 3, 3))

    def run(self, reference: Movement, rows: Ints, counts: Ints, ends: Ints) -> Floats:
        """Loose places (W, L) at the end of windows; see Simulation.run."""
        off, along = np.empty((len(rows), len(self.loose))), self.simulation.carry(reference)
        q, qd, qdd = self._prescribed(reference)
        for w, row in enumerate(rows):
            for states in self._window(along, q, qd, qdd, row[len(row) - 1 - counts[w] :], ends[w]):
                off[w] = states[0, 0]
        return self.simulation.placed(along, rows[:, -1], off, self.springs[:, :4])

    def trace(self, reference: Movement, row: Ints, ends: Ints) -> tuple[Floats, Floats, Floats]:
        """The same as `Simulation.trace`: one simulation over moments row (n + 1,), bumps and all."""
        along, (q, qd, qdd) = self.simulation.carry(reference), self._prescribed(reference)
        states = np.array([each[:, 0].copy() for each in self._window(along, q, qd, qdd, row, ends)])
        off, rates = np.ascontiguousarray(states[:, 0]), np.ascontiguousarray(states[:, 1])
        return self.simulation.placed(along, row, off, self.springs[:, :4]), off, rates

    def inside(self, reference: Movement) -> Bools:
        """(N,) at which moments what is loose would be inside of something, if it moved as prescribed."""
        along, keyed = self.simulation.carry(reference), self._prescribed(reference)
        off = np.zeros((2, 3, len(self.loose)))
        self._reset(self.model, self.data)
        found = np.zeros(len(reference), np.bool_)
        for at in range(len(reference)):
            self._gained(along, at, keyed, off[0, 0], off[1, 0], off, (self.step, self.step / 2))
            found[at] = self.data.ncon > 0 and float(self.data.contact.dist.min()) < -DEEP
        return found

    def _prescribed(self, reference: Movement) -> tuple[Floats, Floats, Floats]:
        """Places, speeds and accelerations (N, n) of all that the engine knows."""
        q, qd, qdd = (a[:, self.dofs] for a in (reference.dofs, reference.velocities, reference.accelerations))
        q = q - self.rest
        q[:, self.hinges] = 0.0
        return q, qd, qdd

    def _window(
        self, along: Reference, q: Floats, qd: Floats, qdd: Floats, moments: Ints, ends: Ints
    ) -> Iterator[Floats]:
        """What is off (2, 3, L) at every moment: by how much, and how fast, now and at the two before; at the last of
        them, for which `ends` says so, as if the window ended there.
        """
        loose, h = self.loose, self.step
        limits = self.springs[:, 2:4] - self.rest[loose][:, None]
        self._reset(self.model, self.data)
        off, ago = np.zeros((2, 3, len(loose))), -h * np.arange(3.0)[:, None]
        yield off
        if len(moments) > 1:
            faster = self._gained(along, moments[1], (q, qd, qdd), off[0, 0], off[1, 0], off, (h, h / 2))
            off[0], off[1] = ago**2 / 2 * faster, ago * faster
        shown = np.r_[moments[: len(moments) - len(ends)], ends]
        for n in range(1, len(moments)):
            kept = off.copy()
            self._step_on(along, (q, qd, qdd), moments[n - 1], shown[n], off, limits)
            yield off
            if shown[n] != moments[n] and n < len(moments) - 1:
                off[:] = kept
                self._step_on(along, (q, qd, qdd), moments[n - 1], moments[n], off, limits)

    def _step_on(
        self, along: Reference, keyed: tuple[Floats, Floats, Floats], last: int, after: int, off: Floats, limits: Floats
    ) -> None:
        """One step of what is off (2, 3, L), from a moment to another."""
        (q, qd, _), loose, h = keyed, self.loose, self.step
        plan, ago = self.simulation.branches.plan, -h * np.arange(3.0)[:, None]
        tight, rows = ~plan.turning, off.reshape(6, len(loose))
        jump = (q[after] - q[last] - h / 2 * (qd[last] + qd[after]))[loose]
        off[0] -= np.where(tight & (np.abs(jump) > JUMP), jump, 0.0)
        lead(plan, along, last, after, h, rows)
        far, fast = BEFORE @ off[0], BEFORE @ off[1]
        share = SHARE * h
        fast = fast + share * self._gained(along, after, keyed, far, fast, off, (share, share))
        off[:, 1:] = off[:, :2].copy()
        off[0, 0], off[1, 0] = far + share * fast, fast
        wanted, far = q[after, loose], off[0, 0]
        held = np.clip(far, np.minimum(limits[:, 0] - wanted, 0.0), np.maximum(limits[:, 1] - wanted, 0.0))
        stopped = tight & (held != far)
        fast = np.where(held == 0.0, 0.0, -qd[after, loose])[stopped]
        off[0][:, stopped], off[1][:, stopped] = held[stopped] + ago * fast, fast
        hold(self.simulation.tree, plan, self.by, along, after, rows)

    def _brake(self) -> None:
        """What air takes of the speed of every part."""
        data, model = self.data, self.model
        self._place(model, data)
        self._speed(model, data)
        spin, seen_from = data.cvel[:, :3], data.subtree_com[model.body_rootid]
        drift = data.cvel[:, 3:] + np.cross(spin, data.xipos - seen_from)
        axes = data.ximat.reshape(-1, 3, 3)
        turning = np.einsum("bij,bj,bkj,bk->bi", axes, model.body_inertia, axes, spin)
        data.xfrc_applied[:, :3] = -(self.air * model.body_mass)[:, None] * drift
        data.xfrc_applied[:, 3:] = -self.air[:, None] * turning

    def _gained(
        self,
        along: Reference,
        at: int,
        keyed: tuple[Floats, Floats, Floats],
        far: Floats,
        fast: Floats,
        off: Floats,
        shares: tuple[float, float],
    ) -> Floats:
        """(L,): how much faster than the reference things get off; shares of that, and of its speed, count at once."""
        data, model, loose, (share, way) = self.data, self.model, self.loose, shares
        q, qd, qdd = (each[at] for each in keyed)
        ahead = off[:, 2] + 3 * (off[:, 0] - off[:, 1])
        plan, moving = self.simulation.branches.plan, np.stack([qd[loose], qdd[loose]])
        show(plan, along, at, ahead, self.turns, self.axes, moving)
        model.body_quat[self.bodies], model.jnt_axis[self.hinges] = self.turns, self.axes
        data.qpos[:], data.qvel[:] = q, qd
        data.qpos[loose] += np.where(plan.turning, 0.0, ahead[0])
        data.qvel[loose] = moving[0] + ahead[1]
        data.qfrc_applied[:] = self.heavy * qdd
        stiffness, damping, dragging = self.springs[:, 0], self.springs[:, 1], self.springs[:, 4]
        fast = fast - share * moving[1]
        data.qfrc_applied[loose] = -stiffness * (far + way * fast) - damping * fast - dragging * moving[0]
        model.dof_armature[loose] = _added(self.springs, share, way)
        if self.air.any():
            self._brake()
        self._accelerate(model, data)
        return np.asarray(data.qacc[loose] - moving[1], np.float64)


def _added(springs: Floats, share: float, way: float) -> Floats:
    """What implicit springs add to inertias."""
    return np.asarray(share * (springs[:, 1] + way * springs[:, 0]), np.float64)


def why_not() -> str:
    """Why loose parts cannot bump into things here; empty when they can."""
    return "" if find_spec("mujoco") is not None else NEEDED


def _engine() -> ModuleType:
    try:
        import mujoco
    except ImportError:
        raise MissingExtra(NEEDED) from None
    return mujoco


def _require_plain(body: Body) -> None:
    """Raise InvalidLooseness where a joint is scaled: capsules and lengths would not fit."""
    linear = body.rig.linear_map
    for index, joint in enumerate(body.rig.joints):
        driven = linear.starts[9 * index + 9] > linear.starts[9 * index + 6]
        if driven or not np.allclose(joint.rest.scale, 1.0):
            raise InvalidLooseness(
                f"joint {joint.name!r} is scaled; loose parts of scaled bodies cannot bump into things yet"
            )


def _written(simulation: Simulation, moving: Bools, step: float, solids: Sequence[Standing]) -> str:
    body, rig = simulation.body, simulation.body.rig
    children: list[list[int]] = [[] for _ in rig.joints]
    rotating = set(simulation.branches.plan.joints[simulation.branches.plan.rotating].tolist())
    for index, joint in enumerate(rig.joints):
        if joint.parent != ROOT:
            children[joint.parent].append(index)

    def part(index: int) -> str:
        joint, model = rig.joints[index], body.masses
        turn = quaternions.normalised(np.array(joint.rest.rotation))
        rest = quaternions.to_matrix(turn)
        i = model.inertias[index]
        full = _text([i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]])
        inner = ""
        if model.masses[index] > 0:
            place = _text(model.centres[index])
            inner += f'<inertial pos="{place}" mass="{float(model.masses[index])!r}" fullinertia="{full}"/>'
        # Translations come before the rest rotation, so they slide along the parent's axes.
        axes = [(d, "slide", rest[d]) for d in range(3)]
        turned = index in rotating
        # Whatever it is turned to, hinges are set anew for every step; none of them are to be taken for simple ones.
        turns = TILTED if turned else np.eye(3)
        axes += [(3 + a, "hinge", turns[a]) for a in ((0, 1, 2) if turned else euler.axes(joint.order))]
        written = [
            f'<joint name="{index} {DOFS[dof]}" type="{kind}" axis="{_text(axis)}"/>' if moving[9 * index + dof] else ""
            for dof, kind, axis in axes
        ]
        slides, hinges = "".join(written[:3]), "".join(written[3:])
        inner += hinges if turned else slides + hinges
        if simulation.owners[index] >= 0:
            inner += _capsule(body, index)
        inner += "".join(part(child) for child in children[index])
        if turned:
            inner = f'{slides}<body name="turned {index}">{inner}</body>'
        return f'<body name="{index}" pos="{_text(joint.rest.translation)}" quat="{_text(turn)}">{inner}</body>'

    bodies = "".join(part(index) for index, joint in enumerate(rig.joints) if joint.parent == ROOT)
    # The ground's own normal is its z axis: lay it down so that y is up.
    ground = '<geom type="plane" size="0 0 1" zaxis="0 1 0" contype="0" conaffinity="1"/>'
    things = ground + "".join(_solid(solid, transform) for solid, transform in solids)
    return (
        '<mujoco><compiler angle="radian" autolimits="false" inertiafromgeom="false" boundmass="1e-9"'
        f' boundinertia="1e-12"/><option gravity="{_text(simulation.gravity)}" timestep="{step!r}"'
        f' integrator="Euler"/><worldbody>{things}{bodies}</worldbody></mujoco>'
    )


def _capsule(body: Body, index: int) -> str:
    """A bone as thick as its mass makes it; loose parts meet the world and not each other."""
    end = body.rig.bones.ends[index]
    length = float(np.linalg.norm(end))
    if length < 1e-6 or body.masses.masses[index] == 0:
        return ""
    radius = float(np.clip(np.sqrt(body.masses.masses[index] / (WATER * np.pi * length)), 0.05 * length, 0.5 * length))
    span = _text([0.0, 0.0, 0.0, *end])
    return f'<geom type="capsule" fromto="{span}" size="{radius!r}" contype="1" conaffinity="0"/>'


def _solid(solid: Solid, transform: Transform) -> str:
    scale = np.abs(transform.scale)
    turn = quaternions.to_matrix(np.array(transform.rotation))
    if isinstance(solid, Box):
        kind, size = "box", np.asarray(solid.half) * scale
    elif isinstance(solid, Sphere):
        kind, size = "ellipsoid", solid.radius * scale
    elif isinstance(solid, Capsule):
        # Ours lie along y, the engine's along z.
        turn = turn @ np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]).T
        kind, size = "capsule", np.array([solid.radius * max(scale[0], scale[2]), solid.half * scale[1]])
    quat = _text(quaternions.from_matrix(turn))
    place = _text(transform.translation)
    return f'<geom type="{kind}" size="{_text(size)}" pos="{place}" quat="{quat}" contype="0" conaffinity="1"/>'


def _text(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)
