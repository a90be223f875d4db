import { html, nothing, type TemplateResult } from "lit";
import { costText } from "../../canvas/cost_strip";
import { SCALE_GRADIENT } from "../../canvas/scale_colours";
import type { Studio } from "../../commands/studio";
import type { TermName } from "../../model/guidance_terms";
import { switchLine } from "../fields/lines";
import { capital } from "./terms";

/** One switch for the map of costs in graph and timeline; while it is on, which term it is of, and its scale. */
export function costMap(studio: Studio): TemplateResult {
  const { costs } = studio.model;
  const help = "Show what the motion costs over time behind the curves of the graph and the joints of the timeline, whoever changes it";
  return html`${switchLine("Cost map", help, costs.on.value, (on) => (costs.on.value = on))} ${costs.on.value ? legend(studio) : nothing}`;
}

function legend({ model }: Studio): TemplateResult | typeof nothing {
  const { costs } = model;
  const strip = costs.strip(null);
  if (!strip) return costs.told.value?.problem ? html`<p class="quiet">${capital(costs.told.value.problem)}</p>` : nothing;
  const one = (term: TermName): TemplateResult =>
    html`<button role="radio" aria-checked=${costs.term.value === term} title="Show what ${term} costs" @click=${() => (costs.chosen.value = term)}>${capital(term)}</button>`;
  return html`<div class="costs" title="The scale stays until you rescale it, so that a fall is seen">
    ${costs.choices.length > 1 ? html`<span class="terms" role="radiogroup" aria-label="Cost shown">${costs.choices.map(one)}</span>` : html`<span class="quiet">${capital(strip.term)}</span>`}
    <span class="scale quiet">0<i style="background:${SCALE_GRADIENT}"></i><output>${costText(strip)}</output></span>
    <button class="rescale" title="Let the brightest colour stand for the most that the selected joints cost now, or any joint" @click=${() => rescale(model)}>Rescale</button>
  </div>`;
}

function rescale({ costs, selection }: Studio["model"]): void {
  const joints = selection.points.value.flatMap(({ place }) => place.parts.map(({ joint }) => joint));
  costs.rescale(joints.length > 0 ? new Set(joints) : null);
}
