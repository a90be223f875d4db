import { commands } from "../app/studio";
import type { Display } from "../model/model";
import type { Preset } from "./framing";
import type { Viewpoints } from "./viewpoints";

const DISPLAYS: Display[] = ["shaded", "x-ray", "skeleton"];

/** Commands on how the viewport looks at the character. */
export function addViewCommands(viewpoints: Viewpoints): void {
  const look = (preset: Preset, label: string, keys?: string[]): void =>
    commands.add({ id: `view.${preset}`, label, group: "View", keys, run: () => viewpoints.lookFrom(preset) });
  commands.add(
    { id: "view.frame", label: "Frame selection", group: "View", keys: ["F", "."], run: () => viewpoints.frameSelection() },
    { id: "view.frame-all", label: "Frame everything", group: "View", keys: ["A", "Home"], run: () => viewpoints.frameAll() },
    { id: "view.document", label: "Look through the document's camera", group: "View", keys: ["0"], run: () => viewpoints.lookThroughDocument() },
  );
  look("front", "Look from the front", ["1"]);
  look("side", "Look from the side", ["3"]);
  look("top", "Look from above", ["7"]);
  look("back", "Look from behind", ["9"]);
  look("three-quarter", "Look from three quarters", ["4"]);
  commands.add({ id: "view.flat", label: "Flat lens, without perspective", group: "View", keys: ["5"], run: () => viewpoints.toggleFlat() });
  for (const display of DISPLAYS) {
    commands.add({ id: `view.${display}`, label: `Show ${display}`, group: "View", run: (model) => (model.display.value = display) });
  }
  commands.add(
    {
      id: "view.display",
      label: "Shaded, x-ray, skeleton in turn",
      group: "View",
      keys: ["Z"],
      run: (model) => (model.display.value = DISPLAYS[(DISPLAYS.indexOf(model.display.value) + 1) % DISPLAYS.length]),
    },
    { id: "view.onion", label: "Onion skins", group: "View", keys: ["O"], run: (model) => (model.onionSkins.value = !model.onionSkins.value) },
  );
}
