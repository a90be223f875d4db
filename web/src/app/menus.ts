import type { Command, Commands } from "../commands/commands";
import { readableKey } from "../commands/commands";

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
  { name: "Pose", label: "Pose", columns: [["Pose"], ["Library"]] },
  { name: "Character", label: "Character", columns: [["Character"]] },
  {
    name: "Motion",
    label: "Motion",
    columns: [
      ["Clips", "Guidance"],
      ["Looseness", "Skin"],
    ],
  },
  // In a single column it would not fit a small screen.
  { name: "View", label: "View", columns: [["Show", "Look"], ["Camera"], ["Time"], ["Tools", "Panels"]] },
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

function item(commands: Commands, { id, label }: Command): MenuItem {
  const [key] = commands.keysOf(id);
  return { id, label, key: key ? readableKey(key) : "", checked: commands.checked(id), reason: commands.reason(id) };
}
