"""What a run did, in numbers that can be drawn and in plain words."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.guidance.held import TOLERANCE
from inbetweener.guidance.objective import PATH, TANGENTS, evaluate
from inbetweener.guidance.optimise import Iterate
from inbetweener.guidance.problem import Problem, look
from inbetweener.guidance.request import Weighted
from inbetweener.guidance.terms.torque import Torque
from inbetweener.motion import Held
from inbetweener.tangents import disagreement

NOTABLE = 0.05
"""A joint whose share of a term changed by less than this share of the whole is not worth a word."""


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """Cost over time: times (T,), and for each of N rows its term, its joint or channel, and values (N, T).

    A value is what that moment would cost if the whole motion were like it.
    """

    times: Floats
    terms: tuple[str, ...]
    labels: tuple[str, ...]
    values: Floats


@dataclass(frozen=True, slots=True)
class Change:
    """A term before and after, of one joint or channel, or of all where `label` is empty."""

    term: str
    label: str
    before: float
    after: float

    @property
    def percent(self) -> float:
        """By how much it changed; −100 is gone."""
        return 100.0 * (self.after / self.before - 1.0) if self.before > 0.0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What a run changed.

    costs     the whole cost at every iterate
    terms     each term as a whole; joints by share of a term, those that changed most first
    furthest  the joint that strayed furthest from its path: its name, metres, and when
    held      pins and contacts
    counted   what torque counted, in words, and how it changed by the other convention: with gravity, or without
    """

    parameters: int
    costs: Floats
    terms: tuple[Change, ...]
    joints: tuple[Change, ...]
    furthest: tuple[str, float, float]
    held: tuple[Held, ...]
    counted: str = ""

    @property
    def summary(self) -> str:
        """One or two sentences for an animator."""
        said = [f"{c.term} {_percent(c.percent)}" for c in self.terms if abs(c.percent) >= 0.5]
        said += [f"{c.label} {c.term} {_percent(c.percent)}" for c in self.joints[:3] if abs(c.percent) >= 0.5]
        joint, distance, when = self.furthest
        path = (
            f"{joint} path moved {100.0 * distance:.1f} cm at most, at {when:.2f} s" if distance else "no joint moved"
        )
        lines = [", ".join([*said, path]) if said else f"nothing to gain: {path}"]
        for each in self.held:
            if not each.holds:
                poses = f"; its key poses are {1e3 * each.key_poses_apart:.1f} mm apart" if each.key_poses_apart else ""
                lines.append(f"{each.name} does not hold: {each.off}{poses}{each.where}")
        if self.counted and distance:
            lines.append(self.counted)
        return ". ".join(lines) + "."


def heat(problem: Problem, x: Floats, times: Floats) -> Heat:
    """Cost over time of the motion with parameters x, by term and joint."""
    even = np.full(len(times), 1.0 / len(times))
    at = look(problem.motion, problem.parameters, problem.wiring, problem.weight, times, even)
    terms, labels, values = [], [], []
    for share in evaluate(problem, x, at, derive=False).shares:
        for label in dict.fromkeys(share.labels):
            chosen = [i for i, each in enumerate(share.labels) if each == label]
            terms.append(share.name)
            labels.append(label)
            values.append(share.density[:, chosen].sum(axis=1) * len(times))
    return Heat(frozen(times), tuple(terms), tuple(labels), frozen(np.array(values).reshape(-1, len(times))))


def report(path: list[Iterate]) -> Report:
    """What changed from the motion before a run to the last of its iterates."""
    last = path[-1]
    problem, x = last.problem, last.evaluation.x
    before, after = evaluate(problem, problem.parameters.start, derive=False), last.evaluation
    terms, joints = [], []
    for old, new in zip(before.shares, after.shares, strict=True):
        if old.name in (PATH, TANGENTS):
            continue
        terms.append(Change(old.name, "", old.cost, new.cost))
        for label in dict.fromkeys(old.labels):
            chosen = [i for i, each in enumerate(old.labels) if each == label]
            joints.append(Change(old.name, label, *(float(s.density[:, chosen].sum()) for s in (old, new))))
    whole = max(before.cost, 1e-300)
    joints = [c for c in joints if abs(c.after - c.before) > NOTABLE * whole]
    joints.sort(key=lambda c: -abs(c.after - c.before))
    return Report(
        len(x), frozen([each.cost for each in path]), tuple(terms), tuple(joints), _furthest(problem, x),
        _held(problem, x), _counted(problem, x),
    )  # fmt: skip


def _counted(problem: Problem, x: Floats) -> str:
    """A cost can fall by half without gravity and not at all with it, so both are said, and which one counted."""
    torque = next((each.term for each in problem.request.terms if isinstance(each.term, Torque) and each.weight), None)
    if torque is None:
        return ""
    other = problem.reweighed(terms=(Weighted(torque.otherwise),), regularise=0.0)
    before, after = (evaluate(other, at, derive=False).cost for at in (problem.parameters.start, x))
    percent = Change("", "", before, after).percent
    weight = torque.otherwise.counted.partition(",")[0]
    return f"Counted: torque {torque.counted}; {weight} it changed by {_percent(percent)}"


def _furthest(problem: Problem, x: Floats) -> tuple[str, float, float]:
    start, end = problem.parameters.span
    times = np.linspace(start, end, max(2, round(4 * (end - start) * problem.motion.clip.rate) + 1))
    away = problem.motion_at(x).joint_positions(times) - problem.motion.joint_positions(times)
    distance = np.linalg.norm(away, axis=-1)
    t, j = np.unravel_index(int(np.argmax(distance)), distance.shape)
    return problem.motion.rig.joints[j].name, float(distance[t, j]), float(times[t])


def _held(problem: Problem, x: Floats) -> tuple[Held, ...]:
    before, after = problem.held.by_constraint(problem.parameters.start), problem.held.by_constraint(x)
    found = []
    for i, rule in enumerate(problem.held.constraints):
        turns_only = not rule.wants[0]
        unit = 1.0 if turns_only else problem.height
        off, apart = after.get(i, 0.0), disagreement(problem.motion, rule).distance
        found.append(
            Held(
                rule.name,
                0.0 if turns_only else unit * off,
                off if turns_only else 0.0,
                holds=off <= rule.allowed(problem.height, TOLERANCE)[turns_only],
                before=unit * before.get(i, 0.0),
                key_poses_apart=apart if apart > 1e-3 else 0.0,
            )
        )
    before_, after_ = (problem.clear.inside(at) for at in (problem.parameters.start, x))
    found += [
        new.held(old, problem.clear.looks.times, TOLERANCE * problem.height)
        for old, new in zip(before_, after_, strict=True)
    ]
    return tuple(found)


def _percent(value: float) -> str:
    sign = "" if abs(value) < 0.5 else "−" if value < 0 else "+"
    return f"{sign}{abs(value):.0f} %"
