import { DataTexture, FloatType, NearestFilter, RGBAFormat } from "three";

/** Texels a row of a plan's texture. */
export const PLAN_COLUMNS = 2048;

/** How the vertices of a mesh are blended, whatever the pose; studio/protocol/plan_arrays.py says how it is laid out. */
export interface Plan {
  number: number;
  vertices: number;
  nodes: number;
  parents: Int32Array;
  /** −1 for a vertex without one. */
  prefixes: Int32Array;
  starts: Uint32Array;
  entries: Int32Array;
  /** A negative one ends its step. */
  weights: Float32Array;
  /** How far along its node each influence is; null where steps are blended. */
  fractions: Float32Array | null;
}

export function readPlan(number: number, data: ArrayBuffer): Plan {
  const [vertices, nodes, count, kind] = new Uint32Array(data, 0, 4);
  let offset = 16;
  const take = <T>(make: new (data: ArrayBuffer, offset: number, length: number) => T, length: number): T => {
    const part = new make(data, offset, length);
    offset += 4 * length;
    return part;
  };
  return {
    number,
    vertices,
    nodes,
    parents: take(Int32Array, nodes),
    prefixes: take(Int32Array, vertices),
    starts: take(Uint32Array, vertices + 1),
    entries: take(Int32Array, count),
    weights: take(Float32Array, count),
    fractions: kind === 0 ? take(Float32Array, count) : null,
  };
}

/** For the vertex shader: a texel a vertex (first entry, entries, prefix), then one an entry (node, weight, fraction). */
export function planTexture(plan: Plan): DataTexture {
  const { vertices, entries } = plan;
  const rows = Math.max(1, Math.ceil((vertices + entries.length) / PLAN_COLUMNS));
  const numbers = new Float32Array(4 * PLAN_COLUMNS * rows);
  for (let v = 0; v < vertices; v++) {
    numbers[4 * v] = vertices + plan.starts[v];
    numbers[4 * v + 1] = plan.starts[v + 1] - plan.starts[v];
    numbers[4 * v + 2] = plan.prefixes[v];
  }
  for (let e = 0; e < entries.length; e++) {
    const at = 4 * (vertices + e);
    numbers[at] = entries[e];
    numbers[at + 1] = plan.weights[e];
    numbers[at + 2] = plan.fractions?.[e] ?? 1;
  }
  const texture = new DataTexture(numbers, PLAN_COLUMNS, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}
