"""The same body in MuJoCo: a body a joint, three slides and three hinges each, the outermost turn first."""

from typing import Any

import mujoco
import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.dynamics import EARTH, Body, Movement
from inbetweener.maths import euler, quaternions
from inbetweener.rig import DOFS, Rig


class Twin:
    """A MuJoCo model of a body; scales are those of the rest pose, built into lengths.

    It has all six freedoms of every joint, or only those that channels can move, or those given, each with an actuator.
    """

    def __init__(
        self,
        body: Body,
        gravity: tuple[float, float, float] = EARTH,
        *,
        driven_only: bool = False,
        dofs: Ints | None = None,
    ) -> None:
        self.body = body
        starts = body.rig.dof_map.starts
        self.kept = (starts[1:] > starts[:-1]) | (not driven_only)
        self.actuated = dofs is not None
        if dofs is not None:
            self.kept = np.isin(np.arange(len(self.kept)), dofs)
        self.sizes = _sizes(body.rig)
        self.model = mujoco.MjModel.from_xml_string(self._xml(gravity))
        self.data = mujoco.MjData(self.model)
        names = [self._name(i) for i in range(self.model.njnt)]
        self.dofs = np.array([self._dof(name) for name in names])
        above = [self._above(int(name.split()[0])) for name in names]
        self.rest = body.rig.rest_dofs[self.dofs]
        # A slide's own metre is the parent's unit of length.
        self.units = np.array([size if n.split()[1][0] == "t" else 1.0 for n, size in zip(names, above, strict=True)])

    def inverse(self, movement: Movement) -> Floats:
        """Generalised forces (T, 9J) by mj_inverse, moment by moment."""
        result = np.zeros_like(movement.dofs)
        for f in range(len(movement)):
            self._set(movement, f)
            mujoco.mj_inverse(self.model, self.data)
            result[f, self.dofs] = self.data.qfrc_inverse * self.units
        return result

    def energies(self, movement: Movement) -> Floats:
        """Potential and kinetic energy (T, 2)."""
        result = np.empty((len(movement), 2))
        self.model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
        for f in range(len(movement)):
            self._set(movement, f)
            mujoco.mj_forward(self.model, self.data)
            result[f] = self.data.energy
        return result

    def _set(self, movement: Movement, f: int) -> None:
        self.data.qpos[:] = (movement.dofs[f, self.dofs] - self.rest) * self.units
        self.data.qvel[:] = movement.velocities[f, self.dofs] * self.units
        self.data.qacc[:] = movement.accelerations[f, self.dofs] * self.units

    def _name(self, number: int) -> str:
        return str(mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_JOINT, number))

    def _dof(self, name: str) -> int:
        joint, dof = name.split()
        return 9 * int(joint) + DOFS.index(dof)

    def _above(self, joint: int) -> float:
        parent = self.body.rig.joints[joint].parent
        return 1.0 if parent < 0 else float(self.sizes[parent])

    def _xml(self, gravity: Any) -> str:
        rig = self.body.rig
        children: list[list[int]] = [[] for _ in rig.joints]
        for index, joint in enumerate(rig.joints):
            if joint.parent >= 0:
                children[joint.parent].append(index)

        def written(index: int) -> str:
            joint, model = rig.joints[index], self.body.masses
            rest = quaternions.to_matrix(quaternions.normalised(np.array(joint.rest.rotation)))
            centre = self._above(index) * np.array(joint.rest.scale) * model.centres[index]
            i = model.inertias[index]
            full = _text([i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]])
            inner = [f'<inertial pos="{_text(centre)}" mass="{float(model.masses[index])!r}" fullinertia="{full}"/>']
            # Our translations come before the rest rotation, so they slide along the parent's axes.
            axes = [(f"t{'xyz'[d]}", "slide", rest[d]) for d in range(3)]
            axes += [(f"r{'xyz'[a]}", "hinge", np.eye(3)[a]) for a in euler.axes(joint.order)]
            for dof, kind, axis in axes:
                if self.kept[9 * index + DOFS.index(dof)]:
                    inner.append(f'<joint name="{index} {dof}" type="{kind}" axis="{_text(axis)}"/>')
                    names.append(f"{index} {dof}")
            inner += [written(child) for child in children[index]]
            flip = _half_turn(rig.joints[joint.parent].rest.scale) if joint.parent >= 0 else np.eye(3)
            place = self._above(index) * (flip @ joint.rest.translation)
            turn = quaternions.from_matrix(flip @ rest)
            return f'<body pos="{_text(place)}" quat="{_text(turn)}">{"".join(inner)}</body>'

        names: list[str] = []
        bodies = "".join(written(i) for i, joint in enumerate(rig.joints) if joint.parent < 0)
        # In the order of the joints; gains are set afterwards.
        motors = "".join(f'<general joint="{name}" biastype="affine"/>' for name in names if self.actuated)
        return (
            f'<mujoco><compiler angle="radian" autolimits="false"/><option gravity="{_text(gravity)}"/>'
            f"<worldbody>{bodies}</worldbody><actuator>{motors}</actuator></mujoco>"
        )


def _sizes(rig: Rig) -> Floats:
    """(J,) how large each joint's unit is, negative where it is inside out; of leaves it does not matter."""
    sizes = np.empty(len(rig.joints))
    for index, joint in enumerate(rig.joints):
        size = abs(joint.rest.scale[0]) * np.sign(np.prod(joint.rest.scale))
        sizes[index] = size * (1.0 if joint.parent < 0 else sizes[joint.parent])
    return sizes


def _half_turn(scale: tuple[float, float, float]) -> Floats:
    """The proper rotation in a scale: itself, up to its size and whether it turns inside out."""
    signs = np.sign(scale)
    return np.diag(signs * np.prod(signs))


def _text(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)
