import { describe, expect, test } from "vitest";
import { Nodes } from "../src/viewport/blending/nodes";
import { PLAN_COLUMNS, type Plan, planTexture, readPlan } from "../src/viewport/blending/plan";

/** A turn about z through a point on the x axis. */
function turn(angle: number, x = 0): number[] {
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  return [c, 0, 0, s, 0, 0, -s * x, 0];
}

const STEPS = 10;
/** Two joints, the second of which turns by ten steps; a vertex that follows both by halves. */
const plan: Plan = {
  number: 1,
  vertices: 1,
  nodes: STEPS + 1,
  parents: Int32Array.from({ length: STEPS + 1 }, (_, i) => i - 1),
  prefixes: Int32Array.of(-1),
  starts: Uint32Array.of(0, 2),
  entries: Int32Array.of(0, STEPS),
  weights: Float32Array.of(0.5, 0.5),
  fractions: Float32Array.of(1, 1),
};

test.each([1, Math.PI, 6 * Math.PI])("nodes hold every step of a turn by %f, and how far all of them have led", (angle) => {
  const differentials = Float32Array.from([turn(0), ...Array.from({ length: STEPS }, () => turn(angle / STEPS, 1))].flat());
  const nodes = new Nodes();
  nodes.pose(plan, differentials);
  for (let node = 0; node <= STEPS; node++) {
    const whole = turn((angle * node) / STEPS, 1);
    const step = turn(node === 0 ? 0 : angle / STEPS, 1);
    for (let i = 0; i < 8; i++) {
      expect(nodes.numbers[16 * node + i]).toBeCloseTo(step[i], 5);
      expect(nodes.numbers[16 * node + 8 + i]).toBeCloseTo(whole[i], 5);
    }
  }
});

describe("a plan", () => {
  const numbers = [Uint32Array.of(1, 11, 2, 0), plan.parents, plan.prefixes, plan.starts, plan.entries, plan.weights, plan.fractions ?? new Float32Array()];
  const bytes = new Uint8Array(numbers.flatMap((part) => [...new Uint8Array(part.buffer, part.byteOffset, part.byteLength)]));

  test("is read as it was written", () => {
    expect(readPlan(1, bytes.buffer)).toEqual(plan);
  });

  test("becomes a texel a vertex and a texel an entry", () => {
    const { image } = planTexture(plan);
    const data = image.data as Float32Array;
    expect(image.width).toBe(PLAN_COLUMNS);
    expect([...data.subarray(0, 3)]).toEqual([1, 2, -1]);
    expect([...data.subarray(4, 7)]).toEqual([0, 0.5, 1]);
    expect([...data.subarray(8, 11)]).toEqual([10, 0.5, 1]);
  });
});
