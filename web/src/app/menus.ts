import type { Command, Commands } from "./commands";
import { readableKey } from "./commands";

type Group = Command["group"];

/** A menu of the bar: its columns, each with groups of commands one under the other. */
export interface MenuPlan {
  name: string;
  /** What a reader of the screen says. */
  label: string;
  columns: readonly (readonly Group[])[];
}

export const MENUS: readonly MenuPlan[] = [
  { name: "File", label: "File", columns: [["File"]] },
  { name: "Edit", label: "Edit", columns: [["Edit", "Keys", "Constraints"]] },
  { name: "Motion", label: "Motion", columns: [["Guidance", "Looseness", "Skin"]] },
  // In a single column it would not fit a small screen.
  { name: "View", label: "View", columns: [["Show"], ["Camera"], ["Time"], ["Tools", "Panels"]] },
  { name: "?", label: "Help", columns: [["Help"]] },
];

export interface MenuItem {
  id: string;
  label: string;
  /** The first key, readable; empty without one. */
  key: string;
  /** Whether it is on, where it switches something. */
  checked: boolean | null;
  /** Why it cannot be chosen now; empty when it can. */
  reason: string;
}

interface MenuSection {
  group: Group;
  items: MenuItem[];
}

/** What a column of a menu shows now; groups that nobody filled are left out. */
export function sections(commands: Commands, groups: readonly Group[]): MenuSection[] {
  const all = commands.all();
  return groups
    .map((group) => ({ group, items: all.filter((each) => each.group === group).map((each) => item(commands, each)) }))
    .filter((section) => section.items.length > 0);
}

function item(commands: Commands, { id, label, keys }: Command): MenuItem {
  return { id, label, key: keys?.length ? readableKey(keys[0]) : "", checked: commands.checked(id), reason: commands.reason(id) };
}

/** The item that a key leads to in a menu of `count`; −1 is none yet. Null when the key is not for moving. */
export function stepTo(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (Math.max(at, 0) + count - 1) % count;
    case "Home":
    case "PageUp":
      return 0;
    case "End":
    case "PageDown":
      return count - 1;
    default:
      return null;
  }
}

/** The next item after `at` that begins with a letter, going round; null when none does. */
export function startingWith(letter: string, labels: readonly string[], at: number): number | null {
  for (let i = 1; i <= labels.length; i++) {
    const index = (Math.max(at, -1) + i) % labels.length;
    if (labels[index].toLowerCase().startsWith(letter.toLowerCase())) return index;
  }
  return null;
}
