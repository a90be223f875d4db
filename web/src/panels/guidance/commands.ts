import { type Command, switching } from "../../commands/commands";

/** Lead tangents to less effort. */
export const guidanceCommands: readonly Command[] = [
  {
    id: "guide",
    label: "Guide tangents",
    group: "Guidance",
    keys: ["Shift+G"],
    run: ({ guiding }) => {
      if (guiding.gesture.value === null) void guiding.run();
      else if (guiding.isRunning) guiding.stop();
      else guiding.goOn();
    },
    enabled: ({ guiding }) => guiding.objection === "",
    why: ({ guiding }) => guiding.objection,
  },
  switching(({ costs }) => costs.on, {
    id: "cost-map",
    label: "Cost map",
    group: "Guidance",
    keys: ["Shift+C"],
  }),
  {
    id: "guide-keep",
    label: "Keep guidance",
    group: "Guidance",
    run: ({ guiding }) => guiding.keep(),
    enabled: ({ guiding }) => guiding.gesture.value !== null,
    why: () => "No guidance is under way",
  },
  {
    id: "guide-discard",
    label: "Discard guidance",
    group: "Guidance",
    run: ({ guiding }) => guiding.discard(),
    enabled: ({ guiding }) => guiding.gesture.value !== null,
    why: () => "No guidance is under way",
  },
];
