"""The problem of one run: what may change, when it is looked at, what counts. Frozen; solvers work beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.curves import BEZIER, Curve
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.guidance.clear import KeptClear
from inbetweener.guidance.held import KeptStates
from inbetweener.guidance.moments import Moments, Wiring
from inbetweener.guidance.parameters import Parameters
from inbetweener.guidance.quadrature import gauss_nodes
from inbetweener.guidance.request import GuideRequest, Weighted
from inbetweener.guidance.terms.term import Term, checked
from inbetweener.guidance.value_limits import ParameterLimits
from inbetweener.maths.envelope import Envelope, Profile
from inbetweener.motion import Curves, Kernel, Motion
from inbetweener.rig import Channel, Rig, chains
from inbetweener.tangents.layered import SAMPLES, room_left, shares_channel, weights_of
from inbetweener.tangents.problem import changed_motion, edited_curves

MANY = 150
"""With more parameters, steps look only at pairs of them that meet in time, and no curvature is learnt."""


class NothingToGuide(InbetweenerError):
    """No tangent may change; says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """T moments of the motion: times, weights (T,), channels (T, A, 3) of all channels before, and offsets (T, C, 3):
    what the free channels have besides `weight` × their curve.
    """

    times: Floats
    weights: Floats
    channels: Floats
    offsets: Floats

    def __getitem__(self, some: slice) -> "Look":
        return Look(*(getattr(self, each.name)[some] for each in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A run, compiled.

    names    (C,) the channels whose tangents may change
    height   of the character, metres
    units    what a residual of each term is divided by: its own, or the root mean square that it had at the start
    factors  (P,) of the parameters, from their joints
    home     (T, J, 3) where the joints were at the nodes; moved (M,) those that can move
    profile  which parameters meet, where there are many
    """

    motion: Motion
    request: GuideRequest
    names: tuple[str, ...]
    height: float
    wiring: Wiring
    parameters: Parameters
    nodes: Look
    weight: Floats
    units: tuple[float, ...]
    factors: Floats
    home: Floats
    held: KeptStates
    clear: KeptClear
    limits: ParameterLimits
    profile: Profile | None

    @property
    def is_bound(self) -> bool:
        """Whether anything has to be held, or stayed out of."""
        return self.held.active or self.clear.active

    @property
    def is_large(self) -> bool:
        """Whether it is worth while to look only at those pairs of many parameters that meet in time."""
        return self.profile is not None

    def squares(self, rows: Floats) -> Floats | Envelope:
        """rowsᵀ · rows, for rows (K, P) each of which is about one moment."""
        return rows.T @ rows if self.profile is None else self.profile.squares(rows)

    def offs(self, x: Floats) -> Floats:
        """How far each watched constraint is off, and how deep each pair that stays apart is inside, in heights
        or radians, as if `TOLERANCE` were what it may be.
        """
        return np.concatenate([self.held.offs(x), self.clear.offs(x)])

    @property
    def curves(self) -> Curves:
        """The curves that are edited: the base or a layer."""
        return edited_curves(self.motion, self.request.layer)

    def curves_at(self, x: Floats) -> Curves:
        """The edited curves with the tangents that x describes; keys are where they were."""
        before = [self.curves[name] for name in self.names]
        return self.curves.replaced(dict(zip(self.names, self.parameters.changed(before, x), strict=True)))

    def motion_at(self, x: Floats) -> Motion:
        """The motion with these curves."""
        return changed_motion(self.motion, self.request.layer, self.curves_at(x))

    def reweighed(
        self, *, regularise: float | None = None, joints: Mapping[str, float] | None = None,
        kernels: tuple[Kernel, ...] | None = None, weights: Mapping[str, float] | None = None,
        terms: tuple[Weighted, ...] | None = None,
    ) -> "Problem":  # fmt: skip
        """The same problem with other sliders: cheap, and units stay, so that costs may be compared.

        `terms` take the place of those there were. One that is new is measured on the motion as it was at the start,
        as it would have been had it counted from there: a run goes on with it from where it is.
        """
        request, units = self.request, self.units
        if terms is not None:
            request, units = replace(request, terms=terms), self._measured(terms)
        known = [each.term.name for each in request.terms]
        for name in weights or {}:
            if name not in known:
                raise UnknownName("term", name, known)
        for joint in joints or {}:
            self.motion.rig.joint_index(joint)
        new = replace(
            request,
            terms=tuple(replace(w, weight=(weights or {}).get(w.term.name, w.weight)) for w in request.terms),
            regularise=request.regularise if regularise is None else regularise,
            joints=request.joints if joints is None else joints,
            kernels=request.kernels if kernels is None else kernels,
        )
        factors = _factors(self.motion.rig, new, self.parameters, self.names)
        return replace(self, request=new, units=units, factors=factors)

    def _measured(self, terms: tuple[Weighted, ...]) -> tuple[float, ...]:
        """Units of terms, kept where this problem has measured them."""
        known = {id(each.term): unit for each, unit in zip(self.request.terms, self.units, strict=True)}
        if all(id(each.term) in known for each in terms):
            return tuple(known[id(each.term)] for each in terms)
        start = self.parameters.start
        moments = moments_at(self.wiring, self.parameters, self.nodes, self.weight, self.height, start)[0]
        return tuple(known[id(w.term)] if id(w.term) in known else _unit(w.term, moments) for w in terms)


def build(motion: Motion, request: GuideRequest) -> Problem:
    """Find the free tangents, the nodes, and what each term measured at the start."""
    rig, curves = motion.rig, edited_curves(motion, request.layer)
    for joint in request.joints:
        rig.joint_index(joint)
    names = _free(rig, curves, request)
    if not request.terms:
        from inbetweener.guidance.terms.torque import Torque

        request = replace(request, terms=(Weighted(Torque.of(rig)),))
    channels = [rig.channel(name) for name in names]
    free = [curves[name] for name in names]
    height = max(chains.size(rig), 1e-9)
    loop = (motion.clip.start, motion.clip.end) if request.seamless and motion.clip.loops else None
    parameters = Parameters.of(free, channels, height, request.start, request.end, request.frozen, loop)
    if len(parameters) == 0:
        raise NothingToGuide(
            "no tangent may change: the chosen keys have no Bezier segment beside them, or all are frozen"
        )
    wiring, weight = Wiring.of(rig, names), _weight(motion, request, names, parameters.span)
    times, weights = gauss_nodes([c for c in curves.values() if len(c) > 1], *parameters.span)
    nodes = look(motion, parameters, wiring, weight, times, weights)
    moments = moments_at(wiring, parameters, nodes, weight, height, parameters.start)[0]
    units = tuple(_unit(each.term, moments) for each in request.terms)
    return Problem(
        motion, request, names, height, wiring, parameters, nodes, weight, units,
        _factors(rig, request, parameters, names), frozen(moments.positions),
        KeptStates.of(motion, request.constraints, parameters, wiring, weight, height),
        KeptClear.of(motion, request.clear, parameters, wiring, weight, height),
        ParameterLimits.of(parameters, [_room(motion, request.layer, c, curves[c.name]) for c in channels]),
        Profile.of(parameters.firsts) if len(parameters) > MANY else None,
    )  # fmt: skip


def look(
    motion: Motion, parameters: Parameters, wiring: Wiring, weight: Floats, times: Floats, weights: Floats
) -> Look:
    """Moments of the motion before."""
    channels = motion.channel_motion(times)
    own = parameters.motion(parameters.start, times)[0][..., :3]
    return Look(*map(frozen, (times, weights, channels, channels[:, wiring.columns] - weight[:, None] * own)))


def moments_at(
    wiring: Wiring, parameters: Parameters, at: Look, weight: Floats, height: float, x: Floats, derive: bool = True
) -> tuple[Moments, Floats, np.ndarray]:
    """What terms see with parameters x; and the derivatives and numbers of the local parameters."""
    motion, derivatives, indices = parameters.motion(x, at.times)
    if (weight != 1.0).any():
        motion, derivatives = weight[:, None] * motion, weight[:, None, None] * derivatives
    motion[..., :3] += at.offsets
    channels = at.channels.copy()
    channels[:, wiring.columns] = motion[..., :3]
    return Moments(wiring, at.times, at.weights, motion, channels, height, derive), derivatives, indices


def _unit(term: Term, moments: Moments) -> float:
    """What a residual of a term is divided by: its own unit, or its root mean square at these moments."""
    found, weights = checked(term, moments), moments.weights
    mean = float(np.sqrt((found.values**2).sum(axis=1) @ weights / weights.sum()))
    return max(mean, 1e-9) if found.unit is None else found.unit


def _free(rig: Rig, curves: Curves, request: GuideRequest) -> tuple[str, ...]:
    """The channels that move something and have tangents, in the rig's order."""
    for name in request.channels or ():
        rig.channel_index(name)
    driving = set(rig.dof_map.channels.tolist())
    wanted = [
        (i, channel.name)
        for i, channel in enumerate(rig.channels)
        if (channel.free if request.channels is None else channel.name in request.channels) and channel.kind != "bend"
    ]
    keyed = [(i, name) for i, name in wanted if name in curves]
    shaped = [(i, name) for i, name in keyed if (curves[name].interpolations[:-1] == BEZIER).any()]
    if not keyed:
        raise NothingToGuide("none of the chosen channels has keys; key them first")
    if not shaped:
        single = all(len(curves[name]) == 1 for _, name in keyed)
        reason = "have one key each: there is nothing between keys" if single else "have no Bezier segment"
        raise NothingToGuide(f"the chosen channels {reason}; add keys, or give them tangents")
    # Scales are left alone: a body that changes its size has no inverse dynamics.
    found = tuple(name for i, name in shaped if i in driving and rig.channels[i].kind != "scale")
    if not found:
        raise NothingToGuide(f"the chosen channels move no joint: {', '.join(name for _, name in shaped[:4])}")
    return found


def _factors(rig: Rig, request: GuideRequest, parameters: Parameters, names: tuple[str, ...]) -> Floats:
    """(P,) the largest factor of the joints that a parameter's channel drives; one for others."""
    of_channel = np.ones(len(names))
    for c, name in enumerate(names):
        found = [request.joints[d.joint] for d in rig.channel(name).drives if d.joint in request.joints]
        handle = next((h for h in rig.handles if name in h.channels), None)
        if handle is not None:
            found += [request.joints[j] for j in handle.joints if j in request.joints]
        if found:
            of_channel[c] = max(found)
    return frozen(of_channel[parameters.owners])


def _weight(motion: Motion, request: GuideRequest, names: tuple[str, ...], span: tuple[float, float]) -> Floats:
    """(C,) by how much the guided curves count, which must be the same all the time."""
    found = weights_of(motion, request.layer, names, np.linspace(*span, SAMPLES))
    if np.ptp(found, axis=0).any():
        owner = "the base" if request.layer is None else f"layer {request.layer!r}"
        raise NothingToGuide(f"the weight of {owner} changes over time; guide it at one weight, or merge it first")
    return frozen(found[0])


def _room(motion: Motion, layer: str | None, channel: Channel, curve: Curve) -> Floats:
    """(n−1, 2) lowest and highest value that a curve's segments may have, whatever other layers add."""
    segments = max(len(curve) - 1, 0)
    room = np.tile([channel.lower, channel.upper], (segments, 1))
    if not np.isfinite(room).any() or not shares_channel(motion, layer, channel.name):
        return room
    for k in range(segments):
        room[k] = np.sort(room_left(motion, layer, channel, curve, curve.times[k : k + 2]))
    return room
