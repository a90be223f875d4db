"""Compiled fit of Euler curves to quaternion keys.

Between two keys the curve is compared with the true path at a few samples, and halved until it fits. Fractions of a
segment are dyadic, so they add up exactly.
"""

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.curves.key import BEZIER, CONSTANT, LINEAR
from inbetweener.formats.gltf.kernels import (
    FINEST,
    SAMPLES,
    Quad,
    Triple,
    angle_between,
    angle_rates,
    from_angles,
    hermite,
    mixed,
    nearest_angles,
    path_at,
    row,
)
from inbetweener.kernels import inlined, kernel


@inlined
def misfit(
    a: Quad, ma: Quad, b: Quad, mb: Quad, is_cubic: bool, s0: float, s1: float,
    e0: Triple, d0: Triple, e1: Triple, d1: Triple, order: Ints, straight: bool,
) -> float:  # fmt: skip
    """The largest angle between the path and the Euler angles interpolated from e0 to e1 (slopes d0, d1 by s)."""
    worst = 0.0
    h = s1 - s0
    for n in range(1, SAMPLES):
        f = n / SAMPLES
        if straight:
            x = e0[0] + f * (e1[0] - e0[0])
            y = e0[1] + f * (e1[1] - e0[1])
            z = e0[2] + f * (e1[2] - e0[2])
        else:
            mixture, _ = hermite(
                (e0[0], e0[1], e0[2], 0.0),
                (h * d0[0], h * d0[1], h * d0[2], 0.0),
                (e1[0], e1[1], e1[2], 0.0),
                (h * d1[0], h * d1[1], h * d1[2], 0.0),
                f,
            )
            x, y, z = mixture[0], mixture[1], mixture[2]
        q, _ = path_at(a, ma, b, mb, is_cubic, s0 + f * h)
        worst = max(worst, angle_between(q, from_angles((x, y, z), order)))
    return worst


@kernel(
    "i8(const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(f8[:,::1]), const(u1[::1]), const(i8[::1]), f8, f8,"
    "f8[::1], f8[:,::1], f8[:,::1], f8[:,::1], u1[::1])"
)
def fit_angles(
    times: Floats,
    keys: Floats,
    ins: Floats,
    outs: Floats,
    kinds: Bytes,
    order: Ints,
    sign: float,
    tolerance: float,
    made_times: Floats,
    made_angles: Floats,
    made_ins: Floats,
    made_outs: Floats,
    made_kinds: Bytes,
) -> int:
    """Euler keys along quaternion keys (n, 4) with slopes `ins`, `outs` where a segment is BEZIER (a glTF cubic).

    Every given key is kept, with the exact slopes of the path on either side; more keys come only where the angles
    would leave the path by more than `tolerance` radians. Returns the number of keys made, −1 when they do not fit.
    """
    angles = nearest_angles(row(keys, 0), order, sign, (0.0, 0.0, 0.0))
    made_times[0] = times[0]
    made_angles[0, 0], made_angles[0, 1], made_angles[0, 2] = angles
    made_ins[0] = 0.0
    made_outs[0] = 0.0
    made_kinds[0] = kinds[0]
    count = 1
    for k in range(len(times) - 1):
        h = times[k + 1] - times[k]
        a, b = row(keys, k), row(keys, k + 1)
        is_cubic = kinds[k] == BEZIER
        ma, mb = mixed(row(outs, k), a, h, 0.0), mixed(row(ins, k + 1), a, h, 0.0)
        # How far the path turns in all, to follow the angles in small steps.
        travel = 0.0
        if is_cubic:
            before = a
            for n in range(1, 17):
                q, _ = path_at(a, ma, b, mb, True, n / 16.0)
                travel += angle_between(before, q)
                before = q
        elif kinds[k] == LINEAR:
            travel = angle_between(a, b)
        at, step = 0.0, 1.0
        while at < 1.0:
            if count >= len(made_times):
                return -1
            to = at + step
            # The angles at the far end, by continuity; a held segment jumps there instead.
            end = angles
            hops = 1 + int(travel * step / 0.15) if kinds[k] != CONSTANT else 1
            for n in range(1, hops + 1):
                q, spin = path_at(a, ma, b, mb, is_cubic, at + step * (n / hops))
                end = nearest_angles(q, order, sign, end)
            d0 = d1 = (0.0, 0.0, 0.0)
            kind = CONSTANT
            if kinds[k] != CONSTANT:
                _, start_spin = path_at(a, ma, b, mb, is_cubic, at)
                d0, ok0 = angle_rates(angles, start_spin, order, sign)
                d1, ok1 = angle_rates(end, spin, order, sign)
                kind = LINEAR
                # Two keys a rounding apart stand for a jump: nothing between them is worth a key.
                if step > FINEST and h > 1e-6 * (1.0 + abs(times[k])):
                    smooth = ok0 and ok1
                    fits = (not is_cubic or not smooth) and (
                        misfit(a, ma, b, mb, is_cubic, at, to, angles, d0, end, d1, order, True) <= tolerance
                    )
                    if smooth and not fits:
                        kind = BEZIER
                        fits = misfit(a, ma, b, mb, is_cubic, at, to, angles, d0, end, d1, order, False) <= tolerance
                    if not fits:
                        step *= 0.5
                        continue
            made_kinds[count - 1] = kind
            made_times[count] = times[k + 1] if to == 1.0 else times[k] + to * h
            made_angles[count, 0], made_angles[count, 1], made_angles[count, 2] = end
            made_ins[count, 0], made_ins[count, 1], made_ins[count, 2] = d1[0] / h, d1[1] / h, d1[2] / h
            made_outs[count - 1, 0] = d0[0] / h
            made_outs[count - 1, 1] = d0[1] / h
            made_outs[count - 1, 2] = d0[2] / h
            made_outs[count] = 0.0
            made_kinds[count] = kind
            angles = end
            at = to
            count += 1
            # Coarser again as soon as the coarser grid is met.
            while step < 1.0 and at % (2.0 * step) == 0.0:
                step *= 2.0
    return count
