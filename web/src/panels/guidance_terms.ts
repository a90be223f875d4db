import { html, type TemplateResult } from "lit";
import { model } from "../app/studio";
import { TERM_DEFAULTS, type TermName } from "../model/guidance_terms";
import type { Scene } from "../protocol/messages";
import { line } from "./guidance_line";
import { REGULARISE, TERM_WEIGHT } from "./guidance_scales";

const HELP: Record<TermName, string> = {
  torque: "How much it counts that joints work hard to move the body",
  jerk: "How much it counts that curves change abruptly",
  balance: "How much it counts that the centre of mass is not above the contacts, while they last",
  slide: "How much it counts that points slide on contacts that are off; those that are on hold anyway",
  style: "How much it counts that channels differ from the clip chosen below",
  limits: "How much it counts that channels come near their limits; they never pass them",
  obstacles: "How much it counts that joints come near obstacles",
};

/** What a run makes small: how much to keep to the motion, and what each term counts. */
export function whatCounts(scene: Scene): TemplateResult {
  const { guiding } = model;
  const { weights } = guiding;
  return html`
    ${line("Keep to it", "How much to stay with the motion as it is: low lets go of it, high hardly changes it", guiding.regularise.value, REGULARISE, (to) => {
      guiding.regularise.value = to;
    })}
    ${(Object.keys(TERM_DEFAULTS) as TermName[]).map((term) =>
      line(capital(term), HELP[term], weights.value[term], TERM_WEIGHT, (to) => guiding.weigh(term, to), guiding.whyNot(term)),
    )}
    ${gravity()} ${styleOf(scene)}
  `;
}

/** What a term is called where it is read. */
export function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

function gravity(): TemplateResult {
  const { gravity: cell, weights } = model.guiding;
  const reason = weights.value.torque > 0 ? "" : "Torque does not count. ";
  return html`<div class="stiff ${reason ? "off" : ""}">
    <span>Gravity</span>
    <span>
      <button
        class="switch gravity"
        role="switch"
        aria-checked=${cell.value}
        aria-label="Torque counts gravity"
        title="${reason}Whether torque counts what it takes to hold the body up, and not only what it takes to move it"
        ?disabled=${reason !== ""}
        @click=${() => (cell.value = !cell.value)}
      ></button>
    </span>
  </div>`;
}

/** Which motion style compares with: as it was, or another clip. */
function styleOf(scene: Scene): TemplateResult {
  const { style, weights } = model.guiding;
  const others = scene.clips.filter((name) => name !== model.clip.value?.name);
  const off = weights.value.style === 0;
  const reason = off ? "Style does not count. " : others.length === 0 ? "This document has no other clip. " : "";
  const choose = (event: Event): void => {
    style.value = (event.target as HTMLSelectElement).value || null;
  };
  return html`<div class="stiff ${reason ? "off" : ""}">
    <span>Style of</span>
    <select aria-label="What style compares with" title="${reason}Style draws the motion to this one" ?disabled=${reason !== ""} @change=${choose}>
      <option value="" ?selected=${style.value === null}>the motion as it was</option>
      ${others.map((name) => html`<option value=${name} ?selected=${name === style.value}>${name}</option>`)}
    </select>
  </div>`;
}
