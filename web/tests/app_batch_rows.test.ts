import { expect, test } from "vitest";
import { atFirst, columns, counts, readableFigure, readableValue, rows } from "../src/app/batch_rows";
import type { Batch, BatchClip } from "../src/protocol/messages";

function clip(name: string, more: Partial<BatchClip>): BatchClip {
  const blank = { clip: "", failed: false, problem: "", done: false, edited: false, figures: {}, path: null, picture: null, moments: 1 };
  return { ...blank, name, ...more };
}

const BATCH: Batch = {
  type: "batch",
  folder: "out",
  recipe: "judge",
  about: "",
  steps: "",
  worst: "judge.max_error_mm",
  clips: [
    clip("walk10", { figures: { "judge.max_error_mm": 4.1, keys: 700, seconds: 3 } }),
    clip("walk9", { figures: { "judge.max_error_mm": 4.1, keys: 900, seconds: 2 }, done: true }),
    clip("run", { figures: { "judge.max_error_mm": 4.9, keys: 800, seconds: 9 }, problem: "slides still: left foot" }),
    clip("torn", { failed: true, problem: "line 2: expected ROOT" }),
  ],
};
const names = (...looks: Parameters<typeof rows>) => rows(...looks).map((each) => each.name);

test("the worst come first, failures above all, equals in the order that people count", () => {
  expect(names(BATCH, atFirst(BATCH))).toEqual(["torn", "run", "walk9", "walk10"]);
  expect(names(BATCH, { ...atFirst(BATCH), up: true })).toEqual(["walk9", "walk10", "run", "torn"]);
  expect(names(BATCH, { ...atFirst(BATCH), by: "keys" })).toEqual(["torn", "walk9", "run", "walk10"]);
  expect(names(BATCH, { ...atFirst(BATCH), by: "" })).toEqual(["run", "torn", "walk9", "walk10"]);
});

test("filters and words choose clips, and each filter says how many it lets through", () => {
  const look = atFirst(BATCH);
  expect(names(BATCH, { ...look, filter: "failed" })).toEqual(["torn"]);
  expect(names(BATCH, { ...look, filter: "short" })).toEqual(["run"]);
  expect(names(BATCH, { ...look, filter: "todo", text: " WALK" })).toEqual(["walk10"]);
  expect(names(BATCH, { ...look, text: "left foot" })).toEqual(["run"]);
  expect(counts(BATCH)).toEqual({ all: 4, todo: 3, failed: 1, short: 1, edited: 0, done: 1 });
});

test("columns are the worst, what it is sorted by, and what every table shows", () => {
  expect(columns(BATCH, atFirst(BATCH))).toEqual(["judge.max_error_mm", "keys", "seconds"]);
  expect(columns(BATCH, { ...atFirst(BATCH), by: "seconds" })).toEqual(["judge.max_error_mm", "seconds", "keys"]);
});

test("figures are said with their unit and as many digits as anybody compares", () => {
  expect(readableFigure("judge.max_error_mm")).toBe("judge: max error, mm");
  expect(readableFigure("remove_slide.slide_cm.after")).toBe("remove slide: slide cm after");
  expect(readableFigure("keys")).toBe("keys");
  expect(readableFigure("memory_mb")).toBe("memory, MB");
  expect([readableValue(4.98765), readableValue(12345.6), readableValue(7), readableValue(undefined)]).toEqual(["4.99", "12,346", "7", ""]);
});
