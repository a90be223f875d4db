"""How a document stands on a stage: which joints are of skeletons, which are nodes, under which paths."""

from dataclasses import dataclass, field

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.document import Document
from inbetweener.formats.polygons import is_rigid
from inbetweener.formats.usd.prims import Idents
from inbetweener.formats.usd.splines import codes_of
from inbetweener.maths import euler, quaternions, transforms
from inbetweener.motion import Clip, Motion
from inbetweener.rig import ROOT
from inbetweener.rig.characters import characters

SKELETON = "Skeleton"
CHARACTER = "Character"
CLIPS, MATERIALS, PROPS = "Clips", "Materials", "Props"
VARIANTS = "clip"
"""The variant set that chooses which clip is played."""


@dataclass(frozen=True, slots=True, eq=False)
class Bones:
    """A skeleton of the file: its SkelRoot's path, our joints by number, their tokens, and shape channels by name.

    `scales` (J,) of all our joints are what is taken out of their transforms: see `Layout`.
    """

    root: str
    ident: str
    joints: tuple[int, ...]
    tokens: list[str]
    shapes: list[str]

    @property
    def path(self) -> str:
        """Of the skeleton itself."""
        return f"{self.root}/{SKELETON}"


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What an animation says of a skeleton at its time codes (F,): one row for all where nothing moves."""

    codes: Floats
    translations: Floats
    rotations: Floats
    scales: Floats
    weights: Floats
    rounded: int
    """How many joints have scales that half precision does not hold."""


@dataclass(slots=True, eq=False)
class Played:
    """A clip on its frames: channels (F, C) and degrees of freedom (F, 9 J)."""

    clip: Clip
    ident: str
    channels: Floats
    dofs: Floats


@dataclass(slots=True, eq=False)
class Layout:
    """A document without bends and looseness, laid out.

    UsdSkel keeps scales in half precision. Where a joint has one even scale for good that half precision does not
    hold, it is taken out: into the translations of the joints below it and its bind transform. `scales` (J,) is what
    is taken out of each joint's world transform.
    """

    document: Document
    root: str = field(init=False)
    bones: list[Bones] = field(init=False)
    nodes: dict[int, str] = field(init=False)
    """Paths of joints that are nodes."""
    played: list[Played] = field(init=False)
    scales: Floats = field(init=False)
    rate: float = field(init=False)

    def __post_init__(self) -> None:
        document, rig = self.document, self.document.rig
        self.root = "/" + Idents().unused(document.name)
        self.rate = document.clips[0].rate if document.clips else 24.0
        clips = Idents()
        self.played = []
        for clip in document.clips:
            channels = Motion(rig, clip).channels(clip.frame_times)
            self.played.append(Played(clip, clips.unused(clip.name), channels, rig.dof_map.dofs(channels)))
        self._place()
        self.scales = self._taken_out()

    def _place(self) -> None:
        rig, meshes = self.document.rig, self.document.meshes
        tops = np.zeros(len(rig.joints), np.int64)
        for j, joint in enumerate(rig.joints):
            tops[j] = j if joint.parent == ROOT else tops[joint.parent]
        skinned, shown = _trees(self.document, tops)
        taken = Idents(CLIPS, MATERIALS, PROPS)
        self.bones, self.nodes = [], {}
        for own in _joined(self.document, tops):
            trees = set(tops[list(own)].tolist())
            # What only carries parts is moved by nodes; what nothing is bound to is a skeleton all the same.
            plain = {top for top in trees if top in shown and top not in skinned}
            boned = tuple(j for j in own if tops[j] not in plain)
            if boned:
                name = next((each.name for each in characters(rig) if boned[0] in each.joints and each.name), CHARACTER)
                ident = taken.unused(name)
                names = {rig.joints[j].name for j in boned}
                shapes = [s.channel for mesh in meshes if set(mesh.joints) & names for s in mesh.shapes]
                self.bones.append(
                    Bones(f"{self.root}/{ident}", ident, boned, self._tokens(boned), list(dict.fromkeys(shapes)))
                )
            below: dict[int, Idents] = {}
            for j in own:
                if tops[j] in plain:
                    parent = rig.joints[j].parent
                    idents = taken if parent == ROOT else below.setdefault(parent, Idents())
                    above = self.root if parent == ROOT else self.nodes[parent]
                    self.nodes[j] = f"{above}/{idents.unused(rig.joints[j].name)}"

    def _tokens(self, joints: tuple[int, ...]) -> list[str]:
        rig = self.document.rig
        below: dict[int, Idents] = {}
        made: dict[int, str] = {}
        for j in joints:
            parent = rig.joints[j].parent
            ident = below.setdefault(parent, Idents()).unused(rig.joints[j].name)
            made[j] = ident if parent == ROOT else f"{made[parent]}/{ident}"
        return [made[j] for j in joints]

    def _taken_out(self) -> Floats:
        rig = self.document.rig
        made = np.ones(len(rig.joints))
        seen = [each.dofs for each in self.played] or [rig.dof_map.dofs(rig.defaults[None])]
        within = {j for bones in self.bones for j in bones.joints}
        for j, joint in enumerate(rig.joints):
            made[j] = 1.0 if joint.parent == ROOT else made[joint.parent]
            own = np.concatenate([each[:, 9 * j + 6 : 9 * j + 9] for each in seen])
            first = float(own[0, 0])
            if (
                j in within
                and first > 0
                and float(np.float16(first)) != first
                and np.abs(own - first).max() <= 1e-9 * first
            ):
                made[j] *= first
        return made

    def animation(self, bones: Bones, played: Played) -> str:
        """The path of what a clip says of a skeleton."""
        return f"{self.root}/{CLIPS}/{played.ident}/{bones.ident}"

    def chosen(self, path: str, played: Played) -> str:
        """The path at which more is said of the prim at `path` while a clip is the chosen one."""
        below = path.removeprefix(f"{self.root}/") if path != self.root else ""
        return f"{self.root}{{{VARIANTS}={played.ident}}}{below}"

    def rest(self, bones: Bones) -> Floats:
        """The rest transforms (n, 3, 4) of a skeleton."""
        made = np.stack([self.document.rig.joints[j].rest.matrix() for j in bones.joints])
        above, own = self._above(bones), self.scales[list(bones.joints)]
        made[:, :, 3] *= above[:, None]
        made[:, :, :3] *= (above / own)[:, None, None]
        return made

    def rows(self, bones: Bones, played: Played) -> Rows:
        """What a clip says of a skeleton."""
        rig, count = self.document.rig, len(played.dofs)
        joints = list(bones.joints)
        dofs = played.dofs.reshape(count, -1, 9)[:, joints]
        above, own = self._above(bones), self.scales[joints]
        turns = np.empty((count, len(joints), 4))
        for n, j in enumerate(joints):
            turn = quaternions.from_matrix(euler.to_matrix(dofs[:, n, 3:6], rig.joints[j].order))
            turns[:, n] = quaternions.continuous(quaternions.product(rig.joints[j].rest.rotation, turn))
        shifts, scales = dofs[:, :, :3] * above[:, None], dofs[:, :, 6:] * (above / own)[:, None]
        off = int((scales.astype(np.float16) != scales).any(axis=(0, 2)).sum())
        if off:
            shifts, turns, scales = self._rounded(bones, shifts, turns, scales)
        weights = played.channels[:, [rig.channel_index(name) for name in bones.shapes]]
        return Rows(
            codes_of(played.clip.frame_times, self.rate),
            _thinned(shifts),
            _thinned(turns),
            _thinned(scales),
            _thinned(weights),
            off,
        )

    def _above(self, bones: Bones) -> Floats:
        parents = [self.document.rig.joints[j].parent for j in bones.joints]
        return np.array([1.0 if parent == ROOT else self.scales[parent] for parent in parents])

    def _rounded(self, bones: Bones, shifts: Floats, turns: Floats, scales: Floats) -> tuple[Floats, Floats, Floats]:
        """What moves joints (F, n, …), with scales in half precision, so that what one is off no other one inherits."""
        number = {j: n for n, j in enumerate(bones.joints)}
        parents = [number.get(self.document.rig.joints[j].parent, ROOT) for j in bones.joints]
        local = transforms.compose(shifts, turns, scales)
        wanted, made = np.empty_like(local), np.empty_like(local)
        shifts, turns, scales = shifts.copy(), turns.copy(), scales.copy()
        for n, parent in enumerate(parents):
            wanted[:, n] = local[:, n] if parent == ROOT else transforms.product(wanted[:, parent], local[:, n])
            if parent != ROOT and (made[:, parent] != wanted[:, parent]).any():
                sound = np.abs(np.linalg.det(made[:, parent, :, :3])) > 1e-12
                own = transforms.product(transforms.inverse(made[sound, parent]), wanted[sound, n])
                shifts[sound, n], turns[sound, n], scales[sound, n], _ = transforms.decompose(own)
                turns[:, n] = quaternions.continuous(turns[:, n])
            scales[:, n] = scales[:, n].astype(np.float16)
            own = transforms.compose(shifts[:, n], turns[:, n], scales[:, n])
            made[:, n] = own if parent == ROOT else transforms.product(made[:, parent], own)
        return shifts, turns, scales


def _thinned(values: Floats) -> Floats:
    """One row where all are the same."""
    return values[:1] if len(values) and (values == values[:1]).all() else values


def _trees(document: Document, tops: Ints) -> tuple[set[int], set[int]]:
    """Trees, by their topmost joint, that a skin or a shape needs as a skeleton, and those that carry any mesh."""
    skinned, shown = set[int](), set[int]()
    for mesh in document.meshes:
        trees = {int(tops[document.rig.joint_index(name)]) for name in mesh.joints}
        shown |= trees
        if not is_rigid(mesh) or mesh.shapes:
            skinned |= trees
    return skinned, shown


def _joined(document: Document, tops: Ints) -> list[tuple[int, ...]]:
    """Joints by character; those of one where a mesh is bound to several."""
    groups = [set(each.joints) for each in characters(document.rig) if each.joints]
    for mesh in document.meshes:
        used = {document.rig.joint_index(name) for name in mesh.joints}
        met = [group for group in groups if group & used]
        if len(met) > 1:
            groups = [group for group in groups if not group & used]
            groups.append(set().union(*met))
    return [tuple(sorted(group)) for group in groups]
