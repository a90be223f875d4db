import type { TemplateResult } from "lit";
import type { Command } from "../../commands/commands";
import type { Studio } from "../../commands/studio";
import type { Model } from "../../model/model";
import type { JointInfo, SetRole } from "../../protocol/messages";
import { selectLine } from "../fields/lines";

type Role = NonNullable<SetRole["role"]>;

const isBody = (model: Model): boolean => (model.scene.value?.kind ?? "object") !== "object";
const NO_BODY = "No body was recognised: select joints and say what they are, under Channels";
const NOTHING = { limits: "none", stiffness: false, masses: false, points: false } as const;

/** What a character gets by what its joints are: all at once, or one thing after the other; each is one step to undo. */
export const characterCommands: readonly Command[] = [
  command("prepare", "Prepare as a body", {}),
  command("prepare.limits", "Limit joints as bodies are", { ...NOTHING, limits: "soft" }),
  command("prepare.hard-limits", "Limit joints strictly, whatever clips do", { ...NOTHING, limits: "hard" }),
  command("prepare.masses", "Weigh it as a body", { ...NOTHING, masses: true }),
  command("prepare.points", "Find points on its mesh", { ...NOTHING, points: true }),
];

function command(id: string, label: string, wish: Partial<Record<"limits" | "stiffness" | "masses" | "points", unknown>>): Command {
  return {
    id,
    label,
    group: "Character",
    enabled: isBody,
    why: () => NO_BODY,
    run: (model) => void model.ask({ type: "prepare", ...(wish as object) }),
  };
}

const ROLES: readonly Role[] = [
  "root", "hips", "spine", "chest", "neck", "head", "jaw", "eye", "ear", "clavicle", "upper_arm", "forearm", "hand", "finger",
  "thigh", "shin", "foot", "toe", "tail", "wing", "twist", "helper", "end", "control",
]; // biome-ignore format: a list
const HELP = "What this joint is, and with it its partner on the other side: limits, masses, points and contacts go by it";

/** What a joint is taken for, to be corrected. */
export function roleLine({ model }: Studio, { name, role = "helper", side = null, number = 0, digit = 0 }: JointInfo): TemplateResult {
  const ways: [Role | null, string][] = [[null, "recognise it anew"], ...ROLES.map((each): [Role, string] => [each, each.replace("_", " ")])];
  const label = side ? `Is (${side})` : "Is";
  return selectLine<Role | null>(label, HELP, role, ways, (to) =>
    model.ask({ type: "set-role", joint: name, role: to, side: side ?? sideOf(name), number: to === role ? number : 0, digit }),
  );
}

/** The side that a name speaks of, for a joint of which nobody knows yet. */
function sideOf(name: string): "left" | "right" | null {
  if (/left|(^|[_. -])l([_. -]|$)/i.test(name)) return "left";
  return /right|(^|[_. -])r([_. -]|$)/i.test(name) ? "right" : null;
}
