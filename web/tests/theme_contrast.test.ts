import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../src/elements/theme.css", import.meta.url), "utf8");

/** The colours that the first rule with a selector declares. */
function colours(selector: string): Map<string, string> {
  const from = css.indexOf("{", css.indexOf(selector));
  const body = css.slice(from, css.indexOf("}", from));
  return new Map([...body.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]));
}

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: readonly number[]): number {
  const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const parts = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
const mixed = (one: number[], other: number[], share: number): number[] => one.map((part, i) => share * part + (1 - share) * other[i]);

const dark = colours(":root,");
const THEMES = { dark, light: new Map([...dark, ...colours(':root[data-theme="light"]')]) };

it("knows black on white", () => expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 6));

describe.each(Object.entries(THEMES))("the %s theme", (_, theme) => {
  const colour = (name: string): number[] => {
    const found = theme.get(name);
    if (!found) throw new Error(`the theme has no --${name}`);
    return parts(found);
  };
  const grounds = ["ground", "panel", "raised"];

  it.each(["text", "quiet", "dim", "bad-text"].flatMap((word) => grounds.map((ground) => [word, ground])))("reads %s on %s (AA, 4.5)", (word, ground) => {
    expect(contrast(colour(word), colour(ground))).toBeGreaterThanOrEqual(4.5);
  });

  const marks = ["accent", "key", "pin", "contact", "attach", "target", "good", "warn", "bad", "record", "x", "y", "z", "faint"];
  it.each(marks.flatMap((mark) => ["ground", "panel"].map((ground) => [mark, ground])))("shows %s on %s (AA for graphics, 3)", (mark, ground) => {
    expect(contrast(colour(mark), colour(ground))).toBeGreaterThanOrEqual(3);
  });

  it("reads what stands on the accent, and on what is chosen", () => {
    expect(contrast([255, 255, 255], colour("accent-deep"))).toBeGreaterThanOrEqual(4.5);
    for (const share of [0.26, 0.36]) {
      expect(contrast(colour("chosen-text"), mixed(colour("accent"), colour("panel"), share))).toBeGreaterThanOrEqual(4.5);
    }
  });
});

it("gives the light theme every colour of its own", () => {
  expect([...colours(':root[data-theme="light"]').keys()].sort()).toEqual([...dark.keys()].sort());
});
