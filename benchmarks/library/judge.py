"""One clip judged: our keys and those of every peer at the same measured error, feet that stand, pops, seconds."""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.library import ours
from benchmarks.library.ours import Take
from benchmarks.library.peers import Peer
from benchmarks.library.plain import QUARTERS, Distance, Moving, pops, slide
from benchmarks.library.search import Search

FIT, STANDING = "ours", "ours, standing"
STILL = 0.001
"""Metres that a contact may slide and still count as standing."""
SHORT = 3.0
"""Seconds of motion below which the best of several fits is taken."""


class Error(msgspec.Struct):
    """Millimetres on frames, and on frames and their quarters."""

    frames_max: float
    frames_mean: float
    quarters_max: float
    quarters_mean: float

    @classmethod
    def of(cls, off: Distance) -> "Error":
        return cls(*(1000 * each for each in (off.frames_max, off.frames_mean, off.quarters_max, off.quarters_mean)))


class Row(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What one program made of one clip at one tolerance; `problem` says why there is nothing else.

    keys            pairs of time and value of scalar channels that move; a quaternion counts four times
    whole_keys      the same with a quaternion or vector as one
    keys_on_frames  keys at which a peer equals our error on frames alone; of ours, its keys
    points, joints  errors of joints, tips and points beside bones; of joints and tips alone
    pops            frames and joints jerked harder than 1.5 times as before and 5 mm a frame a frame
    """

    clip: str
    program: str
    tolerance_mm: float | None = None
    setting: str = ""
    keys: int | None = None
    whole_keys: int | None = None
    keys_a_channel_second: float | None = None
    keys_on_frames: int | None = None
    points_mm: Error | None = None
    joints_mm: Error | None = None
    contacts: int | None = None
    standing: int | None = None
    slide_before_mm: float | None = None
    slide_mm: float | None = None
    pops: int | None = None
    seconds: float | None = None
    real_time: float | None = None
    problem: str = ""


class Clip(msgspec.Struct, kw_only=True):
    """What was judged; `cut` says that a pose set in front was left out."""

    name: str
    frames: int
    rate: float
    joints: int
    channels: int
    seconds: float
    cut: bool


class Judged:
    """A clip at work: where everything is, and what each program makes of it."""

    def __init__(self, take: Take) -> None:
        self.take = take
        self.truth = take.capture.looked_at()
        self.joints = len(take.capture.names) + len(take.capture.ends)
        self.slides = [slide(self.truth[first : last + 1, point]) for point, first, last in take.spans()]

    @property
    def clip(self) -> Clip:
        capture = self.take.capture
        return Clip(
            name=self.take.name,
            frames=capture.frames,
            rate=1 / capture.frame_time,
            joints=len(capture.names),
            channels=len(self.take.moving),
            seconds=capture.seconds,
            cut=self.take.is_cut,
        )

    def rows(self, tolerances: Sequence[float], peers: Sequence[type[Peer]]) -> Iterator[Row]:
        """Ours at every tolerance, then each peer at our errors."""
        errors: list[tuple[float, Distance]] = []
        rounds = 2 if self.take.capture.seconds < SHORT else 1
        for tolerance in tolerances:
            made, seconds = ours.fitted(self.take, tolerance, rounds)
            row, off = self._row(FIT, tolerance, made, made.keys, made.keys, seconds)
            errors.append((tolerance, off))
            row.keys_on_frames = row.keys
            yield row
        clean, cleaning = ours.cleaned(self.take)
        for tolerance in tolerances:
            held, seconds = ours.standing(self.take, clean, tolerance)
            yield self._row(STANDING, tolerance, held, held.keys, held.keys, cleaning + seconds)[0]
        for peer in peers:
            try:
                yield from self._of_peer(peer, errors)
            except (OSError, RuntimeError, ValueError, subprocess.SubprocessError) as error:
                # Another program's trouble is no reason to stop.
                yield Row(clip=self.take.name, program=peer.name, problem=_told(error))

    def _of_peer(self, kind: type[Peer], errors: list[tuple[float, Distance]]) -> Iterator[Row]:
        with TemporaryDirectory() as folder, kind.open(self.take, Path(folder)) as peer:
            search = Search(peer, self.take.capture, self.truth)
            for tolerance, off in errors:
                found = search.within(off.quarters_max, lambda each: each.quarters_max)
                on_frames = search.within(off.frames_max, lambda each: each.frames_max)
                if found is None:
                    told = f"never within {1000 * off.quarters_max:.2f} mm between frames"
                    row = self._empty(kind.name, tolerance, told)
                else:
                    made = found[0]
                    row = self._row(kind.name, tolerance, made.moving, made.keys, made.whole_keys, made.seconds)[0]
                    row.setting = made.setting
                row.keys_on_frames = None if on_frames is None else on_frames[0].keys
                yield row

    def _row(
        self, program: str, tolerance: float, moving: Moving, keys: int, whole_keys: int, seconds: float
    ) -> tuple[Row, Distance]:
        places = self.take.capture.looked_at(moving)
        off = Distance.between(places, self.truth)
        slides = [slide(places[first : last + 1, point]) for point, first, last in self.take.spans()]
        bodies = [each[::QUARTERS, : self.joints] for each in (self.truth, places)]
        length = self.take.capture.seconds
        return Row(
            clip=self.take.name,
            tolerance_mm=1000 * tolerance,
            program=program,
            keys=keys,
            whole_keys=whole_keys,
            keys_a_channel_second=keys / len(self.take.moving) / length,
            points_mm=Error.of(off),
            joints_mm=Error.of(Distance.between(places[:, : self.joints], self.truth[:, : self.joints])),
            contacts=len(slides),
            standing=sum(each <= STILL for each in slides),
            slide_before_mm=1000 * max(self.slides, default=0.0),
            slide_mm=1000 * max(slides, default=0.0),
            pops=pops(*bodies),
            seconds=seconds,
            real_time=length / max(seconds, 1e-6),
        ), off

    def _empty(self, program: str, tolerance: float, problem: str) -> Row:
        return Row(clip=self.take.name, tolerance_mm=1000 * tolerance, program=program, problem=problem)


def judge(
    path: Path, tolerances: Sequence[float], peers: Sequence[type[Peer]], told: Callable[[Row], None]
) -> tuple[Clip | None, list[Row]]:
    """A clip and its rows, each told as it comes; whatever goes wrong ends the clip with a row that says so."""
    rows: list[Row] = []
    clip = None
    try:
        judged = Judged(Take.of(path))
        clip = judged.clip
        for row in judged.rows(tolerances, peers):
            rows.append(row)
            told(row)
    except Exception as error:
        rows.append(Row(clip=path.stem, program=FIT, problem=_told(error)))
        told(rows[-1])
    return clip, rows


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
