import { type MeshArrays, readMesh } from "./mesh_arrays";

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
  const answer = await fetch(url, { cache: "no-store" });
  if (!answer.ok) throw new Error(`A part of the character could not be fetched (${answer.status}); reload the page to try again.`);
  return readMesh(await answer.arrayBuffer());
}

export const meshStore = new MeshStore();
