"""Extensions: those we understand, those we can do without, and those that hide the data itself."""

from inbetweener.formats.gltf.reading.source import Source

UNDERSTOOD = frozenset({"KHR_mesh_quantization", "KHR_texture_transform"})
COMPRESSION = frozenset({"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"})
_LOOKS = ("KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp")
"""Extensions with these beginnings change how things look, never how they move."""


def check_extensions(source: Source) -> None:
    """Refuse files whose required extensions hide vertices or motion; note the others."""
    gltf = source.gltf
    for n, name in enumerate(gltf.extensions_required):
        if name in UNDERSTOOD or name.startswith(_LOOKS):
            continue
        remedy = (
            "save the file again without compression"
            if name in COMPRESSION
            else "export the file without this extension"
        )
        source.fail(f"/extensionsRequired/{n}", f"needs the extension {name[:60]}, which is not supported", remedy)
    ignored = [name for name in dict.fromkeys(gltf.extensions_used) if name not in UNDERSTOOD]
    if ignored:
        shown = ", ".join(name[:60] for name in ignored[:8]) + (" …" if len(ignored) > 8 else "")
        source.note("/extensionsUsed", f"not supported, and not needed to open the file: {shown}")
