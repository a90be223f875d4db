import type { Command } from "../commands/commands";
import { readableKey } from "../commands/commands";
import type { MouseGesture } from "../model/tool";
import { hasAll } from "../model/words";
import { MOUSE } from "./mouse";

export interface SheetGroup {
  group: string;
  commands: { label: string; keys: string[] }[];
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
  "Camera",
  "Panels",
  "Help",
];

/** The commands that have keys, by group; with words to look for, those that have all of them. */
export function findCommands(commands: readonly Command[], words: string): SheetGroup[] {
  return ORDER.map((group) => ({
    group,
    commands: commands
      .filter((each) => each.group === group && each.keys?.length)
      .map(({ label, keys }) => ({ label, keys: (keys ?? []).map(readableKey) }))
      .filter(({ label, keys }) => hasAll(`${group} ${label} ${keys.join(" ")}`, words)),
  })).filter((each) => each.commands.length > 0);
}

export function findGestures(words: string): MouseGesture[] {
  return MOUSE.filter(({ where, gesture, does }) => hasAll(`${where} ${gesture} ${does}`, words));
}
