import { describe, expect, test } from "vitest";
import { keyBefore, keysNear, valueAt, valueRange } from "../src/graph/curve_values";
import { BEZIER, CONSTANT, type Curve, type Key, LINEAR } from "../src/model/curves";

function key(time: number, value: number, more: Partial<Key> = {}): Key {
  return { time, value, inX: 0.3, inY: 0, outX: 0.3, outY: 0, interpolation: BEZIER, tied: true, ...more };
}

function curve(...keys: Key[]): Curve {
  return { channel: 0, layer: 0, keys };
}

/** A point of the segment between two keys, straight from the definition of a Bezier curve. */
function along(from: Key, to: Key, u: number): { time: number; value: number } {
  const weights = [(1 - u) ** 3, 3 * (1 - u) ** 2 * u, 3 * (1 - u) * u ** 2, u ** 3];
  const sum = (...points: number[]): number => points.reduce((total, point, i) => total + point * weights[i], 0);
  return {
    time: sum(from.time, from.time + from.outX, to.time - to.inX, to.time),
    value: sum(from.value, from.value + from.outY, to.value - to.inY, to.value),
  };
}

describe("the value of a curve", () => {
  test("is held before the first key and after the last", () => {
    const held = curve(key(1, 5), key(2, 7));
    expect([valueAt(held, -3), valueAt(held, 9), valueAt(curve(key(0, 4)), 1)]).toEqual([5, 7, 4]);
  });

  test("stays, or runs straight, by the interpolation of the key before", () => {
    expect(valueAt(curve(key(0, 1, { interpolation: CONSTANT }), key(2, 9)), 1.999)).toBe(1);
    expect(valueAt(curve(key(0, 1, { interpolation: LINEAR }), key(2, 9)), 0.5)).toBeCloseTo(3, 12);
  });

  test("with widths of a third is the cubic polynomial with these slopes", () => {
    const third = curve(key(0, 0, { outX: 1 / 3, outY: 2 / 3 }), key(1, 1, { inX: 1 / 3, inY: -1 / 3 }));
    // Hermite: start 0, end 1, slopes 2 and −1.
    for (const t of [0.1, 0.37, 0.5, 0.92]) {
      expect(valueAt(third, t)).toBeCloseTo(2 * (t ** 3 - 2 * t ** 2 + t) + (3 * t ** 2 - 2 * t ** 3) - (t ** 3 - t ** 2), 10);
    }
  });

  test("is where the segment is when time is there, whatever the widths", () => {
    const [from, to] = [key(2, -1, { outX: 0.05, outY: 3 }), key(5, 4, { inX: 2.4, inY: 6 })];
    for (let u = 0.02; u < 1; u += 0.07) {
      const spot = along(from, to, u);
      expect(valueAt(curve(from, to), spot.time)).toBeCloseTo(spot.value, 7);
    }
  });
});

describe("the range of a curve", () => {
  const swinging = curve(key(0, 0, { outX: 0.4, outY: 3 }), key(1, 1, { inX: 0.3, inY: 2, outX: 0.2, outY: -4 }), key(3, -1, { inX: 1, inY: -1 }));

  test.each([
    [0, 3],
    [0.2, 0.9],
    [1.4, 2.2],
    [-2, 5],
  ])("is what its samples reach, from %f to %f", (start, end) => {
    const samples = Array.from({ length: 4001 }, (_, i) => valueAt(swinging, start + ((end - start) * i) / 4000));
    const [low, high] = valueRange(swinging, start, end);
    expect(low).toBeLessThanOrEqual(Math.min(...samples) + 1e-9);
    expect(high).toBeGreaterThanOrEqual(Math.max(...samples) - 1e-9);
    expect(low).toBeCloseTo(Math.min(...samples), 4);
    expect(high).toBeCloseTo(Math.max(...samples), 4);
  });

  test("of a level curve is one value", () => {
    expect(valueRange(curve(key(0, 2), key(1, 2)), 0, 1)).toEqual([2, 2]);
  });
});

test("the key before a time is found by halving", () => {
  const keys = [0, 0.5, 1, 4].map((time) => key(time, 0));
  expect([-1, 0, 0.49, 0.5, 3.9, 4, 99].map((time) => keyBefore(keys, time))).toEqual([-1, 0, 0, 1, 2, 3, 3]);
});

test("keys near times: the nearest within reach, each once, in order", () => {
  const keys = [0, 1, 2, 3].map((time) => key(time, 0));
  expect(keysNear(keys, [2.9, 1.05, 0.95, 7], 0.2)).toEqual([1, 3]);
  expect(keysNear([], [1], 1)).toEqual([]);
});
