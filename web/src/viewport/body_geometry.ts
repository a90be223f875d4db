import { BufferAttribute, BufferGeometry, DataTexture, FloatType, NearestFilter, RGBAFormat } from "three";
import type { MeshArrays } from "./mesh_arrays";
import { shapeNormals, strongest, vertexNormals } from "./skinning";

export const SHAPE_COLUMNS = 2048;

/** A mesh on its way to the GPU: its buffers, its blend shapes, and which switches of the shader they need. */
export interface BodyGeometry {
  geometry: BufferGeometry;
  /** Two texels a vertex and shape: offset, and turn of the normal. */
  shapes: DataTexture | null;
  defines: Record<string, "">;
  dispose(): void;
}

export function bodyGeometry(mesh: MeshArrays): BodyGeometry {
  const geometry = new BufferGeometry();
  const defines: Record<string, ""> = { SKINNED: "" };
  const put = (name: string, array: Float32Array | Uint16Array, each: number): void => {
    geometry.setAttribute(name, new BufferAttribute(array, each));
  };
  put("position", mesh.vertices, 3);
  put("normal", mesh.normals ?? vertexNormals(mesh.vertices, mesh.triangles), 3);
  if (mesh.uvs) put("uv", mesh.uvs, 2);
  if (mesh.colours) {
    put("tint", withoutAlpha(mesh.colours), 3);
    defines.TINTED = "";
  }
  const { each, bones, weights } = strongest(mesh.influencesEach, mesh.influences, mesh.weights);
  put("bonesA", fours(bones, each, 0), 4);
  put("weightsA", fours(weights, each, 0), 4);
  if (each === 8) {
    put("bonesB", fours(bones, each, 4), 4);
    put("weightsB", fours(weights, each, 4), 4);
    defines.EIGHT = "";
  }
  geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
  const shapes = mesh.shapes.length > 0 ? shapeTexture(mesh) : null;
  if (shapes) defines.SHAPED = "";
  return {
    geometry,
    shapes,
    defines,
    dispose: () => {
      geometry.dispose();
      shapes?.dispose();
    },
  };
}

function shapeTexture(mesh: MeshArrays): DataTexture {
  const vertices = mesh.vertices.length / 3;
  const rows = Math.ceil((2 * vertices * mesh.shapes.length) / SHAPE_COLUMNS);
  const numbers = new Float32Array(4 * SHAPE_COLUMNS * rows);
  const turns = shapeNormals(mesh.vertices, mesh.triangles, mesh.shapes);
  mesh.shapes.forEach((offsets, s) => {
    for (let v = 0; v < vertices; v++) {
      const at = 8 * (s * vertices + v);
      numbers.set(offsets.subarray(3 * v, 3 * v + 3), at);
      numbers.set(turns[s].subarray(3 * v, 3 * v + 3), at + 4);
    }
  });
  const texture = new DataTexture(numbers, SHAPE_COLUMNS, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

function fours<T extends Float32Array | Uint16Array>(all: T, each: number, from: number): T {
  if (each === 4) return all;
  const part = new (all.constructor as new (length: number) => T)((4 * all.length) / each);
  for (let v = 0; v < all.length / each; v++) part.set(all.subarray(v * each + from, v * each + from + 4), 4 * v);
  return part;
}

function withoutAlpha(colours: Float32Array): Float32Array {
  const tints = new Float32Array((3 * colours.length) / 4);
  for (let v = 0; v < colours.length / 4; v++) tints.set(colours.subarray(4 * v, 4 * v + 3), 3 * v);
  return tints;
}
