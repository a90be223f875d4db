/** Linear skinning, as far as the processor does it: once a mesh, or a few numbers a joint. The rest is in shaders.ts. */

const MOST_INFLUENCES = 8;

interface Influences {
  /** 4 or 8 a vertex. */
  each: number;
  bones: Uint16Array;
  weights: Float32Array;
}

/** The strongest influences of every vertex, at most eight, which together weigh one again. */
export function strongest(each: number, influences: Uint32Array, weights: Float32Array): Influences {
  const vertices = each === 0 ? 0 : influences.length / each;
  const kept = each <= 4 ? 4 : MOST_INFLUENCES;
  const bones = new Uint16Array(kept * vertices);
  const shares = new Float32Array(kept * vertices);
  const order = Array.from({ length: each }, (_, i) => i);
  for (let v = 0; v < vertices; v++) {
    const from = v * each;
    if (each > kept) order.sort((a, b) => weights[from + b] - weights[from + a] || a - b);
    const count = Math.min(each, kept);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += weights[from + order[i]];
    for (let i = 0; i < count; i++) {
      bones[v * kept + i] = influences[from + order[i]];
      shares[v * kept + i] = sum > 0 ? weights[from + order[i]] / sum : i === 0 ? 1 : 0;
    }
  }
  return { each: kept, bones, weights: shares };
}

/** product = a · b for 3×4 matrices, row by row, at offsets into arrays; `into` may not be one of the factors. */
export function multiply(a: Float32Array, atA: number, b: Float32Array, atB: number, into: Float32Array, at: number): void {
  for (let row = 0; row < 3; row++) {
    const r = atA + 4 * row;
    const [x, y, z, w] = [a[r], a[r + 1], a[r + 2], a[r + 3]];
    for (let column = 0; column < 4; column++) {
      const c = atB + column;
      into[at + 4 * row + column] = x * b[c] + y * b[c + 4] + z * b[c + 8] + (column === 3 ? w : 0);
    }
  }
}

/** Unit normals of vertices, from the triangles around them by area; up where a vertex has none. */
export function vertexNormals(vertices: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(vertices.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [vertices[b] - vertices[a], vertices[b + 1] - vertices[a + 1], vertices[b + 2] - vertices[a + 2]];
    const [vx, vy, vz] = [vertices[c] - vertices[a], vertices[c + 1] - vertices[a + 1], vertices[c + 2] - vertices[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const at of [a, b, c]) {
      normals[at] += nx;
      normals[at + 1] += ny;
      normals[at + 2] += nz;
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]);
    if (length > 0) for (let axis = 0; axis < 3; axis++) normals[i + axis] /= length;
    else normals[i + 1] = 1;
  }
  return normals;
}

/**
 * How the normals turn for each blend shape at full weight. Shapes say nothing of normals on the wire, and without these
 * the light would stay where the face was before it smiled.
 */
export function shapeNormals(vertices: Float32Array, triangles: Uint32Array, shapes: readonly Float32Array[]): Float32Array[] {
  const before = vertexNormals(vertices, triangles);
  return shapes.map((offsets) => {
    const after = vertexNormals(
      vertices.map((x, i) => x + offsets[i]),
      triangles,
    );
    return after.map((x, i) => x - before[i]);
  });
}
