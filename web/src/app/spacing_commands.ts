import type { Command } from "../commands/commands";
import type { Model } from "../model/model";
import { selectedChannels } from "../model/posing";
import { mainJoint } from "../model/selection";
import type { KeyRef } from "../protocol/messages";
import { askName } from "./question";

const hasClip = ({ clip }: Model): boolean => clip.value !== null;
const noClip = (): string => "No document is open yet";
const hasKeys = ({ selection }: Model): boolean => selection.keys.value.length > 0;
const noKeys = (): string => "Select keys in the timeline or the graph";
const hasJoints = ({ selection }: Model): boolean => selection.points.value.length > 0;

/** Selected keys so many frames later; they pass others, as under a hand, and stay selected. */
async function nudge(model: Model, frames: number): Promise<void> {
  const keys = [...model.selection.keys.value];
  const hand = model.take({ kind: "move-keys", keys });
  const times = keys.map((key) => timeOf(model, key));
  const shift = frames / (model.clip.value?.rate ?? 24);
  hand.move(shift, 0, 1, 1, 0, 0);
  await hand.commit();
  // Those that pass others have other numbers.
  model.selection.keys.value = keys.map((ref, i) => ({ ...ref, key: nearestKey(model, ref, times[i] + shift) }));
}

function keysOf(model: Model, { channel, layer }: KeyRef): readonly { time: number }[] {
  const number = layer ? (model.clip.value?.layers.findIndex(({ name }) => name === layer) ?? -1) + 1 : 0;
  return model.curves.get(model.channelIndex(channel), number)?.keys ?? [];
}

function timeOf(model: Model, ref: KeyRef): number {
  return keysOf(model, ref)[ref.key]?.time ?? Number.NaN;
}

function nearestKey(model: Model, ref: KeyRef, time: number): number {
  const apart = keysOf(model, ref).map((key) => Math.abs(key.time - time));
  return Math.max(0, apart.indexOf(Math.min(...apart)));
}

/** The selected joints, or the chain below a single one, a frame more apart; within the played range, where there is one. */
function stagger(model: Model, by: number): void {
  const joints = [...new Set(model.selection.points.value.map(({ place }) => mainJoint(place)))];
  const [start, end] = model.playback.range.value?.map((frame) => model.timeOf(frame)) ?? [null, null];
  model.selection.keys.value = [];
  void model.ask({ type: "stagger", joints, by, start, end });
}

async function chart(model: Model): Promise<void> {
  const more = "How far each in-between is from the key before to the key after: shares such as 1/3 2/3, or half, halves-out, halves-in, thirds.";
  const shares = await askName({ heading: "Timing chart", label: "In-betweens", name: "1/2 3/4 7/8", more, verb: "Key them" });
  if (shares !== null) draw(model, shares);
}

function draw(model: Model, shares: string): void {
  const time = model.timeOf(model.playback.frame.value);
  model.selection.keys.value = [];
  void model.ask({ type: "chart", shares, time, channels: selectedChannels(model) });
}

const charted = (shares: string, label: string): Command => ({
  id: `chart-${shares}`,
  label,
  group: "Keys",
  run: (model) => draw(model, shares),
  enabled: hasClip,
  why: noClip,
});

/** When keys come. */
export const spacingCommands: readonly Command[] = [
  {
    id: "nudge-later",
    label: "Nudge keys a frame later",
    group: "Keys",
    keys: ["Alt+ArrowRight"],
    run: (model) => void nudge(model, 1),
    enabled: hasKeys,
    why: noKeys,
  },
  {
    id: "nudge-sooner",
    label: "Nudge keys a frame sooner",
    group: "Keys",
    keys: ["Alt+ArrowLeft"],
    run: (model) => void nudge(model, -1),
    enabled: hasKeys,
    why: noKeys,
  },
  {
    id: "stagger-later",
    label: "Let the chain follow a frame later",
    group: "Keys",
    keys: ["Alt+Shift+ArrowRight"],
    run: (model) => stagger(model, 1),
    enabled: hasJoints,
    why: () => "Select the first joint of a chain, or several of it",
  },
  {
    id: "stagger-sooner",
    label: "Let the chain follow a frame sooner",
    group: "Keys",
    keys: ["Alt+Shift+ArrowLeft"],
    run: (model) => stagger(model, -1),
    enabled: hasJoints,
    why: () => "Select the first joint of a chain, or several of it",
  },
  { id: "chart", label: "Timing chart…", group: "Keys", run: (model) => void chart(model), enabled: hasClip, why: noClip },
  charted("halves-out", "Chart halves: slow out of the key before"),
  charted("halves-in", "Chart halves: slow into the key after"),
  charted("thirds", "Chart thirds"),
  {
    id: "snap-keys",
    label: "Snap keys to frames",
    group: "Keys",
    run: (model) => {
      model.selection.keys.value = [];
      void model.ask({ type: "snap-keys" }).then((said) => said && model.notices.add("info", said));
    },
    enabled: hasClip,
    why: noClip,
  },
];
