import type { Command } from "../commands/commands";
import type { Model } from "../model/model";
import { mainJoint } from "../model/selection";

const hasKeys = ({ selection }: Model): boolean => selection.keys.value.length > 0;
const noKeys = (): string => "Select keys in the timeline or the graph";
const hasClip = ({ clip }: Model): boolean => clip.value !== null;
const noClip = (): string => "There is no clip";

/** The selected keys as text onto the clipboard of the system; this page remembers them too. */
async function copy(model: Model, cut: boolean): Promise<void> {
  const keys = [...model.selection.keys.value];
  // Their numbers mean other keys afterwards.
  if (cut) model.selection.keys.value = [];
  const text = await model.ask({ type: "copy-keys", keys, cut });
  if (!text) return;
  model.clipboard.value = text;
  model.posing.copied.value = null;
  const count = keys.length === 1 ? "1 key" : `${keys.length} keys`;
  model.notices.add("info", `${cut ? "cut" : "copied"} ${count}; Ctrl+V puts them in at the playhead`);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    model.notices.add("info", "the browser keeps its clipboard closed: these keys can be pasted on this page only");
  }
}

/** What is on the clipboard; where the browser does not tell, what was copied here. */
async function copiedText(model: Model): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return model.clipboard.value ?? "";
  }
}

/** Copied keys in at the playhead: onto their own joints, or onto those that are selected in their stead. */
async function paste(model: Model, mirrored: boolean): Promise<void> {
  model.playback.pause();
  const time = model.timeOf(model.playback.frame.value);
  const joints = [...new Set(model.selection.points.value.map(({ place }) => mainJoint(place)))];
  const text = await copiedText(model);
  const said = await model.ask({ type: "paste-keys", text, time, mirrored, joints: joints.length > 0 && !mirrored ? joints : null });
  if (said) model.notices.add("info", said);
}

/** Before those of poses, which have the same keys: who has selected keys means these. */
export const copyCommands: readonly Command[] = [
  { id: "cut-keys", label: "Cut keys", group: "Keys", keys: ["Ctrl+X"], enabled: hasKeys, why: noKeys, run: (model) => void copy(model, true) },
  { id: "copy-keys", label: "Copy keys", group: "Keys", keys: ["Ctrl+C"], enabled: hasKeys, why: noKeys, run: (model) => void copy(model, false) },
];

/** After those of poses: a pose that was copied here last is what is meant. */
export const pasteCommands: readonly Command[] = [
  {
    id: "paste-keys",
    label: "Paste keys at this frame",
    group: "Keys",
    keys: ["Ctrl+V"],
    enabled: hasClip,
    why: noClip,
    run: (model) => void paste(model, false),
  },
  {
    id: "paste-keys-mirrored",
    label: "Paste keys mirrored",
    group: "Keys",
    keys: ["Ctrl+Shift+V"],
    enabled: hasClip,
    why: noClip,
    run: (model) => void paste(model, true),
  },
];
