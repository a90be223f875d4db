import { type Command, switching } from "../../commands/commands";
import { targetAt } from "../../model/loosening";
import type { Model } from "../../model/model";

const noTarget = ({ loosening }: Model): string => (loosening.targets.some(({ on }) => on) ? "" : "There are no targets yet; X places them");

/** Let parts swing, and hit targets. */
export const loosenessCommands: readonly Command[] = [
  {
    id: "looseness",
    label: "Loose or as keyed",
    group: "Looseness",
    keys: ["L"],
    // The first press has to show something: the whole body, in the middle of the presets.
    run: (model) =>
      void model.ask(model.loosening.hasSprings ? { type: "switch-looseness", on: !model.loosening.told.value?.on } : { type: "loosen-as", preset: "relaxed" }),
    checked: ({ loosening }) => loosening.isLoose,
    enabled: ({ loosening }) => loosening.told.value !== null,
    why: () => "There is no clip to loosen",
  },
  switching(({ loosening }) => loosening.showKeyed, {
    id: "view.keyed",
    label: "Keyed motion beside the loose one",
    group: "Show",
    keys: ["Shift+L"],
    checked: ({ loosening }) => loosening.showsBoth,
    enabled: ({ loosening }) => loosening.isLoose,
    why: () => "Nothing is loose",
  }),
  {
    id: "target-add",
    label: "Target for the point here",
    group: "Looseness",
    keys: ["Shift+X"],
    run: (model) => {
      const place = model.selection.active?.place;
      if (place) void model.loosening.add(targetAt(place, model.timeOf(model.playback.frame.value)));
    },
    enabled: (model) => model.selection.active !== null,
    why: () => "Click a part of the body first",
  },
  {
    id: "target-pose",
    label: "Target for the whole pose here",
    group: "Looseness",
    run: (model) => void model.loosening.add({ kind: "pose", time: model.timeOf(model.playback.frame.value), pose: "keyed" }),
    enabled: ({ loosening }) => loosening.isLoose,
    why: () => "Nothing is loose, so every pose is as keyed",
  },
  {
    id: "target-delete",
    label: "Delete target",
    group: "Looseness",
    keys: ["Delete", "Backspace"],
    run: (model) => {
      const { chosen } = model.loosening;
      if (chosen.value !== null) void model.ask({ type: "remove-target", name: chosen.value });
    },
    enabled: ({ loosening, selection }) => loosening.chosen.value !== null && selection.keys.value.length === 0,
    why: () => "Choose a target first",
  },
  {
    id: "targets-solve",
    label: "Solve for targets",
    group: "Looseness",
    keys: ["Ctrl+Enter"],
    run: (model) => void model.ask({ type: "solve-targets" }),
    enabled: (model) => noTarget(model) === "",
    why: noTarget,
  },
  {
    id: "loose-bake",
    label: "Bake looseness into a layer",
    group: "Looseness",
    run: (model) => void model.ask({ type: "bake-loose" }),
    enabled: ({ loosening }) => loosening.isLoose,
    why: () => "Nothing is loose",
  },
];
