import type { Studio } from "../../commands/studio";
import { keysAround } from "../../model/arcs";

/** The keys of the active point around the current frame, in seconds; null when it is outside of them. */
export function stretchHere({ model }: Studio): [number, number] | null {
  const { active } = model.selection;
  const arc = active && model.arcs.get(active.arc);
  return arc ? keysAround(arc, model.timeOf(model.playback.frame.value)) : null;
}

/** Keep the active point still between the keys around the current frame; the server says how much it slides now. */
export async function plantHere(studio: Studio): Promise<void> {
  const { model } = studio;
  const [place, stretch] = [model.selection.active?.place, stretchHere(studio)];
  if (!place || !stretch) return;
  const text = await model.ask({ type: "add-contact", place, start: stretch[0], end: stretch[1] });
  if (text) model.notices.add("info", text);
}
