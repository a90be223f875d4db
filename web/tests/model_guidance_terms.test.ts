import { describe, expect, test } from "vitest";
import { TERM_DEFAULTS, type TermName, whyNot } from "../src/model/guidance_terms";
import type { ConstraintInfo, Scene } from "../src/protocol/messages";

const channel = { name: "arm.rx", kind: "rotation", joints: ["arm"], default: 0, lower: null, upper: null, stiffness: 1 } as const;
const prop = {
  name: "lamp",
  solid: "sphere",
  sizes: [1],
  translation: [0, 0, 0],
  rotation: [1, 0, 0, 0],
  scale: [1, 1, 1],
  role: "obstacle",
  joint: null,
  colour: [1, 1, 1],
} as const;
const place = { parts: [{ joint: "foot", offset: [0, 0, 0], weight: 1 }], name: "" };
const contact = { name: "foot contact", kind: "contact", planted: true, place, wanted: "position", start: 0, end: 1, on: false } as unknown as ConstraintInfo;

function scene(parts: object): Scene {
  return { type: "scene", joints: [], channels: [], props: [], ...parts } as unknown as Scene;
}

describe("terms that have nothing to count", () => {
  test("say why, and only they", () => {
    const bare = (Object.keys(TERM_DEFAULTS) as TermName[]).filter((term) => whyNot(term, scene({ channels: [channel] }), []) !== "");
    expect(bare).toEqual(["balance", "slide", "limits", "obstacles"]);
    expect(whyNot("balance", scene({}), [])).toContain("contacts");
  });

  test("count with a contact, on or off, a limit, an obstacle that stands in the world", () => {
    const rich = scene({ channels: [{ ...channel, upper: 1 }], props: [prop] });
    for (const term of Object.keys(TERM_DEFAULTS) as TermName[]) expect(whyNot(term, rich, [contact])).toBe("");
    expect(whyNot("slide", rich, [{ ...contact, planted: false }])).not.toBe("");
    expect(whyNot("obstacles", scene({ props: [{ ...prop, joint: "hand" }] }), [])).not.toBe("");
  });
});
