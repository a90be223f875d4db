# SPDX-License-Identifier: GPL-3.0-or-later
"""A drag of an arc: begin, move, then keep or cancel. What is in the viewport is an adapter of this."""

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np
import numpy.typing as npt

from inbetweener.maths import quaternions
from inbetweener.motion import Motion
from inbetweener.rig.freedom import channels_moving
from inbetweener.tangents import Drag, DragRequest, Settings, Solution, scale_timing
from inbetweener.tangents.variables import can_change

from .action import Handles
from .gesture import Gesture
from .keys import frozen_types
from .pins import Held, Place, held
from .refusal import Refused
from .take import Take

REACHED = 5e-5
"""Metres: a target this near is reached."""


class Dragging(Gesture):
    """The head or tail of a bone, or an object, at one frame; everything that is held stays where it is.

    `turning`, it is turned where it stands instead of being moved. Blender's own data are fetched by name whenever
    they are touched: an undo makes all others stale.
    """

    def __init__(
        self,
        ob: bpy.types.Object,
        place: Place,
        frame: float,
        scene: bpy.types.Scene,
        locks: Sequence[float] = (),
        turning: bool = False,
    ) -> None:
        # What is dragged where it is pinned is let go there, for as long as its pin lasts.
        self.rules = [each for each in held(ob) if not (each.place == place and each.holds_at(frame))]
        self.rules += [Held(*place, "pin", lock, lock) for lock in locks if lock != frame]
        self.take = Take(ob, [place, *(each.place for each in self.rules)], scene, frame)
        try:
            self.place, rate = self.take.place(place), self.take.rate
            constraints = tuple(each.constraint(self.take.place, rate) for each in self.rules)
            self._request = DragRequest(
                self.place, frame / rate, "both" if turning else "position", constraints=constraints
            )
            # The library counts in heights of the character.
            self._settings = Settings(reached=min(1e-4, REACHED / self.take.size))
            self.drag = Drag(self.take.motion, self._request, self._settings)
            self._start, self._turn = self.drag.start_position, self.drag.start_turn
            self._wish: tuple[npt.ArrayLike | None, npt.ArrayLike | None] = (None, None)
            self.amount = 0.0
            self._handles = Handles(ob, self.take.sources, rate)
            self.begin()
        except Exception:
            self.take.close()
            raise

    @property
    def start(self) -> npt.NDArray[np.float64]:
        """Where the place was (3,) when the drag began."""
        return self._start

    @property
    def axes(self) -> npt.NDArray[np.float64]:
        """How the place was turned (3, 3) when the drag began: its own axes, as columns."""
        return self._turn

    def to(self, target: npt.ArrayLike | None = None, turn: npt.ArrayLike | None = None) -> Solution:
        """Move towards a place in the world, or turn by a rotation vector in it, and show that."""
        self.require()
        self._wish = (target, turn)
        turned = None if turn is None else _rotation(turn) @ self._turn
        solution = self.drag.to(self._start if target is None else target, turned)
        self._handles.write(solution.curves)
        return solution

    def faster(self, amount: float) -> Solution:
        """Scale the timing around the frame by so much in all, slower below nought; the drag goes on from there.

        By widths of handles alone, and of channels that move nothing that is held.
        """
        self.require()
        motion, time = self.take.motion, self._request.time
        rig, curves = motion.rig, motion.clip.curves
        rules = [each.of(self.place) for each in self._request.constraints]
        holding = [(each.start, each.end, each.channels(rig)) for each in rules]

        def may_change(number: int) -> bool:
            channel = rig.channels[number]
            if not (channel.free and can_change(curves.get(channel.name), time)):
                return False
            times = curves[channel.name].times
            key = int(np.searchsorted(times, time, side="right")) - 1
            # An aligned key takes its other side along.
            first, last = times[max(key - 1, 0)], times[min(key + 2, len(times) - 1)]
            return not any(number in own and start < last and first < end for start, end, own in holding)

        moving = sorted(channels_moving(rig, self.place, "both"))
        names = [rig.channels[c].name for c in moving if may_change(c)]
        if not names:
            raise Refused(f"{self.place}: what moves it here moves what is held too, or has no handles; unpin that")
        retimed = scale_timing(motion, time, amount, channels=names)
        self.amount = retimed.amount
        again = Motion(rig, replace(motion.clip, curves=retimed.curves), motion)
        self.drag = Drag(again, self._request, self._settings)
        return self.to(*self._wish)

    def moved(self) -> Motion:
        """The motion as it is now."""
        clip = replace(self.take.motion.clip, curves=self.drag.solution.curves)
        return Motion(self.take.motion.rig, clip, self.take.motion)

    @property
    def froze(self) -> bool:
        """Whether automatic handles became aligned ones, to stay where they were put."""
        changed = self.drag.solution.curves.differing(self.take.motion.clip.curves)
        return any(
            (frozen_types(each.keys.types) != each.keys.types).any()
            for each in map(self.take.sources.get, changed)
            if each
        )

    def keep(self) -> None:
        """Leave it as it is; the copy that was measured goes."""
        self.end()

    def cancel(self) -> None:
        """Put everything back as it was."""
        self.end()
        if not self.lost:
            self._handles.restore()

    def told(self) -> str:
        """One line on where the drag is: reached, or how far it came and what holds."""
        solution = self.drag.solution
        away = float(np.linalg.norm(solution.position - self.start))
        timing = f", timing {100.0 * self.amount:+.0f} %" if self.amount else ""
        if solution.reached:
            turned = np.degrees(np.linalg.norm(quaternions.rotation_vectors(self._turn.T @ solution.turn)))
            what = f"turned {turned:.1f}°" if self._request.wanted == "both" else f"moved {1000.0 * away:.1f} mm"
            return f"{self.place}: {what}{timing}; only handles change"
        blocked = ", ".join(each.name for each in solution.blockers[:2]) or "its keys reach no farther"
        return f"{self.place}: {1000.0 * solution.target_error:.1f} mm short{timing}; held by {blocked}"


def _rotation(vector: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """(3, 3) the turn about a vector by its length."""
    angle = float(np.linalg.norm(vector))
    axis = np.asarray(vector, np.float64) / angle if angle else np.array([1.0, 0.0, 0.0])
    return quaternions.to_matrix(quaternions.from_axis_angle(axis, angle))
