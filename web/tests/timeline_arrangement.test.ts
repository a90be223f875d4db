import { describe, expect, test } from "vitest";
import { jointPlace } from "../src/model/selection";
import { type Arrangement, arrange, middleOf, ROW, RULER, SUMMARY, scrollToLane, TRACK } from "../src/timeline/arrangement";
import type { Lane } from "../src/timeline/lanes";
import { type Row, summaryRow } from "../src/timeline/rows";

const row = (name: string): Row => ({ ...summaryRow([]), id: name, kind: "group", name });
const lane = (name: string, tracks = 1): Lane => ({ place: jointPlace(name), name, active: false, bars: [], aims: [], tracks });

function arranged(rows: number, lanes: number, height = 160, scroll = { rows: 0, lanes: 0 }): Arrangement {
  const made = Array.from({ length: rows }, (_, i) => row(`row ${i}`));
  return arrange(
    640,
    height,
    summaryRow([]),
    made,
    Array.from({ length: lanes }, (_, i) => lane(`lane ${i}`)),
    scroll,
  );
}

describe("room for rows and lanes", () => {
  test("where all fits, lanes stand right under the rows", () => {
    const place = arranged(2, 1);
    expect([place.rowsTop, place.rowsBottom, place.lanesTop]).toEqual([RULER + SUMMARY, RULER + SUMMARY + 2 * ROW, RULER + SUMMARY + 2 * ROW]);
    expect([place.rowsSlack, place.lanesSlack]).toEqual([0, 0]);
  });

  test("few lanes stay in sight under a long list, few rows over many lanes", () => {
    const long = arranged(50, 1);
    expect([long.lanesBottom, long.lanesBottom - long.lanesTop]).toEqual([160, TRACK]);
    const many = arranged(1, 50);
    expect([many.rowsBottom - many.rowsTop, many.lanesBottom]).toEqual([ROW, 160]);
  });

  test("where both are long, each has half", () => {
    const place = arranged(50, 50);
    const room = 160 - RULER - SUMMARY;
    expect(place.lanesBottom - place.lanesTop).toBe(Math.floor(room / 2));
    expect(place.rowsBottom - place.rowsTop).toBe(room - Math.floor(room / 2));
  });

  test("nothing overlaps and nothing leaves the sheet, at any height", () => {
    for (let height = 0; height < 400; height += 13) {
      for (const [rows, lanes] of [
        [0, 0],
        [3, 2],
        [40, 3],
        [2, 30],
      ]) {
        const place = arranged(rows, lanes, height);
        expect(place.rowsBottom).toBeGreaterThanOrEqual(place.rowsTop);
        expect(place.lanesTop).toBe(place.rowsBottom);
        expect(place.lanesBottom).toBeLessThanOrEqual(Math.max(height, place.rowsTop));
      }
    }
  });
});

describe("scrolling", () => {
  test("stops at the last row", () => {
    const place = arranged(50, 0, 160, { rows: 1e6, lanes: 0 });
    const last = place.rows[49];
    expect(last.y + last.height).toBe(place.rowsBottom);
  });

  test("to a lane shows it whole and moves no more than needed", () => {
    const place = arranged(50, 50);
    const below = place.lanes[20];
    const there = arranged(50, 50, 160, { rows: 0, lanes: scrollToLane(place, below, 0) }).lanes[20];
    expect(there.y + there.height).toBe(place.lanesBottom);
    expect(scrollToLane(place, place.lanes[0], 0)).toBe(0);
  });
});

test("the summary's diamonds leave its upper strip to the stretching of keys", () => {
  const { summary } = arranged(0, 0);
  expect(middleOf(summary)).toBeGreaterThan(summary.y + 8 + 5);
  expect(middleOf(summary) + 5).toBeLessThan(summary.y + summary.height);
});
