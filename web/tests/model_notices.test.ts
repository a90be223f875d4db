import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Notices } from "../src/model/notices";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const texts = (told: readonly { text: string }[]): string[] => told.map(({ text }) => text);

describe("what was told", () => {
  test("goes by itself and can be read again", () => {
    const notices = new Notices();
    notices.add("warning", "two bones are moved along", ["lower", "hand"]);
    vi.advanceTimersByTime(60_000);
    expect(notices.items.value).toEqual([]);
    expect(notices.told.value.map(({ text, more }) => [text, ...more])).toEqual([["Two bones are moved along", "lower", "hand"]]);
  });

  test("stays while somebody reads it, and where something went wrong, until it is closed", () => {
    const notices = new Notices();
    notices.add("info", "read me");
    notices.add("error", "the disk is full");
    notices.keep(1);
    vi.advanceTimersByTime(60_000);
    expect(texts(notices.items.value)).toEqual(["Read me", "The disk is full"]);
    notices.close(1);
    notices.close(2);
    expect(notices.items.value).toEqual([]);
    expect(texts(notices.told.value)).toEqual(["Read me", "The disk is full"]);
  });

  test("is not lost to another document, nor to more than five at once", () => {
    const notices = new Notices();
    for (let i = 0; i < 8; i++) notices.add("info", `line ${i}`);
    notices.turnPage();
    expect(notices.items.value).toEqual([]);
    expect(notices.told.value).toHaveLength(8);
  });

  test("is kept for the last two hundred", () => {
    const notices = new Notices();
    for (let i = 0; i < 250; i++) notices.add("info", `line ${i}`);
    expect(notices.told.value).toHaveLength(200);
    expect(notices.told.value.at(-1)?.text).toBe("Line 249");
  });
});
