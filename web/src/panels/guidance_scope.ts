import { html, nothing, type TemplateResult } from "lit";
import { commands, model } from "../app/studio";
import type { Cell } from "../model/cell";
import { glyphs } from "./glyphs";
import { line } from "./guidance_line";
import { FACTOR } from "./guidance_scales";

/** What a run may change: joints, keys, the layer; and what stays more than the rest, or altogether. */
export function whatMayChange(): TemplateResult {
  const { selectedOnly, betweenKeys } = model.guiding;
  return html`
    ${choice("What may change", selectedOnly, [
      [false, "Whole body", "All channels may change"],
      [true, "Selected joints", "Only the channels of the selected joints may change"],
    ])}
    ${choice("When it may change", betweenKeys, [
      [false, "Whole clip", "All keys may change their tangents"],
      [true, "Selected keys", "Only keys from the first selected one to the last may change their tangents"],
    ])}
    ${layers()} ${jointLine()} ${weighedJoints()} ${frozenKeys()}
  `;
}

/** Ways that exclude each other; a run under way keeps the one it began with. */
function choice<T>(label: string, cell: Cell<T>, ways: readonly [T, string, string][]): TemplateResult {
  const busy = model.guiding.gesture.value !== null;
  return html`<div class="presets" role="radiogroup" aria-label=${label}>
    ${ways.map(
      ([value, text, title]) =>
        html`<button role="radio" aria-checked=${cell.value === value} title=${busy ? `${title}. The run under way keeps what it began with` : title} ?disabled=${busy} @click=${() => (cell.value = value)}>${text}</button>`,
    )}
  </div>`;
}

/** Which layer's curves are guided, where there is a choice. */
function layers(): TemplateResult | typeof nothing {
  const names = model.clip.value?.layers.map(({ name }) => name) ?? [];
  if (names.length === 0) return nothing;
  return choice<string | null>("Layer that is guided", model.guiding.layer, [
    [null, "Base", "Guide the curves of the clip itself"],
    ...names.map((name): [string, string, string] => [name, name, `Guide the curves of layer ${name}; selecting its keys chooses it too`]),
  ]);
}

function jointLine(): TemplateResult {
  const joint = model.selection.activeJoint;
  if (!joint) return html`<p class="quiet">Select a joint to let it stay more than others.</p>`;
  const { guiding } = model;
  const help = `How much more the tangents of ${joint} stay as they are than others: 1 is alike, 100 hardly moves`;
  return line(joint, help, guiding.factor(joint), FACTOR, (to) => guiding.setFactor(joint, to));
}

/** Joints that stay more or less than others and are not selected now: nothing steers unseen. */
function weighedJoints(): TemplateResult {
  const { guiding, selection } = model;
  const others = [...guiding.factors.value].filter(([joint]) => joint !== selection.activeJoint);
  return html`<ul>
    ${others.map(
      ([joint, factor]) => html`<li>
        <span class="name">${joint} stays × ${factor < 10 ? factor.toFixed(1) : factor.toFixed(0)}</span>
        <button class="bare" title="Let ${joint} move as others" aria-label="Let ${joint} move as others" @click=${() => guiding.setFactor(joint, 1)}>${glyphs.bin}</button>
      </li>`,
    )}
  </ul>`;
}

function frozenKeys(): TemplateResult {
  const { guiding, selection } = model;
  const { frozen } = guiding;
  const count = frozen.value.length;
  const selected = guiding.areFrozen(selection.keys.value) ? selection.keys.value.length : 0;
  const text = selected > 0 ? "Let selected keys go" : "Freeze selected keys";
  return html`<div class="makers">
    <button class="freeze" ?disabled=${!commands.can("tangents-freeze")} title=${commands.tooltip("tangents-freeze")} @click=${() => commands.run("tangents-freeze")}>${text}</button>
    ${count > selected
      ? html`<button class="thaw" title="Let the tangents of all frozen keys change again" @click=${() => (frozen.value = [])}>Let all frozen go (${count})</button>`
      : nothing}
  </div>`;
}
