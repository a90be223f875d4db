"""The JSON of a glTF 2.0 file as typed structures: only the parts that we read or write.

Unknown properties are ignored, as the specification asks. Indices are checked to be whole and not negative here;
whether they point at something is checked where they are followed.
"""

from typing import Annotated, Any, Literal

import msgspec

Index = Annotated[int, msgspec.Meta(ge=0)]
Count = Annotated[int, msgspec.Meta(ge=1)]
Offset = Annotated[int, msgspec.Meta(ge=0)]
Vector3 = tuple[float, float, float]
Vector4 = tuple[float, float, float, float]
Extensions = dict[str, Any]

ComponentType = Literal[5120, 5121, 5122, 5123, 5125, 5126]
ElementType = Literal["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"]
SamplerMode = Literal["LINEAR", "STEP", "CUBICSPLINE"]

POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN = range(7)
VERTEX_DATA, VERTEX_INDICES = 34962, 34963

WEBP = "EXT_texture_webp"
"""The extension by which a texture may be WebP; without it glTF has PNG and JPEG."""
EXTRAS = "inbetweener"
"""Under this name our own files keep a clip's range, rate and loop, which glTF has no place for."""


INSTANCING = "EXT_mesh_gpu_instancing"
"""The extension by which a node shows its mesh in many places."""
UNUSED = {EXTRAS: "unused"}
"""Extras of what stands in a list only so that all behind it keep their numbers."""
FREE: dict[str, dict[str, Any]] = {
    "accessors": {"componentType": 5126, "type": "SCALAR", "count": 1, "extras": UNUSED},
    "bufferViews": {"buffer": 0, "byteLength": 4, "extras": UNUSED},
}
"""What stands in the place of those of each list."""


def unused(extras: Any) -> bool:
    """Whether something says of itself that it is there for its number only."""
    return bool(extras == UNUSED)


class Record(msgspec.Struct, rename="camel", omit_defaults=True, kw_only=True):
    """Base of all: camel-case names in the file, defaults left out when writing."""


class Asset(Record):
    """Which glTF this is."""

    version: str
    generator: str | None = None
    min_version: str | None = None
    copyright: str | None = None


class Buffer(Record):
    """A block of bytes, in the file or beside it."""

    byte_length: Count
    uri: str | None = None
    extensions: Extensions = {}


class BufferView(Record):
    """A stretch of a buffer."""

    buffer: Index
    byte_length: Count
    byte_offset: Offset = 0
    byte_stride: Annotated[int, msgspec.Meta(ge=4, le=252)] | None = None
    target: int | None = None
    extensions: Extensions = {}


class SparseIndices(Record):
    """Which elements of a sparse accessor differ."""

    buffer_view: Index
    component_type: Literal[5121, 5123, 5125]
    byte_offset: Offset = 0


class SparseValues(Record):
    """What they are instead."""

    buffer_view: Index
    byte_offset: Offset = 0


class Sparse(Record):
    """Elements that replace those of the accessor's buffer view."""

    count: Count
    indices: SparseIndices
    values: SparseValues


class Accessor(Record):
    """A typed view of numbers."""

    component_type: ComponentType
    type: ElementType
    count: Count
    buffer_view: Index | None = None
    byte_offset: Offset = 0
    normalized: bool = False
    min: list[float] | None = None
    max: list[float] | None = None
    sparse: Sparse | None = None
    extras: Any = None


class Node(Record):
    """A transform in the tree, which may carry a mesh."""

    name: str | None = None
    children: list[Index] = []
    mesh: Index | None = None
    skin: Index | None = None
    camera: Index | None = None
    matrix: Annotated[list[float], msgspec.Meta(min_length=16, max_length=16)] | None = None
    translation: Vector3 | None = None
    rotation: Vector4 | None = None
    scale: Vector3 | None = None
    weights: list[float] | None = None
    extensions: Extensions = {}
    extras: Any = None


class Scene(Record):
    """Root nodes."""

    nodes: list[Index] = []
    name: str | None = None


class Skin(Record):
    """Joints that deform a mesh."""

    joints: Annotated[list[Index], msgspec.Meta(min_length=1)]
    inverse_bind_matrices: Index | None = None
    skeleton: Index | None = None
    name: str | None = None


class Primitive(Record):
    """A part of a mesh with one material."""

    attributes: dict[str, Index]
    indices: Index | None = None
    material: Index | None = None
    mode: Annotated[int, msgspec.Meta(ge=0, le=6)] = TRIANGLES
    targets: list[dict[str, Index]] = []
    extensions: Extensions = {}
    extras: Any = None


class MeshRecord(Record):
    """Primitives that share nodes, skins and morph weights."""

    primitives: Annotated[list[Primitive], msgspec.Meta(min_length=1)]
    name: str | None = None
    weights: list[float] | None = None
    extras: Any = None


class TextureInfo(Record):
    """A texture and the set of coordinates it is looked up with."""

    index: Index
    tex_coord: Index = 0
    extensions: Extensions = {}


class Metallic(Record):
    """The base of the material model; only the base colour is used."""

    base_color_factor: Vector4 = (1.0, 1.0, 1.0, 1.0)
    base_color_texture: TextureInfo | None = None
    metallic_factor: float = 1.0
    roughness_factor: float = 1.0
    metallic_roughness_texture: Any = None


class MaterialRecord(Record):
    """How a surface looks."""

    name: str | None = None
    pbr_metallic_roughness: Metallic | None = None
    normal_texture: Any = None
    occlusion_texture: Any = None
    emissive_texture: Any = None
    double_sided: bool = False
    alpha_mode: str = "OPAQUE"
    extensions: Extensions = {}


class Texture(Record):
    """An image and how it is sampled."""

    source: Index | None = None
    sampler: Index | None = None
    extensions: Extensions = {}


class Image(Record):
    """An encoded picture."""

    uri: str | None = None
    mime_type: str | None = None
    buffer_view: Index | None = None
    name: str | None = None


class Target(Record):
    """What an animation channel moves."""

    path: str
    node: Index | None = None


class AnimationChannel(Record):
    """A sampler and what it moves."""

    sampler: Index
    target: Target


class AnimationSampler(Record):
    """Key times and values."""

    input: Index
    output: Index
    interpolation: str | int = "LINEAR"
    """Text, by the letter of glTF; a real exporter writes 0."""


class Animation(Record):
    """A clip."""

    channels: list[AnimationChannel]
    samplers: list[AnimationSampler]
    name: str | None = None
    extras: Any = None


class Gltf(Record):
    """A whole file."""

    asset: Asset
    scene: Index | None = None
    scenes: list[Scene] = []
    nodes: list[Node] = []
    meshes: list[MeshRecord] = []
    skins: list[Skin] = []
    animations: list[Animation] = []
    materials: list[MaterialRecord] = []
    textures: list[Texture] = []
    images: list[Image] = []
    accessors: list[Accessor] = []
    buffer_views: list[BufferView] = []
    buffers: list[Buffer] = []
    cameras: list[Any] = []
    extensions: Extensions = {}
    extensions_used: list[str] = []
    extensions_required: list[str] = []
