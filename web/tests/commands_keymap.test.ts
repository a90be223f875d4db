// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { Commands } from "../src/commands/commands";
import { OURS, PRESETS, type Preset, recallKeys, rememberKeys, withKeys } from "../src/commands/keymap";
import type { Model } from "../src/model/model";
import { timeCommands } from "../src/timeline/commands";
import { pointCommands } from "../src/viewport/tools/commands";
import { toolCommands } from "../src/viewport/tools/registry";
import { viewCommands } from "../src/viewport/view_commands";

const run = (): void => {};
const rest = ["undo", "redo", "palette"].map((id) => ({ id, label: id, group: "Edit" as const, keys: [], run }));

function all(): Commands {
  const commands = new Commands({} as Model);
  commands.add(...timeCommands, ...pointCommands, ...toolCommands, ...viewCommands(null), ...rest);
  return commands;
}

describe("presets", () => {
  it.each(Object.keys(PRESETS) as Preset[])("%s names commands that there are, and gives each key once", (preset) => {
    const commands = all();
    for (const id of Object.keys(PRESETS[preset])) expect(commands.get(id).id).toBe(id);
    commands.keymap.value = { preset, own: {} };
    const keys = commands.all().flatMap(({ id }) => commands.keysOf(id));
    expect([...keys].sort()).toEqual([...new Set(keys)].sort());
  });

  it("lets every tool be reached by a key", () => {
    const commands = all();
    for (const preset of Object.keys(PRESETS) as Preset[]) {
      commands.keymap.value = { preset, own: {} };
      for (const { id } of toolCommands) expect(commands.keysOf(id), `${preset} ${id}`).not.toEqual([]);
    }
  });
});

describe("keys of one's own", () => {
  it("are taken from whoever had them, and given back", () => {
    const commands = all();
    const move = commands.get("tool-move");
    commands.keymap.value = withKeys(OURS, move, ["K"]);
    expect(commands.keysOf("tool-move")).toEqual(["K"]);
    expect(commands.keysOf("insert-keys")).toEqual([]);
    expect(commands.tooltip("tool-move")).toContain("(K)");
    commands.keymap.value = withKeys(commands.keymap.value, move, move.keys ?? []);
    expect(commands.keymap.value).toEqual(OURS);
    expect(commands.keysOf("insert-keys")).toEqual(["K"]);
  });

  it("come back from the browser, and nonsense does not", () => {
    const kept = new Map<string, string>();
    const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => void kept.set(name, value) };
    expect(recallKeys(storage)).toEqual(OURS);
    const mine = { preset: "maya" as const, own: { play: ["K"] } };
    rememberKeys(storage, mine);
    expect(recallKeys(storage)).toEqual(mine);
    for (const odd of ["", "{", "[]", '{"preset":"vim","own":{}}', '{"preset":"maya","own":{"play":3}}', '{"preset":"maya","own":null}']) {
      storage.setItem("inbetweener.keys", odd);
      expect(recallKeys(storage)).toEqual(OURS);
    }
  });
});
