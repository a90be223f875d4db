"""Materials and their pictures, each written once."""

from dataclasses import replace

from inbetweener.formats.gltf.schema import PICTURES, Image, MaterialRecord, Metallic, Texture, TextureInfo
from inbetweener.formats.gltf.writing.packing import Packer
from inbetweener.skinning import Material, Mesh


class Materials:
    """Collects materials, textures and images."""

    def __init__(self, packer: Packer, losses: list[str]) -> None:
        self.packer = packer
        self.losses = losses
        self.records: list[MaterialRecord] = []
        self.textures: list[Texture] = []
        self.images: list[Image] = []
        self._known: dict[tuple[Material, bool], int] = {}
        self._pictures: dict[bytes, int | None] = {}

    def index(self, mesh: Mesh) -> int:
        """The number of a mesh's material."""
        material = mesh.material
        if mesh.uvs is None:
            # A texture without coordinates would be an error in the file.
            material = replace(material, texture=None)
        sheer = material.colour[3] < 1 or (mesh.colours is not None and bool((mesh.colours[:, 3] < 1).any()))
        if (material, sheer) not in self._known:
            self._known[material, sheer] = len(self.records)
            self.records.append(self._record(material, sheer))
        return self._known[material, sheer]

    def _record(self, material: Material, sheer: bool) -> MaterialRecord:
        texture = None if material.texture is None else self._texture(material)
        red, green, blue, alpha = (min(max(float(part), 0.0), 1.0) for part in material.colour)
        return MaterialRecord(
            name=material.name or None,
            pbr_metallic_roughness=Metallic(
                base_color_factor=(red, green, blue, alpha),
                base_color_texture=None if texture is None else TextureInfo(index=texture),
                metallic_factor=0.0,
            ),
            double_sided=material.double_sided,
            alpha_mode="BLEND" if sheer else "OPAQUE",
        )

    def _texture(self, material: Material) -> int | None:
        picture = material.texture
        assert picture is not None
        if picture not in self._pictures:
            mime = next((mime for magic, mime in PICTURES.items() if picture.startswith(magic)), None)
            if mime is None:
                self.losses.append(f"the texture of material {material.name!r} is neither PNG nor JPEG; left out")
                self._pictures[picture] = None
            else:
                self._pictures[picture] = len(self.textures)
                self.textures.append(Texture(source=len(self.images)))
                self.images.append(Image(buffer_view=self.packer.picture(picture), mime_type=mime))
        return self._pictures[picture]
