import type { Command } from "../../commands/commands";
import type { Model } from "../../model/model";
import { move } from "./move";
import { path } from "./path";
import { pose } from "./pose";
import { rotate } from "./rotate";
import { sketch } from "./sketch";
import { target } from "./target";
import { timing } from "./timing";
import type { StageTool } from "./tool";

/** All tools, in the order of the bar. Whoever wants to know of tools reads them from here. */
export const tools: readonly StageTool[] = [pose, move, rotate, timing, sketch, target, path];

/** The one that a page begins with. */
export const firstTool = move;

/** The chosen tool, with all that it does on the stage. */
export function toolOf(model: Model): StageTool {
  const { name } = model.tool.value;
  const found = tools.find((each) => each.name === name);
  if (!found) throw new Error(`no tool is called ${name}`);
  return found;
}

/** A command to choose each. */
export const toolCommands: readonly Command[] = tools.map((tool) => ({
  id: `tool-${tool.name}`,
  label: tool.label,
  group: "Tools",
  keys: [tool.key],
  run: (model) => {
    model.tool.value = tool;
  },
  checked: (model) => model.tool.value === tool,
}));
