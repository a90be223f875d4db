import { describe, expect, it } from "vitest";
import { isFreshExample, isUnsaved, redoable, undoable } from "../src/app/document_state";
import type { Files, History, Scene } from "../src/protocol/messages";

const history = (labels: string[], at: number, saved: number | null = null): History => ({ type: "history", labels, at, saved });
const steps = ["Open", "Drag body", "Pin head"];

describe("the history", () => {
  it("knows what no file has", () => {
    expect(isUnsaved(history(["Open"], 0))).toBe(false);
    expect(isUnsaved(history(steps, 1))).toBe(true);
    expect(isUnsaved(history(steps, 0))).toBe(false); // all undone: as it was opened
    expect(isUnsaved(history(steps, 2, 2))).toBe(false);
    expect(isUnsaved(history(steps, 1, 2))).toBe(true); // undone past what was saved
    expect(isUnsaved(history(steps, 0, 2))).toBe(true);
  });

  it("names the steps on both sides", () => {
    expect(undoable(history(steps, 0))).toBeNull();
    expect(undoable(history(steps, 2))).toBe("Pin head");
    expect(redoable(history(steps, 2))).toBeNull();
    expect(redoable(history(steps, 0))).toBe("Drag body");
  });
});

describe("a fresh example", () => {
  const files = { path: null, examples: [{ name: "diver", line: "", url: "" }] } as unknown as Files;
  const scene = { name: "diver" } as Scene;

  it("is one that was never edited or saved", () => {
    expect(isFreshExample(files, scene, history(["Open"], 0))).toBe(true);
    expect(isFreshExample(files, scene, history(steps, 0))).toBe(false);
    expect(isFreshExample({ ...files, path: "diver.tween" }, scene, history(["Open"], 0))).toBe(false);
    expect(isFreshExample(files, { ...scene, name: "mine" }, history(["Open"], 0))).toBe(false);
    expect(isFreshExample(null, scene, history(["Open"], 0))).toBe(false);
  });
});
