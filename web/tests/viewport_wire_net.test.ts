import { expect, test } from "vitest";
import { wireNet } from "../src/viewport/wire_net";

/** A flat square of n × n vertices, one apart. */
function sheet(n: number): { vertices: Float32Array; triangles: Uint32Array } {
  const vertices = Float32Array.from({ length: 3 * n * n }, (_, i) => [Math.floor(i / 3) % n, Math.floor(i / 3 / n), 0][i % 3]);
  const triangles: number[] = [];
  for (let y = 0; y + 1 < n; y++) {
    for (let x = 0; x + 1 < n; x++) {
      const at = y * n + x;
      triangles.push(at, at + 1, at + n, at + 1, at + n + 1, at + n);
    }
  }
  return { vertices, triangles: Uint32Array.from(triangles) };
}

test("a net in cells smaller than the triangles is every edge, once", () => {
  const { vertices, triangles } = sheet(4);
  const net = wireNet(vertices, triangles, 0.5);
  // 12 edges across, 12 up, 9 diagonals.
  expect(net.length / 2).toBe(33);
  const lines = Array.from({ length: net.length / 2 }, (_, i) => `${net[2 * i]}-${net[2 * i + 1]}`);
  expect(new Set(lines).size).toBe(33);
});

test("a net in wide cells joins one vertex of each cell with those of its neighbours", () => {
  const { vertices, triangles } = sheet(12);
  const net = wireNet(vertices, triangles, 4);
  expect(new Set(net).size).toBe(9);
  // Of three by three knots: 6 across, 6 up, 4 diagonals.
  expect(net.length / 2).toBe(16);
  for (let i = 0; i < net.length; i += 2) expect(net[i]).not.toBe(net[i + 1]);
});
