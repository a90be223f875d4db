import type { Command } from "../commands/commands";
import type { Model } from "../model/model";
import type { PresetTangents } from "../protocol/messages";

const hasKeys = (model: Model): boolean => model.selection.keys.value.length > 0;
const why = (): string => "Select keys in the graph or the timeline";

function preset(kind: PresetTangents["preset"], label: string): Command {
  const run = (model: Model): void => void model.ask({ type: "preset-tangents", keys: [...model.selection.keys.value], preset: kind });
  return { id: `tangents-${kind}`, label, group: "Keys", run, enabled: hasKeys, why };
}

function tie(tied: boolean, id: string, label: string): Command {
  const run = (model: Model): void => void model.ask({ type: "tie-tangents", keys: [...model.selection.keys.value], tied });
  return { id, label, group: "Keys", run, enabled: hasKeys, why };
}

/** The commands of the bar above the sheet, in its order. */
export const TANGENT_COMMANDS = [
  "tangents-smooth",
  "tangents-flat",
  "tangents-linear",
  "tangents-stepped",
  "tangents-tie",
  "tangents-break",
  "tangents-freeze",
] as const;

/** What can be done with the tangents of keys. */
export const tangentCommands: readonly Command[] = [
  preset("smooth", "Smooth tangents"),
  preset("flat", "Flat tangents"),
  preset("linear", "Linear tangents"),
  preset("stepped", "Stepped keys"),
  tie(true, "tangents-tie", "Tie tangents"),
  tie(false, "tangents-break", "Break tangents"),
  {
    id: "tangents-freeze",
    label: "Freeze tangents, or let them go",
    group: "Guidance",
    keys: ["Shift+F"],
    run: ({ guiding, selection }) => guiding.toggleFrozen(selection.keys.value),
    enabled: hasKeys,
    why,
  },
];
