"""BVH: a hierarchy of joints and a table of samples, as text.

How we read what the format leaves open:

- Position channels are absolute: they replace the OFFSET of their joint along their axis, on the root and elsewhere.
- A joint's transform is translation, then rotations in the order in which the file lists them, wherever the
  position channels stand.
- An End Site becomes a named point "JOINT_end" on its joint, not a joint; it is written back as an End Site.
- Samples become linear keys on every frame; a channel that never changes becomes a single key.
- A frame is a rotation of every joint, and from one to the next a joint turns straight. Angles lose or gain whole turns
  so that none jumps by more than half a turn; where they would still break, over the pole of their order, the joint
  turns in another order here, with keys between frames where none will do, and in its own when written back.
- Lengths and the up axis have no place in the format: both are guessed, reported, and kept for writing back.
"""

from inbetweener.formats.bvh.read import read
from inbetweener.formats.bvh.write import write

__all__ = ["read", "write"]
