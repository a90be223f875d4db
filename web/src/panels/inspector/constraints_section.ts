import { html, nothing, type TemplateResult } from "lit";
import { commands, model } from "../../app/studio";
import { apartBy, isApart } from "../../model/apart";
import { placeName, samePlace } from "../../model/selection";
import type { ConstraintInfo } from "../../protocol/messages";
import { glyphs } from "../glyphs";
import { plantHere, stretchHere } from "./planting";
import { section } from "./section";
import { frameRange } from "../../model/units";

const WANTED = { position: "its position", orientation: "its orientation", both: "its position and orientation" };

/** All pins, contacts and locks of the clip, with what makes new ones. */
export function constraintsSection(): TemplateResult {
  const items = model.constraints.value;
  const content = html`
    ${items.length > 0 ? html`<ul class="constraints">${items.map(line)}</ul>` : html`<p class="quiet">None yet. P pins the selected point.</p>`}
    ${makers()}
  `;
  return section("Constraints", content, items.length || "");
}

function makers(): TemplateResult {
  const place = model.selection.active?.place;
  const stretch = stretchHere();
  const planting = !place
    ? "Click a part of the body first"
    : stretch
      ? `Keep ${placeName(place)} still between its keys here: ${frameRange(labelOf(stretch[0]), labelOf(stretch[1]))}`
      : "The frame is outside the point's keys";
  return html`<div class="makers">
    <button ?disabled=${!stretch} title=${planting} @click=${plantHere}>Contact here</button>
    ${maker("suggest-contacts", "Suggest contacts", "Find where feet stand, and add the contacts found")}
    ${maker("agree-poses", "Make poses agree", "Move key poses until the point of each contact stands in one place in all of them")}
    ${maker("hold-contacts", "Remove slide", "Hold every contact still, by tangents alone")}
  </div>`;
}

/** A button of a command, in the inspector's words; where it cannot be done, it says why. */
function maker(command: string, words: string, help: string): TemplateResult {
  const reason = commands.reason(command);
  return html`<button ?disabled=${reason !== ""} title=${reason || help} @click=${() => commands.run(command)}>${words}</button>`;
}

function line(each: ConstraintInfo): TemplateResult {
  const { name, kind, colour, planted, on, place } = each;
  const chosen = model.selection.points.value.some((point) => samePlace(point.place, place));
  return html`<li class="${on ? "" : "off"} ${chosen ? "chosen" : ""}">
    <i class="dot ${kind}" style="background: var(--${colour})" title=${kind}></i>
    <button class="bare name" title=${`Select ${placeName(place)}: ${WANTED[each.wanted]}, ${rangeWords(each)}`} @click=${(event: MouseEvent) => model.selection.pick(place, event.shiftKey)}>
      <span>${name}</span><small class="quiet">${rangeOf(each)}</small>
    </button>
    ${planted && model.loosening.isLoose
      ? html`<button class="bare hold" title="Hold ${name} by targets: loose motion would lift it off" aria-label="Hold ${name} by targets" @click=${() => model.ask({ type: "contact-to-targets", constraint: name })}>${glyphs.cross}</button>`
      : nothing}
    <button
      class="switch"
      role="switch"
      aria-checked=${on}
      aria-label="${name} is on"
      title=${on ? `Switch ${name} off` : `Switch ${name} on`}
      @click=${() => model.ask({ type: "switch-constraint", name, on: !on })}
    ></button>
    <button class="bare" title="Delete ${name}" aria-label="Delete ${name}" @click=${() => model.ask({ type: "remove-constraint", name })}>
      ${glyphs.bin}
    </button>
  </li>
  ${isApart(each) ? apartLine(each) : nothing}`;
}

/** Why tangents alone cannot hold a contact, and what helps. */
function apartLine(each: ConstraintInfo): TemplateResult {
  const title = `Tangents cannot hold ${each.name} better than its key poses agree; this moves their values, as little as possible`;
  return html`<li class="apart">
    <span class="quiet">key poses are ${apartBy(each)} apart</span>
    <button title=${title} aria-label="Make key poses of ${each.name} agree" @click=${() => model.ask({ type: "agree-poses", constraint: each.name })}>Agree</button>
  </li>`;
}

/** Its frames, short enough to stand beside a name. */
function rangeOf(each: ConstraintInfo): string {
  return rangeWords(each).replace(/^frames? /, each.momentary ? "at " : "");
}

function rangeWords({ start, end }: ConstraintInfo): string {
  const clip = model.clip.value;
  if ((start === null && end === null) || !clip) return "whole clip";
  return frameRange(labelOf(start ?? clip.start), labelOf(end ?? clip.end));
}

function labelOf(time: number): number {
  return model.frameLabel(model.frameOf(time));
}
