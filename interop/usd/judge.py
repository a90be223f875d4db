"""A USD file as usd-core itself sees it, beside the document that it was written from: no code of ours reads here."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.document import Document
from inbetweener.rig import Rig
from inbetweener.skinning import Skin

Floats = npt.NDArray[np.float64]
FRAMES = 5
"""Frames of a clip that are looked at."""


@dataclass
class Verdict:
    """Errors that usd-core finds, and how far joints and points are off, in parts of the height."""

    errors: list[str]
    joints: float = 0.0
    points: float = 0.0


def errors_of(path: Path) -> list[str]:
    """What all validators of usd-core say of a file."""
    from pxr import Usd, UsdValidation

    stage = Usd.Stage.Open(str(path))
    context = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())
    return [f"{each.GetName()}: {each.GetMessage()}" for each in context.Validate(stage)]


def judged(path: Path, document: Document, *, points: bool = True) -> Verdict:
    """A file beside a document without bends and looseness, in all its clips."""
    from pxr import Usd, UsdGeom

    verdict = Verdict(errors_of(path))
    rig = document.rig
    rest = rig.rest_world()[:, :, 3]
    height = float(np.ptp(np.concatenate([rest, *(mesh.vertices for mesh in document.meshes)]), axis=0).max()) or 1.0
    stage = Usd.Stage.Open(str(path))
    root = stage.GetDefaultPrim()
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    variants = root.GetVariantSets()
    for n, clip in enumerate(document.clips):
        if variants.HasVariantSet("clip"):
            names = variants.GetVariantSet("clip").GetVariantNames()
            assert len(names) == len(document.clips)
            scopes = [each.GetName() for each in root.GetChild("Clips").GetChildren()]
            assert variants.GetVariantSet("clip").SetVariantSelection(scopes[n])
        every = clip.frame_times
        times = every[np.unique(np.linspace(0, len(every) - 1, FRAMES).astype(int))]
        codes = times * stage.GetTimeCodesPerSecond()
        channels = document.motion(clip.name).channels(times)
        ours = rig.world_from_joint(channels)
        for name, placed in _joints(stage, codes).items():
            off = np.abs(placed[:, 3, :3] - ours[:, rig.joint_index(name), :, 3]).max()
            verdict.joints = max(verdict.joints, float(off) / height)
        if points and document.meshes:
            verdict.points = max(verdict.points, _points_off(path, document, rig, channels, codes, n) / height)
    return verdict


def _joints(stage: Any, codes: Floats) -> dict[str, Floats]:
    """World transforms (T, 4, 4), for rows, of all joints by name."""
    from pxr import Usd, UsdGeom, UsdSkel

    made: dict[str, Floats] = {}
    cache = UsdSkel.Cache()
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.Root):
            cache.Populate(UsdSkel.Root(prim), Usd.PrimDefaultPredicate)
        if prim.IsA(UsdSkel.Skeleton) and not prim.HasAttribute("inbetweener:again"):
            query = cache.GetSkelQuery(UsdSkel.Skeleton(prim))
            assert query
            names = UsdSkel.Skeleton(prim).GetJointNamesAttr().Get()
            placed = np.array([np.array(query.ComputeJointSkelTransforms(code)) for code in codes])
            world = np.array([np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code)) for code in codes])
            for n, name in enumerate(names):
                made[str(name)] = placed[:, n] @ world
        elif prim.HasAttribute("inbetweener:joint"):
            placed = np.array([np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code)) for code in codes])
            made[prim.GetAttribute("inbetweener:joint").Get()] = placed
    return made


def _points_off(path: Path, document: Document, rig: Rig, channels: Floats, codes: Floats, clip: int) -> float:
    """How far points that usd-core skins are from ours, which are blended linearly, at most."""
    from pxr import Gf, Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.Open(str(path))
    root = stage.GetDefaultPrim()
    if root.GetVariantSets().HasVariantSet("clip"):
        scopes = [each.GetName() for each in root.GetChild("Clips").GetChildren()]
        root.GetVariantSet("clip").SetVariantSelection(scopes[clip])
    # What is baked goes where the file is not changed; times are told there as the stage counts them.
    stage.GetSessionLayer().timeCodesPerSecond = stage.GetTimeCodesPerSecond()
    stage.SetEditTarget(stage.GetSessionLayer())
    assert UsdSkel.BakeSkinning(stage.Traverse(), Gf.Interval(float(codes[0]), float(codes[-1])))
    off = 0.0
    seen = 0
    for prim in stage.Traverse():
        if not prim.IsA(UsdGeom.Mesh):
            continue
        mesh = document.meshes[prim.GetAttribute("inbetweener:mesh").Get()]
        skin = Skin(mesh, rig)
        for n, code in enumerate(codes):
            matrix = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code))
            points = np.array(UsdGeom.Mesh(prim).GetPointsAttr().Get(code), np.float64)
            theirs = points @ matrix[:3, :3] + matrix[3, :3]
            off = max(off, float(np.abs(theirs - skin.vertices(channels[n])).max()))
            seen += 1
    assert seen == len([m for m in document.meshes if len(m.triangles)]) * len(codes)
    return off
