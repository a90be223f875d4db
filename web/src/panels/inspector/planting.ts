import { model } from "../../app/studio";
import { keysAround } from "../../viewport/arc_geometry";

/** The keys of the active point around the current frame, in seconds; null when it is outside of them. */
export function stretchHere(): [number, number] | null {
  const { active } = model.selection;
  const arc = active && model.arcs.get(active.arc);
  return arc ? keysAround(arc, model.timeOf(model.playback.frame.value)) : null;
}

/** Keep the active point still between the keys around the current frame; the server says how much it slides now. */
export async function plantHere(): Promise<void> {
  const [place, stretch] = [model.selection.active?.place, stretchHere()];
  if (!place || !stretch) return;
  const text = await model.ask({ type: "add-contact", place, start: stretch[0], end: stretch[1] });
  if (text) model.notices.add("info", text);
}
