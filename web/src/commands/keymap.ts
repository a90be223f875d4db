import type { Command } from "./commands";

/** Keys by the id of a command. */
export type Keys = Readonly<Record<string, readonly string[]>>;
export type Preset = "ours" | "blender" | "maya";

/** Which keys mean what: those of a preset, and on top of them what somebody chose. */
export interface Keymap {
  readonly preset: Preset;
  readonly own: Keys;
}

export const OURS: Keymap = { preset: "ours", own: {} };
export const PRESET_NAMES: Readonly<Record<Preset, string>> = { ours: "Ours", blender: "Blender", maya: "Maya" };

/** Where the keys of other programs differ from ours, for hands that know those. */
export const PRESETS: Readonly<Record<Preset, Keys>> = {
  ours: {},
  blender: {
    "tool-move": ["G"],
    "tool-rotate": ["R"],
    "tool-timing": ["T"],
    "show-turns": ["Shift+T"],
    "insert-keys": ["I"],
    "delete-keys": ["X", "Delete", "Backspace"],
    "tool-target": ["J"],
    "view.frame": [".", "F"],
    "view.frame-all": ["Home"],
    "play-backward": ["Ctrl+Shift+Space"],
    "next-key": ["ArrowUp"],
    "previous-key": ["ArrowDown"],
    "to-start": ["Shift+ArrowLeft"],
    "to-end": ["Shift+ArrowRight"],
    redo: ["Ctrl+Shift+Z"],
    palette: ["F3", "Ctrl+K"],
  },
  maya: {
    "tool-pose": ["Q"],
    "tool-move": ["W"],
    "tool-rotate": ["E"],
    "insert-keys": ["S"],
    "key-all": ["Shift+S"],
    play: ["Alt+V", "Space"],
    "next-frame": ["Alt+.", "ArrowRight"],
    "previous-frame": ["Alt+,", "ArrowLeft"],
    "next-key": [".", "ArrowUp"],
    "previous-key": [",", "ArrowDown"],
    undo: ["Z", "Ctrl+Z"],
    redo: ["Shift+Z", "Ctrl+Y"],
    "view.frame": ["F"],
    "view.frame-all": ["A"],
    "view.display": ["4"],
  },
};

/** The keys of every command under a keymap. A key that was given to one is taken from those that had it by themselves. */
export function keysUnder(commands: readonly Command[], { preset, own }: Keymap): Map<string, readonly string[]> {
  const given = PRESETS[preset];
  const [chosen, preset_] = [new Set(Object.values(own).flat()), new Set(Object.values(given).flat())];
  return new Map(
    commands.map(({ id, keys = [] }) => {
      if (own[id]) return [id, own[id]];
      if (given[id]) return [id, given[id].filter((key) => !chosen.has(key))];
      return [id, keys.filter((key) => !chosen.has(key) && !preset_.has(key))];
    }),
  );
}

/** A keymap with other keys for one command; with those that the preset gives it anyway, none of its own. */
export function withKeys(keymap: Keymap, { id, keys = [] }: Command, wished: readonly string[] | null): Keymap {
  const { [id]: _, ...others } = keymap.own;
  const usual = PRESETS[keymap.preset][id] ?? keys;
  const same = wished !== null && wished.join() === usual.join();
  return { ...keymap, own: wished === null || same ? others : { ...others, [id]: wished } };
}

const PLACE = "inbetweener.keys";

/** What the browser remembers; ours where it remembers nothing, or nothing that makes sense. */
export function recallKeys(storage: Pick<Storage, "getItem">): Keymap {
  try {
    const { preset, own } = JSON.parse(storage.getItem(PLACE) ?? "null") as Keymap;
    const isKeys = (each: unknown): boolean => Array.isArray(each) && each.every((key) => typeof key === "string");
    if (preset in PRESETS && typeof own === "object" && own !== null && Object.values(own).every(isKeys)) return { preset, own };
  } catch {
    // Not ours, or cut off: as good as nothing.
  }
  return OURS;
}

export function rememberKeys(storage: Pick<Storage, "setItem">, keymap: Keymap): void {
  storage.setItem(PLACE, JSON.stringify(keymap));
}
