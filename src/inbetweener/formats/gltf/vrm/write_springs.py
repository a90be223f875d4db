"""A document's springs as spring bones of the file that it came from: only what was changed is."""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from inbetweener.formats.gltf.vrm.spring_bones import NEW, OLD, SAME, TAIL, Json, Swinging, rest_places
from inbetweener.formats.gltf.vrm.swing import numbers_of, spring_of
from inbetweener.kinodynamics import Looseness, Spring
from inbetweener.rig.chains import children, descendants

SHARED = 0.01
"""Of air: what differs by less is the same share of what brings a bone to rest."""


def written(
    extensions: Json, swinging: Swinging, looseness: Looseness, node_of: Callable[[str], int | None]
) -> list[str]:
    """Put a document's springs into a file's extensions, where they are not as they were; a line for what is lost."""
    changes = swinging.changed(looseness)
    losses = []
    channels = [name for name in looseness.springs if name not in {joint.name for joint in swinging.rig.joints}]
    if channels:
        losses.append(f"springs of {len(channels)} single channels are left out: spring bones turn every way")
    if changes:
        rows = _Old(extensions, swinging) if OLD in extensions else _New(extensions, swinging)
        losses += rows.change(changes, node_of)
        losses += _shared(swinging, changes)
    if swinging.gravity is not None and abs(looseness.gravity - swinging.gravity) > SAME:
        _pull(extensions, looseness.gravity / swinging.pull)
    elif swinging.gravity is None and looseness.gravity:
        losses.append("gravity is left as the file has it, where it differs from bone to bone")
    return losses


def _shared(swinging: Swinging, changes: Mapping[str, Spring | None]) -> list[str]:
    """What is lost of springs that are damped in their joints and by air in other shares than a spring bone is."""
    lengths, other = swinging.lengths, 0
    for name, spring in changes.items():
        if spring is not None:
            again = spring_of(*numbers_of(spring, lengths[name]), lengths[name])
            other += again is None or abs(again.air - spring.air) > SHARED * max(again.air, spring.air)
    return [f"damping and air of {other} springs become one drag: VRM has no more"] if other else []


def _pull(extensions: Json, power: float) -> None:
    records: list[Json] = [joint for row in extensions.get(NEW, {}).get("springs", []) for joint in row["joints"]]
    records += extensions.get(OLD, {}).get("secondaryAnimation", {}).get("boneGroups", [])
    old = OLD in extensions
    for record in records:
        record["gravityPower"] = abs(power)
        if power < 0 or "gravityDir" in record:
            y = -1.0 if power >= 0 else 1.0
            record["gravityDir"] = {"x": 0.0, "y": y, "z": 0.0} if old else [0.0, y, 0.0]


@dataclass(slots=True)
class _New:
    """Rows of VRM 1.0 being changed."""

    extensions: Json
    swinging: Swinging

    def change(self, changes: Mapping[str, Spring | None], node_of: Callable[[str], int | None]) -> list[str]:
        held: Json = self.extensions.setdefault(NEW, {"specVersion": "1.0", "springs": []})
        rows: list[Json] = held.setdefault("springs", [])
        gone: dict[int, set[int]] = {}
        added = []
        for name, spring in changes.items():
            if name not in self.swinging.bones:
                added.append(name)
                continue
            bone, length = self.swinging.bones[name]
            i, j = bone.at
            if spring is None:
                gone.setdefault(i, set()).add(j)
            else:
                rows[i]["joints"][j].update(_numbers(spring, length, "stiffness"))
        held["springs"] = [part for i, row in enumerate(rows) for part in _parted(row, gone.get(i, set()))]
        return self._add(held["springs"], added, changes, node_of)

    def _add(
        self,
        rows: list[Json],
        added: list[str],
        changes: Mapping[str, Spring | None],
        node_of: Callable[[str], int | None],
    ) -> list[str]:
        """A row for every run of joints that were tight before."""
        rig, places = self.swinging.rig, rest_places(self.swinging.rig)
        left, endless = set(added), []
        for name in [joint.name for joint in rig.joints if joint.name in left]:
            if name not in left:
                continue
            run = [name]
            while run[-1] in left and (below := children(rig, run[-1])):
                left.discard(run[-1])
                run.append(next((each for each in below if each in left), below[0]))
            if run[-1] in left:
                left.discard(run[-1])
                endless.append(run[-1])
            joints: list[Json] = []
            for one, other in itertools.pairwise(run):
                length = float(np.linalg.norm(places[other] - places[one]))
                spring = changes[one]
                assert spring is not None
                joints.append({"node": node_of(one), **_numbers(spring, length, "stiffness")})
            if joints:
                rows.append({"name": name, "joints": [*joints, {"node": node_of(run[-1])}]})
        if endless:
            named = f"{endless[0]!r}" + (f" and {len(endless) - 1} more" if len(endless) > 1 else "")
            return [f"the springs of {named} are left out: nothing hangs on them that a spring bone could swing by"]
        return []


