import { DataTexture, FloatType, NearestFilter, RGBAFormat } from "three";
import { multiplyDuals } from "./duals";
import type { Plan } from "./plan";

/** Texels a row: 256 nodes of four texels. */
export const NODE_COLUMNS = 1024;

/** One pose of a mesh's nodes: each one's differential, and all differentials on its way from the root multiplied. */
export class Nodes {
  /** Sixteen numbers a node: Δ, then q. */
  numbers = new Float32Array(0);
  private whole = new Float64Array(0);
  private made: DataTexture | null = null;

  /** Take a pose's differentials. */
  pose({ parents, nodes }: Plan, differentials: Float32Array): void {
    this.resize(nodes);
    const { whole, numbers } = this;
    for (let n = 0; n < nodes; n++) {
      const parent = parents[n];
      if (parent < 0) for (let i = 0; i < 8; i++) whole[8 * n + i] = differentials[8 * n + i];
      else multiplyDuals(whole, 8 * parent, differentials, 8 * n, whole, 8 * n);
      for (let i = 0; i < 8; i++) {
        numbers[16 * n + i] = differentials[8 * n + i];
        numbers[16 * n + 8 + i] = whole[8 * n + i];
      }
    }
    if (this.made) this.made.needsUpdate = true;
  }

  get texture(): DataTexture {
    if (!this.made) {
      this.made = new DataTexture(this.numbers, NODE_COLUMNS, this.numbers.length / (4 * NODE_COLUMNS), RGBAFormat, FloatType);
      this.made.minFilter = this.made.magFilter = NearestFilter;
      this.made.needsUpdate = true;
    }
    return this.made;
  }

  dispose(): void {
    this.made?.dispose();
    this.made = null;
  }

  private resize(nodes: number): void {
    const length = 4 * NODE_COLUMNS * Math.max(1, Math.ceil((4 * nodes) / NODE_COLUMNS));
    if (this.whole.length < 8 * nodes) this.whole = new Float64Array(8 * nodes);
    if (this.numbers.length === length) return;
    this.dispose();
    this.numbers = new Float32Array(length);
  }
}
