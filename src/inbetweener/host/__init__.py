"""Inside other programs: rigs whose joints a host turns or measures, and being ready without holding it up.

A host keeps its own rig and curves. Where joints turn by quaternions, a `TurnedRig` knows them exactly; where a host
alone knows what its controls do, a `MeasuredRig` asks it. Motions, drags and certificates are those of `motion` and
`tangents`. None of this needs more than numba, daqp, platformdirs and msgspec.
"""

from inbetweener.host.measured import MeasuredRig, live_channels, measured_rig
from inbetweener.host.ready import WarmUp
from inbetweener.host.turned import Quaternion, TurnedRig, quaternion_joint

__all__ = [
    "MeasuredRig",
    "Quaternion",
    "TurnedRig",
    "WarmUp",
    "live_channels",
    "measured_rig",
    "quaternion_joint",
]