def _parted(row: Json, gone: set[int]) -> list[Json]:
    """A row without the bones that are tight now: what is left of it, each part with the node that it ends at."""
    if not gone:
        return [row]
    parts: list[list[Json]] = [[]]
    for j, joint in enumerate(row["joints"]):
        last = j == len(row["joints"]) - 1
        parts[-1].append(joint)
        if j in gone or last:
            parts.append([])
    return [{**row, "joints": part} for part in parts if len(part) > 1]


@dataclass(slots=True)
class _Old:
    """Groups of VRM 0.x being changed: one stiffness and one drag for all that hangs on a group's nodes."""

    extensions: Json
    swinging: Swinging

    def change(self, changes: Mapping[str, Spring | None], node_of: Callable[[str], int | None]) -> list[str]:
        held: Json = self.extensions[OLD].setdefault("secondaryAnimation", {"boneGroups": [], "colliderGroups": []})
        groups: list[Json] = held.setdefault("boneGroups", [])
        members: dict[int, list[str]] = {}
        for name, (bone, _) in self.swinging.bones.items():
            members.setdefault(bone.at[0], []).append(name)
        losses = []
        alone = self.swinging.alone
        for i, names in members.items():
            if not any(name in changes for name in names):
                continue
            now = {name: changes.get(name, alone.get(name)) for name in names}
            loose = {name: spring for name, spring in now.items() if spring is not None}
            if not loose:
                groups[i]["bones"] = []
                continue
            if len(loose) < len(names):
                losses.append(f"{len(names) - len(loose)} joints stay loose: VRM 0.x swings all that hangs on a bone")
            every = [numbers_of(spring, self.swinging.bones[name][1]) for name, spring in loose.items()]
            stiffness, drag = np.mean(every, axis=0)
            if np.ptp(every, axis=0)[0] > 1e-3 * stiffness or np.ptp(every, axis=0)[1] > 1e-3:
                losses.append(f"{len(loose)} springs get their mean: VRM 0.x has one stiffness and drag for a group")
            groups[i].update(stiffiness=float(stiffness), dragForce=float(drag))
        return [
            *losses,
            *self._add(groups, [name for name in changes if name not in self.swinging.bones], changes, node_of),
        ]

    def _add(
        self,
        groups: list[Json],
        added: list[str],
        changes: Mapping[str, Spring | None],
        node_of: Callable[[str], int | None],
    ) -> list[str]:
        rig, places = self.swinging.rig, rest_places(self.swinging.rig)
        new = set(added)
        tops = [name for name in added if (p := rig.joint(name).parent) < 0 or rig.joints[p].name not in new]
        for top in tops:
            row = [top, *(name for name in descendants(rig, top) if name in new)]
            every = []
            for name in row:
                child = next(iter(children(rig, name)), None)
                length = float(np.linalg.norm(places[child] - places[name])) if child else TAIL
                spring = changes[name]
                assert spring is not None
                every.append(numbers_of(spring, length))
            stiffness, drag = np.mean(every, axis=0)
            groups.append(
                {
                    "comment": top,
                    "stiffiness": float(stiffness),
                    "gravityPower": 0.0,
                    "gravityDir": {"x": 0.0, "y": -1.0, "z": 0.0},
                    "dragForce": float(drag),
                    "center": -1,
                    "hitRadius": 0.02,
                    "bones": [node_of(top)],
                    "colliderGroups": [],
                }
            )
        return []


def _numbers(spring: Spring, length: float, word: str) -> Json:
    stiffness, drag = numbers_of(spring, length)
    return {word: stiffness, "dragForce": drag}
