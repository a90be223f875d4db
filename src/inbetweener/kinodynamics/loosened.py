"""A rig with its looseness worked out: which channels swing with the body's masses, and which by themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inbetweener.anatomy import Part, recognise
from inbetweener.arrays import Bools, Floats, Ints, frozen, read_only
from inbetweener.dynamics.body import Body
from inbetweener.dynamics.forward import Simulation, mass_matrix, turning_inertias
from inbetweener.dynamics.inverse import EARTH
from inbetweener.errors import UnknownName
from inbetweener.kinodynamics.filter import stepping
from inbetweener.kinodynamics.kernels import Keyed
from inbetweener.kinodynamics.light import lightened
from inbetweener.kinodynamics.looseness import Looseness
from inbetweener.kinodynamics.soft.softened import Softened
from inbetweener.kinodynamics.spring import InvalidLooseness, Spring
from inbetweener.kinodynamics.windows import Windows
from inbetweener.kinodynamics.windows.modes import Modes
from inbetweener.motion import Clip
from inbetweener.rig import Rig
from inbetweener.rig.joint import DOFS
from inbetweener.skinning import Mesh, bound_joints

STEPS = 120.0
"""Steps a second, about: a whole number of them fits into every frame."""
BRAKED = 0.5
"""The most that air takes of a speed in a step, about: what was lost in the last ones is counted on for the next."""
SLOWEST = 1e-3
"""Frames a second below which steps do not mind where frames are."""

LOCKS = np.radians(60.0)
"""Joints whose middle angle can come farther than this are near gimbal lock there."""


@dataclass(frozen=True, slots=True, eq=False)
class Swinging:
    """Channels that turn or shift one joint each, and so swing with its mass.

    channels (L,), dofs (L,) which of the 9J each drives, factors (L,) by how much; shared (L,) whether others, such as
    the curl of a tail, drive it too, none of which is loose; springs one each, in that order
    """

    channels: Ints
    dofs: Ints
    factors: Floats
    shared: Bools
    springs: tuple[Spring, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Following:
    """Channels that have no mass of their own, such as blend shapes, controls and IK handles: each swings alone."""

    channels: Ints
    springs: tuple[Spring, ...]


class Loosened:
    """A rig and what is loose about it, compiled once for many motions at `rate` frames a second.

    `meshes` are those that soft parts are found on. What is the same as of a rig loosened `like` it is not worked out
    again. By clips' names, `found` has the windows that were found last, and of which clip they are; windows that are
    `held`, with the decay of the springs that they were found for, are not found anew while a hand drags or slides.
    """

    def __init__(
        self,
        rig: Rig,
        looseness: Looseness,
        rate: float,
        meshes: Sequence[Mesh] = (),
        like: "Loosened | None" = None,
        roles: tuple[Part, ...] = (),
    ) -> None:
        self.rig, self.looseness, self.rate, self.meshes, self.roles = rig, looseness, rate, tuple(meshes), roles
        thickest = max((spring.air for spring in looseness.springs.values()), default=0.0)
        steps = max(STEPS, thickest / BRAKED)
        self.step = 1.0 / (rate * max(1, round(steps / rate))) if rate > SLOWEST else 1.0 / steps
        self.found: dict[str, tuple[Clip, Windows]] = {}
        self.held: dict[str, tuple[Windows, float]] = {}
        self.swinging, self.following = _sorted(rig, _wanted(rig, looseness))
        if like is not None and like.rig is rig:
            self._learn(like)
        if len(self.swinging.dofs):
            self._require_mass()

    def _learn(self, like: "Loosened") -> None:
        """Take over what another looseness of the same rig has in common with this one."""
        ours, theirs = self.looseness, like.looseness
        weighs_alike = (ours.masses, ours.total, self.roles) == (theirs.masses, theirs.total, like.roles) and (
            ours.masses != "mesh" or self.meshes == like.meshes
        )
        if ours.light or theirs.light:
            weighs_alike &= ours.light == theirs.light and np.array_equal(self.swinging.dofs, like.swinging.dofs)
        if len(self.swinging.dofs) and weighs_alike:
            self.body = like.body
            if np.array_equal(self.swinging.dofs, like.swinging.dofs):
                self.inertias, self.balls = like.inertias, like.balls
                if ours.gravity == theirs.gravity and self.air == like.air:
                    self.simulation = like.simulation
        if (self.rate, self.step, ours.window, ours.error, ours.collide) == (
            like.rate,
            like.step,
            theirs.window,
            theirs.error,
            theirs.collide,
        ):
            self.held = dict(like.held)

    @cached_property
    def decay(self) -> float:
        """By how much a second, as an exponent, the spring that is the slowest to come to rest gets nearer to it."""
        return min((spring.decay for spring in (*self.swinging.springs, *self.following.springs)), default=np.inf)

    def release_windows(self) -> None:
        """Find the windows of all clips again from now on."""
        self.held.clear()

    @cached_property
    def body(self) -> Body:
        """The rig, weighed."""
        anatomy = recognise(self.rig, bound_joints(self.meshes), self.roles)
        looseness, loose = self.looseness, set((self.swinging.dofs // 9).tolist())
        body = Body.of(self.rig, looseness.masses, meshes=self.meshes, total=looseness.total, anatomy=anatomy)
        return lightened(body, loose) if looseness.light else body

    @cached_property
    def simulation(self) -> Simulation:
        """What swings, ready to be simulated, in an order of its own: see `order`."""
        gravity = np.array(EARTH) * self.looseness.gravity
        return Simulation.of(self.body, self.swinging.dofs.tolist(), gravity=gravity, balls=self.balls, air=self.air)

    @property
    def air(self) -> dict[int, float]:
        """By swinging degree of freedom, the air that its spring is in; none where there is none."""
        pairs = zip(self.swinging.dofs.tolist(), self.swinging.springs, strict=True)
        return {dof: spring.air for dof, spring in pairs if spring.air}

    @cached_property
    def softened(self) -> Softened:
        """The soft parts of its meshes."""
        looseness, window = self.looseness, self.looseness.window
        return Softened(
            self.rig,
            self.meshes,
            looseness.soft,
            step=self.step,
            window=window if isinstance(window, (int, float)) else None,
            error=looseness.error,
            gravity=looseness.gravity,
            drag=looseness.drag,
            loose=frozenset(int(c) for c in (*self.swinging.channels, *self.following.channels)),
        )

    @cached_property
    def order(self) -> Ints:
        """(L,) which of the swinging channels each loose degree of freedom of the simulation is."""
        where = {int(dof): n for n, dof in enumerate(self.swinging.dofs)}
        return frozen([where[int(dof)] for dof in self.simulation.dofs], np.int64)

    @cached_property
    def inertias(self) -> Floats:
        """(L,) kg·m² or kg: what each swinging channel moves at rest, all below it held stiff."""
        return frozen(np.diag(mass_matrix(self.body, self.rig.keyed.rest_dofs, self.swinging.dofs)))

    @cached_property
    def balls(self) -> dict[int, Floats]:
        """Joints of which all three turns swing, which are one rotation, with no axis before another.

        (3,) kg·m²: what they turn about their own axes, all below them held stiff. Where limits keep the middle angle
        off gimbal lock, three angles do as well, and cost less.
        """
        dofs, orders = self.swinging.dofs, self.rig.keyed.skeleton.orders
        farthest = dict(zip(dofs.tolist(), np.abs(self.ends).max(axis=1), strict=True))
        whole = [int(j) for j in np.unique(dofs // 9) if np.isin(9 * j + np.arange(3, 6), dofs).all()]
        near = np.array([j for j in whole if farthest[9 * j + 3 + int(orders[j][1])] > LOCKS], np.int64)
        return dict(zip(near.tolist(), turning_inertias(self.body, self.rig.keyed.rest_dofs, near), strict=True))

    @cached_property
    def ends(self) -> Floats:
        """(L, 2) the limits of the degree of freedom that each swinging channel drives, other channels at defaults."""
        bias, swinging = self.rig.linear_map.bias, self.swinging
        own = [self.rig.channels[c] for c in swinging.channels]
        ends = np.reshape([(channel.lower, channel.upper) for channel in own], (-1, 2))
        return frozen(np.sort(bias[swinging.dofs][:, None] + swinging.factors[:, None] * ends, axis=1))

    @cached_property
    def modes(self) -> Modes:
        """What is loose as springs that swing by themselves."""
        return Modes.of(self)

    def keyed(self, reference: Floats) -> Keyed:
        """What following channels are pulled to, a reference (N, C, 3), and by which springs, as kernels read it."""
        values, speeds = (np.ascontiguousarray(reference[:, self.following.channels, i]) for i in range(2))
        steps = [stepping(spring, self.step, self.looseness.drag) for spring in self.following.springs]
        return Keyed(read_only(values), read_only(speeds), frozen(np.reshape(steps, (-1, 2, 4))))

    @cached_property
    def following_limits(self) -> tuple[Floats, Floats]:
        """(F,) the least and the most that every following channel may be."""
        own = [self.rig.channels[c] for c in self.following.channels]
        return frozen([channel.lower for channel in own]), frozen([channel.upper for channel in own])

    def put_swung(self, places: Floats, values: Floats, result: Floats) -> None:
        """Swinging channels into result (T, C), from loose degrees of freedom (T, L) and channels (T, C) as keyed."""
        dofs, picked, factors = (
            self.simulation.dofs,
            self.swinging.channels[self.order],
            self.swinging.factors[self.order],
        )
        result[:, picked] = (places - self.rig.linear_map.bias[dofs]) / factors
        shared = self.swinging.shared[self.order]
        if shared.any():
            # What other channels add there is as keyed, and left to them.
            own, factors = picked[shared], factors[shared]
            by_all = self.rig.linear_map.dofs(values)[:, dofs[shared]]
            swung = values[:, own] + (places[:, shared] - by_all) / factors
            ends = np.array([(self.rig.channels[c].lower, self.rig.channels[c].upper) for c in own]).T
            result[:, own] = np.clip(swung, np.minimum(ends[0], values[:, own]), np.maximum(ends[1], values[:, own]))

    @cached_property
    def springs(self) -> Floats:
        """(L, 4) in the simulation's order: stiffness, damping, lower and upper limit of every degree of freedom.

        Stiffness and damping of a rotation are about the joint's own axes; its limits are those of its angles.
        """
        rows = np.empty((len(self.order), 4))
        for row, n in zip(rows, self.order, strict=True):
            stiffness, damping = self.swinging.springs[n].rates
            joint, dof = divmod(int(self.swinging.dofs[n]), 9)
            whole = dof >= 3 and joint in self.balls
            inertia = self.balls[joint][dof - 3] if whole else self.inertias[n]
            row[:] = inertia * stiffness, inertia * damping, *self.ends[n]
        return frozen(rows)

    def _require_mass(self) -> None:
        # Tips of light rows weigh next to nothing on purpose.
        share = 1e-24 if self.looseness.light else 1e-12
        massless = self.inertias <= share * max(float(self.inertias.max()), 1e-30)
        if massless.any():
            name = self.rig.channels[self.swinging.channels[int(np.argmax(massless))]].name
            raise InvalidLooseness(f"{name!r} moves no mass, so it cannot swing; give it a mass, or leave it tight")


def _wanted(rig: Rig, looseness: Looseness) -> dict[int, Spring]:
    """The spring of every loose channel; a channel's own wins over its joint's."""
    joints, channels = {joint.name for joint in rig.joints}, {channel.name for channel in rig.channels}
    for name in looseness.springs:
        if name not in joints and name not in channels:
            raise UnknownName("joint or channel", name, [*joints, *channels])
    found: dict[int, Spring] = {}
    handled = _handled(rig)
    for index, channel in enumerate(rig.channels):
        own = looseness.springs.get(channel.name)
        if own is not None and channel.name not in joints:
            found[index] = own
        elif channel.kind == "rotation" and channel.drives:
            spring = looseness.springs.get(channel.drives[0].joint)
            # Whatever a handle turns, its own channels do not move: the handle's channels can be loose instead.
            if spring is not None and not handled.intersection(drive.dof for drive in channel.drives):
                found[index] = spring
    return found


def _handled(rig: Rig) -> set[str]:
    return {f"{joint}.{axis}" for handle in rig.handles for joint in handle.joints for axis in ("rx", "ry", "rz")}


def _sorted(rig: Rig, wanted: dict[int, Spring]) -> tuple[Swinging, Following]:
    linear, handled = rig.linear_map, _handled(rig)
    swinging, following = [], []
    for index, spring in wanted.items():
        drives = [drive for drive in rig.channels[index].drives if drive.weight]
        rows = [9 * rig.joint_index(drive.joint) + _AXES[drive.axis] for drive in drives]
        first, last = (linear.starts[rows[0]], linear.starts[rows[0] + 1]) if rows else (0, 0)
        others = {int(channel) for channel in linear.channels[first:last]} - {index}
        alone = len(rows) == 1 and not others & wanted.keys()
        if alone and rows[0] % 9 < 6 and drives[0].dof not in handled:
            swinging.append((index, rows[0], drives[0].weight, bool(others), spring))
        else:
            following.append((index, spring))
    return (
        Swinging(
            frozen([row[0] for row in swinging], np.int64),
            frozen([row[1] for row in swinging], np.int64),
            frozen([row[2] for row in swinging]),
            frozen([row[3] for row in swinging], np.bool_),
            tuple(row[4] for row in swinging),
        ),
        Following(frozen([row[0] for row in following], np.int64), tuple(row[1] for row in following)),
    )


_AXES = {axis: number for number, axis in enumerate(DOFS)}
