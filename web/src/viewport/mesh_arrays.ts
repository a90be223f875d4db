import { keyed } from "../protocol/door";

/** The arrays of a mesh, as studio/protocol/mesh_arrays.py lays them out. */
export interface MeshArrays {
  vertices: Float32Array;
  triangles: Uint32Array;
  influencesEach: number;
  influences: Uint32Array;
  weights: Float32Array;
  jointFromMesh: Float32Array;
  normals: Float32Array | null;
  uvs: Float32Array | null;
  colours: Float32Array | null;
  shapes: Float32Array[];
}

function readMesh(data: ArrayBuffer): MeshArrays {
  const [vertexCount, triangleCount, each, joints, shapes, flags] = new Uint32Array(data, 0, 6);
  let offset = 24;
  const floats = (count: number): Float32Array => {
    const part = new Float32Array(data, offset, count);
    offset += part.byteLength;
    return part;
  };
  const whole = (count: number): Uint32Array => {
    const part = new Uint32Array(data, offset, count);
    offset += part.byteLength;
    return part;
  };
  return {
    vertices: floats(3 * vertexCount),
    triangles: whole(3 * triangleCount),
    influencesEach: each,
    influences: whole(each * vertexCount),
    weights: floats(each * vertexCount),
    jointFromMesh: floats(12 * joints),
    normals: flags & 1 ? floats(3 * vertexCount) : null,
    uvs: flags & 2 ? floats(2 * vertexCount) : null,
    colours: flags & 4 ? floats(4 * vertexCount) : null,
    shapes: Array.from({ length: shapes }, () => floats(3 * vertexCount)),
  };
}

/** Meshes by their address, fetched once for whoever asks: what draws the body and what picks it share them. */
export class MeshStore {
  private readonly kept = new Map<string, Promise<MeshArrays>>();

  /** The arrays of a mesh; rejects with a readable line when the server does not have it any more. */
  get(url: string): Promise<MeshArrays> {
    let mesh = this.kept.get(url);
    if (!mesh) {
      mesh = fetchMesh(url);
      this.kept.set(url, mesh);
      // What failed may be asked for again.
      mesh.catch(() => this.kept.delete(url));
    }
    return mesh;
  }

  /** Another document: the same address may stand for another mesh now. */
  clear(): void {
    this.kept.clear();
  }
}

async function fetchMesh(url: string): Promise<MeshArrays> {
  const answer = await fetch(keyed(url), { cache: "no-store" });
  if (!answer.ok) throw new Error(`A part of the character could not be fetched (${answer.status}); reload the page to try again.`);
  return readMesh(await answer.arrayBuffer());
}

export const meshStore = new MeshStore();
