import type { Signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import type { When } from "../../model/steering";
import { live } from "../fields/holding";
import { choiceLine, selectLine, sliderLine, switchLine, type Way } from "../fields/lines";
import { FACTOR } from "../fields/scales";
import { glyphs } from "../glyphs";

/** What a run may change: joints, keys, the layer; and what stays more than the rest, or altogether. */
export function whatMayChange(studio: Studio): TemplateResult {
  const { model } = studio;
  const { selectedOnly, wishedWhen, when } = model.guiding;
  return html`
    ${choice(studio, "What may change", selectedOnly, [
      [false, "Whole body", "All channels may change"],
      [true, "Selected joints", "Only the channels of the selected joints may change"],
    ])}
    ${choiceLine<When>(
      "When it may change",
      when,
      [
        ["clip", "Whole clip", "All keys may change their tangents"],
        ["range", "Range", "Only keys of the played range, or within two seconds of the shown frame, may change their tangents"],
        ["keys", "Selected keys", "Only keys from the first selected one to the last may change their tangents"],
      ],
      (to) => (wishedWhen.value = to),
      busy(studio),
    )}
    ${layers(studio)} ${seam(studio)} ${stayClear(studio)} ${jointLine(studio)} ${weighedJoints(studio)} ${frozenKeys(studio)}
  `;
}

/** The same in a few words, for the heading of a folded section. */
export function changingParts({ model }: Studio): string {
  const { selectedOnly, when, factors, frozen, layer, seamless } = model.guiding;
  const parts = [selectedOnly.value ? "selected joints" : "whole body"];
  if (when !== "clip") parts.push(when === "range" ? "a range" : "selected keys");
  if (layer.value !== null) parts.push(layer.value);
  if (seamless.value) parts.push("seamless");
  if (factors.value.size > 0) parts.push(`${factors.value.size} kept more`);
  if (frozen.value.length > 0) parts.push(`${frozen.value.length} frozen`);
  return parts.join(", ");
}

/** Why nothing of this can be chosen now; empty when it can. */
function busy({ model }: Studio): string {
  return model.guiding.gesture.value === null ? "" : "The run under way keeps what it began with";
}

function choice<T>(studio: Studio, label: string, cell: Signal<T>, ways: readonly Way<T>[]): TemplateResult {
  return choiceLine(label, cell.value, ways, (to) => (cell.value = to), busy(studio));
}

/** Which layer's curves are guided, where there is a choice. */
function layers(studio: Studio): TemplateResult | typeof nothing {
  const { model } = studio;
  const names = model.clip.value?.layers.map(({ name }) => name) ?? [];
  if (names.length === 0) return nothing;
  const { layer } = model.guiding;
  const ways = [[null, "the clip itself"] as const, ...names.map((name) => [name, name] as const)];
  return selectLine<string | null>(
    "Curves of",
    "Guide the curves of the clip itself or of a layer; selecting keys of a layer chooses it too",
    layer.value,
    ways,
    (to) => (layer.value = to),
    busy(studio),
  );
}

/** Whether a loop stays one. */
function seam({ model }: Studio): TemplateResult | typeof nothing {
  if (!model.clip.value?.loops) return nothing;
  const { seamless } = model.guiding;
  const help =
    "Let the end of this loop flow into its start as it does now; off: both ends are free, which takes less effort but jerks where the loop begins again";
  return switchLine("Seamless", help, seamless.value, (on) => (seamless.value = on));
}

/** Whether anything is stayed out of. */
function stayClear({ model }: Studio): TemplateResult {
  const { clear } = model.guiding;
  const help =
    "Guidance and drags of arcs keep the body out of obstacles, also of those that joints carry, of the ground and of itself; what is inside goes no deeper";
  return switchLine("Stay clear", help, clear.value, (on) => (clear.value = on));
}

function jointLine({ model }: Studio): TemplateResult {
  const joint = model.selection.activeJoint;
  if (!joint) return html`<p class="quiet">Select a joint to let it stay more than others.</p>`;
  const { guiding } = model;
  const factor = guiding.factor(joint);
  return html`<span class="quiet caption">How much more ${joint} stays than others</span>
    ${sliderLine({
      label: joint,
      help: `How much more the tangents of ${joint} stay as they are than others: 1 is alike, 100 hardly moves`,
      value: factor,
      text: times(factor),
      scale: FACTOR,
      hold: () => live(factor, (to) => guiding.setFactor(joint, to)),
    })}`;
}

/** Joints that stay more or less than others and are not selected now: nothing steers unseen. */
function weighedJoints({ model }: Studio): TemplateResult {
  const { guiding, selection } = model;
  const others = [...guiding.factors.value].filter(([joint]) => joint !== selection.activeJoint);
  return html`<ul>
    ${others.map(
      ([joint, factor]) => html`<li>
        <span class="name">${joint} stays ${times(factor)}</span>
        <button class="bare" title="Let ${joint} move as others" aria-label="Let ${joint} move as others" @click=${() => guiding.setFactor(joint, 1)}>${glyphs.bin}</button>
      </li>`,
    )}
  </ul>`;
}

function frozenKeys({ commands, model }: Studio): TemplateResult {
  const { guiding, selection } = model;
  const { frozen } = guiding;
  const count = frozen.value.length;
  const selected = guiding.areFrozen(selection.keys.value) ? selection.keys.value.length : 0;
  const text = selected > 0 ? "Let selected keys go" : "Freeze selected keys";
  return html`<div class="makers">
    <button class="freeze" ?disabled=${!commands.can("tangents-freeze")} title=${commands.tooltip("tangents-freeze")} @click=${() => commands.run("tangents-freeze")}>${text}</button>
    ${
      count > selected
        ? html`<button class="thaw" title="Let the tangents of all frozen keys change again" @click=${() => (frozen.value = [])}>Let all frozen go (${count})</button>`
        : nothing
    }
  </div>`;
}

function times(factor: number): string {
  return `× ${factor < 10 ? factor.toFixed(1) : factor.toFixed(0)}`;
}
