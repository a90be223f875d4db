import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { centimetres, frameRange } from "../../model/units";
import type { ObstacleInfo } from "../../protocol/messages";
import { glyphs } from "../glyphs";
import type { Badges } from "./badges";
import type { Item } from "./outline";

/** What stands at the right end of a line. `own` marks the joint, `hidden` what is closed away below it. */
export function marksOf(studio: Studio, item: Item, own?: Badges, hidden?: Badges): TemplateResult | typeof nothing {
  const { model } = studio;
  switch (item.kind) {
    case "joint":
      return jointMarks(studio, model.scene.value?.joints[item.joint]?.name ?? "", own, hidden);
    case "control":
      return isKeyed(studio, item.channel.name) ? mark("keyed", "has keys") : nothing;
    case "handle":
      return item.channels.some((name) => isKeyed(studio, name)) ? mark("keyed", "has keys") : nothing;
    case "mesh":
      return eye(studio, item.mesh.name);
    case "prop":
      return item.prop.role === "obstacle" ? clearance(studio, obstacle(studio, item.prop.name)) : nothing;
    default:
      return nothing;
  }
}

function isKeyed({ model }: Studio, channel: string): boolean {
  return model.curves.get(model.channelIndex(channel)) !== null;
}

/** Hide a mesh, or show it again. */
export function toggleMesh({ model }: Studio, name: string): void {
  const hidden = new Set(model.hiddenMeshes.value);
  if (!hidden.delete(name)) hidden.add(name);
  model.hiddenMeshes.value = hidden;
}

/** Go to the first frame on which an obstacle is hit. */
export function goToHit(studio: Studio, name: string): void {
  const { model } = studio;
  const [first] = obstacle(studio, name)?.frames ?? [];
  if (first === undefined) return;
  model.playback.playing.value = false;
  model.playback.go(first);
}

function obstacle({ model }: Studio, name: string): ObstacleInfo | undefined {
  return model.obstacles.value?.items.find((each) => each.name === name);
}

function jointMarks(studio: Studio, joint: string, own: Badges | undefined, hidden: Badges | undefined): TemplateResult {
  if (!own) return html`${factor(studio, joint)}`;
  return html`
    ${factor(studio, joint)}
    ${own.loose ? wave("", looseWords(studio, joint)) : hidden?.loose ? wave("faint", "something below is loose") : nothing}
    ${own.pinned ? mark("pinned", "pinned") : hidden?.pinned ? mark("pinned hollow", "something below is pinned") : nothing}
    ${own.planted ? mark("planted", "contact") : hidden?.planted ? mark("planted hollow", "a contact below") : nothing}
    ${own.keyed ? mark("keyed", "has keys") : hidden?.keyed ? mark("keyed hollow", "keys below") : nothing}
  `;
}

function looseWords({ model }: Studio, joint: string): string {
  const told = model.loosening.told.value;
  const chain = told?.chains.find(({ joints }) => joints.includes(joint));
  const where = chain ? `, in the chain from ${chain.first}` : "";
  return told?.on === false ? `on a spring${where}, but looseness is off` : `on a spring: loose${where}`;
}

/** How much more guidance lets a joint stay than others. */
function factor({ model }: Studio, joint: string): TemplateResult | typeof nothing {
  const value = model.guiding.factors.value.get(joint);
  if (value === undefined) return nothing;
  return html`<span class="clearance quiet" title="Guidance: its tangents stay as they are, so many times more than others">× ${value.toFixed(value < 10 ? 1 : 0)}</span>`;
}

function mark(kind: string, words: string): TemplateResult {
  return html`<i class="mark ${kind}" role="img" title=${words} aria-label=${words}></i>`;
}

function wave(kind: string, words: string): TemplateResult {
  return html`<span class="wave ${kind}" role="img" title=${words} aria-label=${words}>${glyphs.wave}</span>`;
}

function eye(studio: Studio, name: string): TemplateResult {
  const { model } = studio;
  const hidden = model.hiddenMeshes.value.has(name);
  const words = hidden ? `Show ${name}` : `Hide ${name}`;
  const toggle = (event: Event): void => {
    event.stopPropagation();
    toggleMesh(studio, name);
  };
  return html`<button class="bare eye ${hidden ? "off" : ""}" tabindex="-1" title=${words} aria-label=${words} aria-pressed=${!hidden} @click=${toggle}>
    ${hidden ? glyphs.closedEye : glyphs.eye}
  </button>`;
}

function clearance({ model }: Studio, info: ObstacleInfo | undefined): TemplateResult | typeof nothing {
  if (!info) return nothing;
  const { frames } = info;
  if (frames.length === 0) return html`<span class="clearance quiet" title="The least distance over the clip">${centimetres(info.clearance)}</span>`;
  const labels = frameRange(model.frameLabel(frames[0]), model.frameLabel(frames[frames.length - 1]));
  return html`<span class="clearance bad" title="Hit on ${labels}; double click goes there">hit ${centimetres(-info.clearance)}</span>`;
}
