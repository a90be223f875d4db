import { describe, expect, it } from "vitest";
import { Commands, type KeyTaker, keepsKey, keyName, readableKey } from "../src/commands/commands";
import type { Model } from "../src/model/model";

const press = (key: string, held: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }) as KeyboardEvent;

describe("keyName", () => {
  it.each([
    [press("z", { ctrlKey: true }), "Ctrl+Z"],
    [press("Z", { ctrlKey: true, shiftKey: true }), "Ctrl+Shift+Z"],
    [press("z", { metaKey: true }), "Ctrl+Z"],
    [press("?", { shiftKey: true }), "?"],
    [press(" "), "Space"],
    [press("ArrowRight", { shiftKey: true, altKey: true }), "Alt+Shift+ArrowRight"],
    [press("4"), "4"],
  ])("names a key with what is held", (event, name) => expect(keyName(event)).toBe(name));

  it("reads arrows as arrows", () => expect(readableKey("Shift+ArrowLeft")).toBe("Shift+←"));
});

const element = (tagName: string, more: { type?: string; editable?: boolean } = {}): KeyTaker => ({
  tagName,
  isContentEditable: more.editable ?? false,
  getAttribute: (name) => (name === "type" ? (more.type ?? null) : null),
});

describe("keepsKey", () => {
  it("leaves every key to what one types into", () => {
    for (const key of ["P", "Space", "Ctrl+Z", "ArrowLeft"]) {
      for (const field of [element("INPUT"), element("INPUT", { type: "search" }), element("TEXTAREA"), element("DIV", { editable: true })]) {
        for (const byKeys of [true, false]) expect(keepsKey(field, key, byKeys)).toBe(true);
      }
    }
  });

  it("leaves a slider its arrows, not the rest", () => {
    expect(keepsKey(element("INPUT", { type: "range" }), "ArrowLeft", false)).toBe(true);
    expect(keepsKey(element("INPUT", { type: "range" }), "Ctrl+Z", true)).toBe(false);
    expect(keepsKey(element("INPUT", { type: "checkbox" }), "P", true)).toBe(false);
  });

  it("lets Space play after a click on a control, and press it after Tab", () => {
    for (const control of [element("BUTTON"), element("SUMMARY"), element("SELECT"), element("INPUT", { type: "checkbox" })]) {
      expect(keepsKey(control, "Space", false)).toBe(false);
      expect(keepsKey(control, "Space", true)).toBe(true);
      expect(keepsKey(control, "P", true)).toBe(false);
    }
  });
});

describe("Commands", () => {
  const model = {} as Model;
  const make = (): { commands: Commands; ran: string[] } => {
    const ran: string[] = [];
    const commands = new Commands(model);
    commands.add(
      { id: "pin", label: "Pin point", group: "Constraints", keys: ["P"], run: () => ran.push("pin") },
      {
        id: "redo",
        label: "Redo",
        group: "Edit",
        keys: ["Ctrl+Shift+Z", "Ctrl+Y"],
        run: () => ran.push("redo"),
        enabled: () => false,
        why: () => "Nothing has been undone",
      },
    );
    return { commands, ran };
  };

  it("says in the tooltip why something cannot be done", () => {
    const { commands } = make();
    expect(commands.tooltip("pin")).toBe("Pin point (P)");
    expect(commands.tooltip("redo")).toBe("Redo (Ctrl+Shift+Z): nothing has been undone");
    expect(commands.reason("pin")).toBe("");
  });

  it("does not run what is not enabled", () => {
    const { commands, ran } = make();
    commands.run("redo");
    commands.run("pin");
    expect(ran).toEqual(["pin"]);
  });

  it("takes no keys while anybody hushes it", () => {
    const { commands, ran } = make();
    const event = { ...press("p"), defaultPrevented: false, composedPath: () => [], preventDefault: () => {} };
    const type = (): void => commands.onKey(event as unknown as KeyboardEvent, false);
    const [first, second] = [commands.hush(), commands.hush()];
    type();
    first();
    first(); // ending twice is ending once
    type();
    expect(ran).toEqual([]);
    second();
    type();
    expect(ran).toEqual(["pin"]);
  });
});
