"""How the vertices of a character follow its joints."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from inbetweener.document.document import Document
from inbetweener.document.edits.result import Result
from inbetweener.errors import UnknownName
from inbetweener.skinning import BLENDINGS, Blending, Mesh, check_weights


@dataclass(frozen=True, slots=True, repr=False)
class SkinResult(Result):
    """A character, blended or bound otherwise; `bound` names the meshes whose weights were found."""

    bound: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """How it is blended, and what makes all ways look alike."""
        found = f", weights of {', '.join(self.bound)} found" if self.bound else ""
        return f"{self.document.name}: {self.document.blending} blending{found}", *self.remarks

    @property
    def facts(self) -> dict[str, Any]:
        """The same, and how many vertices meshes have."""
        meshes = {mesh.name: len(mesh.vertices) for mesh in self.document.meshes}
        return {"blending": self.document.blending, "meshes": meshes}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What makes all ways of blending look alike."""
        document = self.document
        if not document.meshes:
            return (f"{document.name} has no mesh: there is nothing to blend",)
        if all(_is_rigid(mesh) for mesh in document.meshes) and len(document.rig.joints) > 1:
            return ("every vertex follows a single joint, which all methods carry alike; automatic weights differ",)
        return ()


def skin(
    document: Document, method: Blending | None = None, *, weights: Literal["keep", "auto"] = "keep"
) -> SkinResult:
    """Blend all meshes in one of the ways of `Blending`, or as now, and keep their weights or find new ones.

    Weights that are kept must be sound. Automatic ones are found by heat along the bones; rigid parts such as eyes are
    left alone, unless there is nothing else.
    """
    bound: tuple[str, ...] = ()
    if method is not None and method not in BLENDINGS:
        raise UnknownName("way of blending", method, BLENDINGS)
    if weights == "auto" and document.meshes:
        from inbetweener.skinning.automatic import bind

        bare = all(_is_rigid(mesh) for mesh in document.meshes)
        bound = tuple(mesh.name for mesh in document.meshes if bare or not _is_rigid(mesh))
        made = (bind(mesh, document.rig) if bare or not _is_rigid(mesh) else mesh for mesh in document.meshes)
        document = replace(document, meshes=tuple(made))
    else:
        for mesh in document.meshes:
            check_weights(mesh)
    if method is not None and method != document.blending:
        document = replace(document, blending=method)
    return SkinResult(document, bound)


def _is_rigid(mesh: Mesh) -> bool:
    return bool(((mesh.weights > 0.0).sum(axis=1) <= 1).all())
