import { describe, expect, it } from "vitest";
import { type HintEvent, type HintStep, nextStep } from "../src/app/hint_steps";

const walk = (...events: HintEvent[]): HintStep => events.reduce<HintStep>(nextStep, "select");

describe("hints", () => {
  it("lead from a click to a drag to more, and then go", () => {
    expect(walk("selected")).toBe("drag");
    expect(walk("selected", "gesture")).toBe("more");
    expect(walk("selected", "gesture", "edit")).toBe("gone");
    expect(walk("selected", "gesture", "gesture")).toBe("gone");
  });

  it("go back when nothing is selected any more", () => expect(walk("selected", "cleared")).toBe("select"));

  it("are not skipped by other edits", () => expect(walk("edit", "selected", "edit")).toBe("drag"));

  it("stay gone", () => {
    const events: HintEvent[] = ["selected", "cleared", "gesture", "edit", "dismissed"];
    for (const event of events) expect(nextStep("gone", event)).toBe("gone");
    expect(walk("dismissed")).toBe("gone");
  });
});
