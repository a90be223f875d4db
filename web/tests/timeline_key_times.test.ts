import { describe, expect, test } from "vitest";
import { KeyTimesCache, keysWithin, lowerBound, merged, nearest, SAME } from "../src/timeline/key_times";
import { curveAt, randomNumbers } from "./timeline_curves";

const random = randomNumbers(7);

/** Some distinct frames at 24 a second, in order. */
function someTimes(): number[] {
  const count = 1 + Math.floor(12 * random.next().value);
  const frames = new Set(Array.from({ length: count }, () => Math.floor(40 * random.next().value)));
  return [...frames].sort((a, b) => a - b).map((frame) => Math.fround(frame / 24));
}

describe("the union of rows", () => {
  test("is every time once, with the number of curves keyed there", () => {
    for (let round = 0; round < 200; round++) {
      const curves = Array.from({ length: 1 + (round % 7) }, (_, i) => curveAt(someTimes(), i));
      const { times, counts } = new KeyTimesCache().of("row", curves);
      const tally = new Map<number, number>();
      for (const key of curves.flatMap((each) => each.keys)) tally.set(key.time, (tally.get(key.time) ?? 0) + 1);
      const expected = [...tally].sort(([a], [b]) => a - b);
      expect([...times].map((time, i) => [time, counts[i]])).toEqual(expected);
    }
  });

  test("takes times that rounding has parted for one", () => {
    const cache = new KeyTimesCache();
    const { times, counts } = cache.of("row", [curveAt([1, 2]), curveAt([1 + SAME / 2, 2 - SAME / 3]), curveAt([1.5])]);
    expect(times.length).toBe(3);
    expect([...counts]).toEqual([2, 1, 2]);
  });

  test("is kept while its curves are, and made anew when one is replaced", () => {
    const cache = new KeyTimesCache();
    const curves = Array.from({ length: 8 }, (_, i) => curveAt([i, i + 0.5], i));
    const before = cache.of("row", curves);
    expect(cache.of("row", [...curves])).toBe(before);
    const after = cache.of(
      "row",
      curves.map((each, i) => (i === 3 ? curveAt([30], 3) : each)),
    );
    expect(after).not.toBe(before);
    expect([...after.times]).toContain(30);
    expect(after.counts.reduce((sum, count) => sum + count)).toBe(15);
  });

  test("of nothing is nothing", () => {
    expect(new KeyTimesCache().of("row", []).times.length).toBe(0);
  });

  test("of the same frames shares them, as in capture", () => {
    const a = { times: Float64Array.of(0, 1), counts: Uint32Array.of(1, 1) };
    const b = { times: Float64Array.of(0, 1), counts: Uint32Array.of(2, 3) };
    const both = merged(a, b);
    expect(both.times).toBe(a.times);
    expect([...both.counts]).toEqual([3, 4]);
  });
});

describe("searches agree with looking at every time", () => {
  const times = [0, 0.5, 0.5 + 2 * SAME, 2, 7];

  test("lower bound and nearest", () => {
    for (let t = -1; t < 8; t += 0.037) {
      expect(lowerBound(times, t)).toBe(times.filter((each) => each < t).length);
      const distance = Math.abs(times[nearest(times, t)] - t);
      expect(distance).toBe(Math.min(...times.map((each) => Math.abs(each - t))));
    }
    expect(nearest([], 1)).toBe(-1);
  });

  test("keys within a stretch, its ends included", () => {
    const curve = curveAt(times);
    expect(keysWithin(curve, 0.5, 2)).toEqual([1, 4]);
    expect(keysWithin(curve, 2, 2)).toEqual([3, 4]);
    expect(keysWithin(curve, 3, 6)).toEqual([4, 4]);
    expect(keysWithin(curve, -Infinity, Infinity)).toEqual([0, 5]);
  });
});
