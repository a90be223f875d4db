"""Loose motion: where everything is at any time when parts swing, a pure function of clip, looseness and time.

The state at a time is that of the keyed motion a window earlier, simulated until now ([IKD] §3). No state depends on
another, so any of them is there at once, all of them can be worked out side by side, and a loop closes by itself.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.dynamics.movement import Movement
from inbetweener.kinodynamics import kernels
from inbetweener.kinodynamics.collisions import Collider, Standing
from inbetweener.kinodynamics.loosened import Loosened
from inbetweener.kinodynamics.reference import Passed, stepped
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.kinodynamics.soft.point import rigid_places, soft_states
from inbetweener.kinodynamics.spring import InvalidLooseness
from inbetweener.kinodynamics.windows import Windows, find, whole
from inbetweener.motion import Clip, Motion
from inbetweener.rig import BlendedPoint
from inbetweener.skinning.mesh import Singles

DIGITS = 9
"""Moments closer than a nanosecond are one: a state comes out the same, to the bit, however it is asked for."""


class LooseMotion(Motion):
    """A motion whose loose channels swing about their curves; reads like any other motion.

    `solids` stand in the world, and stop what is loose where looseness says so.
    """

    def __init__(self, loosened: Loosened, clip: Clip, solids: Sequence[Standing] = ()) -> None:
        # Compiled once: the keyed motion has the same curves.
        self.tight = Motion(loosened.rig, clip)
        super().__init__(loosened.rig, clip, self.tight)
        self.loosened = loosened
        self.solids = tuple(solids)
        window = loosened.looseness.window
        if isinstance(window, (int, float)) and window > clip.end - clip.start:
            raise InvalidLooseness(
                f"a window of {window:g} s is longer than the clip {clip.name!r}, {clip.end - clip.start:g} s; "
                "shorten it, or let it be found automatically"
            )

    def window(self, times: npt.ArrayLike) -> Floats:
        """How long (T,) the window of each time is, in seconds."""
        return np.asarray(self.windows.counts(np.asarray(times, np.float64).ravel()) * self.loosened.step, np.float64)

    def channels(self, times: npt.ArrayLike) -> Floats:
        """Channel values (T, C), loose ones simulated."""
        moments = np.asarray(times, np.float64).ravel()
        return self.states_after(moments, self.windows.counts(moments))

    def offsets(self, times: npt.ArrayLike) -> dict[int, Singles]:
        """How far vertices of soft meshes are off (T, V, 3), in mesh space and before joints carry them, by number."""
        moments, softened = np.asarray(times, np.float64).ravel(), self.loosened.softened
        return {number: softened.offsets(self, self.tight, moments, number) for number in softened.numbers}

    def soft_states(self, times: npt.ArrayLike, point: SoftPoint) -> tuple[Floats, Floats]:
        """Positions (T, 3) of a vertex of a soft mesh, and orientations (T, 3, 3) of the joint that carries it most."""
        return soft_states(self, self.tight, self.loosened.softened, np.asarray(times, np.float64).ravel(), point)

    def rigid_place(self, time: float, point: SoftPoint) -> BlendedPoint:
        """The place on the body where a soft vertex is at one time: what moves it moves the vertex ([IKD] §4.4)."""
        return rigid_places(self, self.tight, self.loosened.softened, np.array([time]), point)[0]

    def channel_motion(self, times: npt.ArrayLike) -> Floats:
        """Channel values, velocities and accelerations (T, C, 3), the latter two from states a step apart."""
        moments, step = np.asarray(times, np.float64).ravel(), self.loosened.step
        before, now, after = (self.channels(moments + shift) for shift in (-step, 0.0, step))
        return np.stack([now, (after - before) / (2 * step), (after - 2 * now + before) / step**2], axis=2)

    def simulated(self, times: npt.ArrayLike) -> Floats:
        """Channel values (T, C) of one simulation of the whole clip: what windows stand in for.

        It begins so long before the start that a pose held there has come to rest; of a loop, some rounds before.
        """
        return whole.states(self, np.asarray(times, np.float64).ravel())

    @cached_property
    def windows(self) -> Windows:
        """The windows of this motion: given, found, or found before the drag that holds them."""
        loosened, window = self.loosened, self.loosened.looseness.window
        if isinstance(window, (int, float)):
            return Windows.even(max(1, int(np.ceil(window / loosened.step - 1e-9))))
        if self.clip.name in loosened.held:
            held, decay = loosened.held[self.clip.name]
            return held.stretched(decay, loosened.decay, loosened.step)
        known, windows = loosened.found.get(self.clip.name, (None, None))
        # Where things collide, windows also depend on what else stands there.
        if windows is None or known is not self.clip or loosened.looseness.collide:
            windows = find(self)
            loosened.found[self.clip.name] = self.clip, windows
        return windows

    def hold_windows(self) -> None:
        """Let motions of the same clip, changed, have the windows of this one, until these are released."""
        self.loosened.held[self.clip.name] = self.windows, self.loosened.decay

    def moments(self, times: Floats, counts: Ints, shown: int = 1) -> Passed:
        """All moments that windows pass, the last ones their own; so many of each are to be shown."""
        back = np.arange(counts.max(initial=0), -1, -1)
        grid = times[:, None] - self.loosened.step * np.minimum(back, counts[:, None])
        whole = self.clip.end - self.clip.start
        if self.clip.loops and whole > 0.0:
            # The seam itself belongs to the start, but for a state asked for at the very end.
            grid = np.where(grid < self.clip.start - 1e-9, self.clip.start + (grid - self.clip.start) % whole, grid)
        moments, rows = np.unique(grid.round(DIGITS), return_inverse=True)
        return Passed.of(moments, rows.reshape(grid.shape), shown)

    def states_after(self, times: Floats, counts: Ints) -> Floats:
        """Channel values (T, C) at the end of windows of that many steps each."""
        values = self.tight.channels(times)
        if not len(times):
            return values
        passed = self.moments(times, counts)
        return self.follow(values, self.reference(passed), passed.rows, counts, passed.ends)

    def reference(self, passed: Passed) -> Floats:
        """The keyed motion (N, C, 3) that windows follow: values, velocities and accelerations over a step."""
        return stepped(self.tight.channel_motion, passed, self.clip, self.loosened.step)

    def follow(self, values: Floats, reference: Floats, rows: Ints, counts: Ints, ends: Ints) -> Floats:
        """Channel values (W, C) with the loose ones as they are at the end of windows over a reference (N, C, 3)."""
        loosened, result = self.loosened, values.copy()
        swinging, following = loosened.swinging, loosened.following
        if len(swinging.dofs):
            keyed = Movement.of(self.rig.keyed, reference, differentiable=False)
            places = self._swung(keyed, rows, counts, ends)
            loosened.put_swung(places, values, result)
        if len(following.channels):
            passed, lengths = np.ascontiguousarray(rows, np.int64), np.ascontiguousarray(counts, np.int64)
            found, rates = np.empty((2, len(rows), len(following.channels)))
            kernels.follow(loosened.keyed(reference), passed, lengths, found, rates)
            result[:, following.channels] = np.clip(found, *loosened.following_limits)
        return result

    def _swung(self, keyed: Movement, rows: Ints, counts: Ints, ends: Ints) -> Floats:
        """Where the loose degrees of freedom (W, L) are at the end of windows."""
        loosened, drag = self.loosened, self.loosened.looseness.drag
        if loosened.looseness.collide:
            return self._collider.run(keyed, rows, counts, ends)
        return loosened.simulation.run(keyed, rows, counts, loosened.springs, loosened.step, drag, ends)[0]

    def swings(self, keyed: Movement, row: Ints, ends: Ints) -> tuple[Floats, Floats, Floats]:
        """Of one simulation over moments row (n + 1,), shown at `ends` (n + 1,), bumps and all: where the loose degrees
        of freedom (n + 1, L) are, by how much they are off, and how fast they get off.
        """
        loosened, drag = self.loosened, self.loosened.looseness.drag
        if loosened.looseness.collide:
            return self._collider.trace(keyed, row, ends)
        return loosened.simulation.trace(keyed, row, loosened.springs, loosened.step, drag, ends)

    def bumping(self, moments: Floats) -> Bools:
        """(N,) when loose parts would be inside of what stands there, if they moved as keyed."""
        if not (self.loosened.looseness.collide and len(self.loosened.swinging.dofs)):
            return np.zeros(len(moments), np.bool_)
        passed = Passed.of(moments, np.zeros((0, 1), np.int64), 1)
        return self._collider.inside(Movement.of(self.rig.keyed, self.reference(passed), differentiable=False))

    @cached_property
    def _collider(self) -> Collider:
        loosened = self.loosened
        return Collider(loosened.simulation, loosened.springs, loosened.step, loosened.looseness.drag, self.solids)
