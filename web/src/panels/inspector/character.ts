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
  twisting(true, "Let twist bones follow"),
  twisting(false, "Let twist bones stand by themselves"),
  {
    id: "handles.give",
    label: "Give it IK handles",
    group: "Character",
    enabled: isBody,
    why: () => NO_BODY,
    run: (model) => void told(model, { type: "give-handles" }),
  },
  {
    id: "handles.take",
    label: "Take its handles away",
    group: "Character",
    enabled: (model) => model.scene.value?.channels.some(({ handle }) => handle) ?? false,
    why: () => "It has no handles",
    run: (model) => void told(model, { type: "take-handles" }),
  },
  switching("ik", "Hang the selected limb on its handle"),
  switching("fk", "Turn the selected limb by its joints"),
];

function twisting(follow: boolean, label: string): Command {
  return {
    id: `twists.${follow ? "follow" : "free"}`,
    label,
    group: "Character",
    enabled: (model) => model.scene.value?.joints.some(({ role }) => role === "twist") ?? false,
    why: () => "No twist bone was recognised: select one and say what it is, under Channels",
    run: (model) => void told(model, { type: "follow-twists", follow }),
  };
}

/** Ask, and say what came of it: how far joints moved, and what has no handle. */
async function told(model: Model, wish: Parameters<Model["ask"]>[0]): Promise<void> {
  const text = await model.ask(wish);
  if (text) model.notices.add("info", text);
}

/** The handle of the limb that the active point is on. */
function limbOf({ scene, selection }: Model): string | null {
  const joint = selection.activeJoint;
  return scene.value?.channels.find(({ handle, joints }) => handle && joint !== null && joints.includes(joint))?.handle ?? null;
}

/** Without a pop, over what is played: the whole clip, or a part of it. */
function switching(to: "ik" | "fk", label: string): Command {
  return {
    id: `handles.${to}`,
    label,
    group: "Character",
    enabled: (model) => limbOf(model) !== null,
    why: () => "Select a joint of a limb that hangs on a handle",
    run: (model) => {
      const [start, end] = model.playback.range.value?.map((frame) => model.timeOf(frame)) ?? [null, null];
      void told(model, { type: "switch-limb", limb: limbOf(model) ?? "", to, start, end });
    },
  };
}

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
