/**
 * Lines of a coarse net over a mesh, as pairs of its vertices: all edges of a dense mesh would be a grey fog.
 *
 * Vertices in one cubic cell of space are one knot, which is the vertex nearest to their middle; so the net moves with
 * the mesh, whatever moves that.
 */
export function wireNet(vertices: Float32Array, triangles: Uint32Array, cell: number): Uint32Array<ArrayBuffer> {
  const knots = knotsOf(vertices, cell);
  const count = vertices.length / 3;
  const lines = new Set<number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let side = 0; side < 3; side++) {
      const [a, b] = [knots[triangles[t + side]], knots[triangles[t + ((side + 1) % 3)]]];
      if (a !== b) lines.add(Math.min(a, b) * count + Math.max(a, b));
    }
  }
  const pairs = new Uint32Array(2 * lines.size);
  [...lines].forEach((line, i) => pairs.set([Math.floor(line / count), line % count], 2 * i));
  return pairs;
}

/** The vertex that stands for each vertex. */
function knotsOf(vertices: Float32Array, cell: number): Uint32Array {
  const cells = new Map<string, number[]>();
  for (let v = 0; v < vertices.length / 3; v++) {
    const key = [0, 1, 2].map((axis) => Math.floor(vertices[3 * v + axis] / cell)).join(" ");
    const members = cells.get(key);
    if (members) members.push(v);
    else cells.set(key, [v]);
  }
  const knots = new Uint32Array(vertices.length / 3);
  for (const members of cells.values()) {
    const knot = nearestToMiddle(vertices, members);
    for (const v of members) knots[v] = knot;
  }
  return knots;
}

function nearestToMiddle(vertices: Float32Array, members: readonly number[]): number {
  const middle = [0, 1, 2].map((axis) => members.reduce((sum, v) => sum + vertices[3 * v + axis], 0) / members.length);
  const apart = (v: number): number => middle.reduce((sum, x, axis) => sum + (vertices[3 * v + axis] - x) ** 2, 0);
  return members.reduce((best, v) => (apart(v) < apart(best) ? v : best));
}
