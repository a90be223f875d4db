"""Rotations where mathematics is touchy: anywhere, and close to no turn, half a turn and a full one."""

import numpy as np
from hypothesis import strategies as st

from inbetweener.maths import quaternions

component = st.floats(-1, 1, allow_subnormal=False)
axes = (
    st.tuples(component, component, component)
    .filter(lambda v: np.linalg.norm(v) > 1e-3)
    .map(lambda v: np.array(v) / np.linalg.norm(v))
)
tiny = st.sampled_from([0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-4])
angles = st.floats(-7, 7) | st.builds(
    lambda centre, off, sign: centre + sign * off,
    st.sampled_from([0.0, np.pi, -np.pi, 2 * np.pi]),
    tiny,
    st.sampled_from([1, -1]),
)
rotations = st.builds(quaternions.from_axis_angle, axes, angles)
orders = st.sampled_from(["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
# Angles at and around the poles as well as anywhere, full turns included.
poles = st.builds(
    lambda c, off, s: c + s * off, st.sampled_from([np.pi / 2, -np.pi / 2]), tiny, st.sampled_from([1, -1])
)
euler_angles = st.tuples(angles, angles | poles, angles).map(np.array)
