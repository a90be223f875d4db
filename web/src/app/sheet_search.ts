import type { Command, Commands } from "../commands/commands";
import { readableKey } from "../commands/commands";
import type { MouseGesture } from "../model/tool";
import { hasAll } from "../model/words";
import { MOUSE } from "./mouse";

export interface SheetGroup {
  group: string;
  commands: { id: string; label: string; keys: string[] }[];
}

const ORDER: readonly Command["group"][] = [
  "File",
  "Edit",
  "Tools",
  "Time",
  "Clips",
  "Pose",
  "Library",
  "Keys",
  "Constraints",
  "Character",
  "Guidance",
  "Looseness",
  "Skin",
  "Show",
  "Look",
  "Camera",
  "Panels",
  "Help",
];

/** The commands that have keys, or all of them, by group; with words to look for, those that have all of them. */
export function findCommands(commands: Commands, words: string, all = false): SheetGroup[] {
  return ORDER.map((group) => ({
    group,
    commands: commands
      .all()
      .filter((each) => each.group === group)
      .map(({ id, label }) => ({ id, label, keys: commands.keysOf(id).map(readableKey) }))
      .filter(({ label, keys }) => (all || keys.length > 0) && hasAll(`${group} ${label} ${keys.join(" ")}`, words)),
  })).filter((each) => each.commands.length > 0);
}

/** What a palette offers: commands that have all words, those that can be done first, then those whose name begins so. */
export function rank(commands: Commands, words: string): { id: string; label: string; group: string; key: string; reason: string }[] {
  const typed = words.trim().toLowerCase();
  return commands
    .all()
    .filter(({ id, label, group }) => id !== "palette" && hasAll(`${group} ${label}`, typed))
    .map(({ id, label, group }, i) => {
      const [key] = commands.keysOf(id);
      const place = label.toLowerCase().startsWith(typed) ? 0 : label.toLowerCase().includes(typed) ? 1 : 2;
      return { id, label, group, key: key ? readableKey(key) : "", reason: commands.reason(id), place, i };
    })
    .sort((a, b) => Number(a.reason !== "") - Number(b.reason !== "") || a.place - b.place || a.i - b.i);
}

export function findGestures(words: string): MouseGesture[] {
  return MOUSE.filter(({ where, gesture, does }) => hasAll(`${where} ${gesture} ${does}`, words));
}
