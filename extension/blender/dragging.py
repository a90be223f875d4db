# SPDX-License-Identifier: GPL-3.0-or-later
"""A drag of an arc: begin, move, then keep or cancel. What is in the viewport is an adapter of this."""

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np
import numpy.typing as npt

from inbetweener.motion import Motion
from inbetweener.tangents import Drag, DragRequest, Settings, Solution

from .action import Handles
from .keys import frozen_types
from .pins import Held, Place, held
from .take import Take

REACHED = 5e-5
"""Metres: a target this near is reached."""


class Dragging:
    """The head or tail of a bone, or an object, at one frame; everything that is held stays where it is.

    Blender's own data are fetched by name whenever they are touched: an undo makes all others stale.
    """

    def __init__(
        self,
        ob: bpy.types.Object,
        place: Place,
        frame: float,
        scene: bpy.types.Scene,
        locks: Sequence[float] = (),
    ) -> None:
        # What is dragged where it is pinned is let go there, for as long as its pin lasts.
        self.rules = [each for each in held(ob) if not (each.place == place and each.holds_at(frame))]
        self.rules += [Held(*place, "pin", lock, lock) for lock in locks if lock != frame]
        self.take = Take(ob, [place, *(each.place for each in self.rules)], scene, frame)
        try:
            self.place, rate = self.take.place(place), self.take.rate
            constraints = tuple(each.constraint(self.take.place, rate) for each in self.rules)
            request = DragRequest(self.place, frame / rate, constraints=constraints)
            # The library counts in heights of the character.
            settings = Settings(reached=min(1e-4, REACHED / self.take.size))
            self.drag = Drag(self.take.motion, request, settings)
            self._handles = Handles(ob, self.take.sources, rate)
        except Exception:
            self.take.close()
            raise

    @property
    def start(self) -> npt.NDArray[np.float64]:
        """Where the place was (3,) when the drag began."""
        return self.drag.start_position

    def to(self, target: npt.ArrayLike) -> Solution:
        """Move towards a place in the world, and show that."""
        solution = self.drag.to(target)
        self._handles.write(solution.curves)
        return solution

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
        self.take.close()

    def cancel(self) -> None:
        """Put everything back as it was."""
        self.take.close()
        self._handles.restore()

    def told(self) -> str:
        """One line on where the drag is: reached, or how far it came and what holds."""
        solution = self.drag.solution
        away = float(np.linalg.norm(solution.position - self.start))
        if solution.reached:
            return f"{self.place}: moved {1000.0 * away:.1f} mm; only handles change"
        blocked = ", ".join(each.name for each in solution.blockers[:2]) or "its keys reach no farther"
        return f"{self.place}: {1000.0 * solution.target_error:.1f} mm short; held by {blocked}"
