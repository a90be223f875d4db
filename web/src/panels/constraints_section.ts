import { html, type TemplateResult } from "lit";
import { model } from "../app/studio";
import { placeName } from "../model/selection";
import type { ConstraintInfo } from "../protocol/messages";
import { plantHere, stretchHere, tell, togglePin } from "./constraint_edits";
import { glyphs } from "./glyphs";
import { pinOf } from "./inspection";
import { section } from "./section";
import { frameRange } from "./units";

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
  const pinned = place !== undefined && pinOf(model.constraints.value, place) !== null;
  const stretch = stretchHere();
  const frames = stretch ? frameRange(labelOf(stretch[0]), labelOf(stretch[1])) : "";
  const planting = !place ? "Select a point first" : stretch ? `Keep it still between its keys here: ${frames}` : "The frame is outside the point's keys";
  const contacts = model.constraints.value.some((each) => each.kind === "contact" && each.on);
  return html`<div class="makers">
    <button ?disabled=${!place} title=${place ? "Keep the point's arc as it is (P)" : "Select a point first"} @click=${() => place && togglePin(place)}>
      ${pinned ? "Unpin" : "Pin"}
    </button>
    <button ?disabled=${!stretch} title=${planting} @click=${plantHere}>Contact on this stretch</button>
    <button title="Find where feet stand, and add the contacts found" @click=${() => tell({ type: "suggest-contacts" }, "Looking for contacts")}>
      Suggest contacts
    </button>
    <button
      ?disabled=${!contacts}
      title=${contacts ? "Hold every contact still, by tangents alone" : "There is no contact to hold"}
      @click=${() => tell({ type: "hold-contacts" }, "Removing slide")}
    >
      Remove slide
    </button>
  </div>`;
}

function line(each: ConstraintInfo): TemplateResult {
  const { name, kind, on, place } = each;
  const chosen = model.selection.points.value.some((point) => placeName(point.place) === placeName(place));
  return html`<li class="${on ? "" : "off"} ${chosen ? "chosen" : ""}">
    <i class="dot ${kind}" title=${kind}></i>
    <button class="bare name" title="Select ${placeName(place)}" @click=${(event: MouseEvent) => model.selection.pick(place, event.shiftKey)}>
      <span>${name}</span><small class="quiet">${rangeOf(each)}${each.wanted === "position" ? "" : ` · ${each.wanted}`}</small>
    </button>
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
  </li>`;
}

function rangeOf({ start, end }: ConstraintInfo): string {
  const clip = model.clip.value;
  if ((start === null && end === null) || !clip) return "whole clip";
  return frameRange(labelOf(start ?? clip.start), labelOf(end ?? clip.end));
}

function labelOf(time: number): number {
  return model.frameLabel(model.frameOf(time));
}
