import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { follow } from "../../elements/follow";
import { keysAround } from "../../model/arcs";
import { apartBy, groupsOf, isApart, withHalf } from "../../model/constraints";
import type { Model } from "../../model/model";
import { placeName, samePlace } from "../../model/selection";
import { frameRange } from "../../model/units";
import type { ConstraintInfo } from "../../protocol/messages";
import { glyphs } from "../glyphs";
import { section } from "./section";

const WANTED = { position: "its position", orientation: "its orientation", both: "its position and orientation" };

/** So many of one point are folded away under its name. */
const FOLDED = 4;

/** All pins, contacts and locks of the clip, with what makes new ones. */
export function constraintsSection(studio: Studio): TemplateResult {
  const { model } = studio;
  const items = model.constraints.value;
  const content = html`
    ${items.length > 0 ? list(studio, items) : html`<p class="quiet">None yet. P pins the selected point.</p>`}
    ${makers(studio)}
  `;
  return section("Constraints", content, items.length || "");
}

/** One after another; many contacts of one point under a line of its own, those that are short left out on request. */
function list(studio: Studio, items: readonly ConstraintInfo[]): TemplateResult {
  const { model } = studio;
  const rate = model.clip.value?.rate ?? 24;
  const groups = groupsOf(items);
  const isFolded = groups.some((group) => group.length >= FOLDED);
  const shortest = isFolded ? model.shortestContact.value : 0;
  const isShort = ({ start, end, momentary }: ConstraintInfo): boolean =>
    !momentary && start !== null && end !== null && (end - start) * rate + 1 < shortest - 1e-6;
  return html`${isFolded ? filter(model, items.filter(isShort).length) : nothing}
    <ul class="constraints">${groups.map((group) => {
      const shown = group.filter((each) => !isShort(each));
      return group.length < FOLDED ? shown.map((each) => line(studio, each)) : fold(studio, shown, group.length);
    })}</ul>`;
}

function filter({ shortestContact }: Model, left: number): TemplateResult {
  return html`<label class="filter quiet">
    Hide shorter than
    <input type="number" min="0" step="1" aria-label="Hide contacts shorter than so many frames" .value=${String(shortestContact.value)}
      @change=${(event: Event) => {
        shortestContact.value = Math.max(0, Number((event.target as HTMLInputElement).value) || 0);
      }} />
    frames${left > 0 ? ` (${left} hidden)` : nothing}
  </label>`;
}

function fold(studio: Studio, group: readonly ConstraintInfo[], all: number): TemplateResult | typeof nothing {
  if (group.length === 0) return nothing;
  const { place, colour, kind } = group[0];
  const chosen = studio.model.selection.points.value.some((point) => samePlace(point.place, place));
  const count = group.length === all ? `${all}` : `${group.length} of ${all}`;
  return html`<li class="fold"><details>
    <summary class=${chosen ? "chosen" : ""} title="What holds ${placeName(place)}">
      <i class="dot ${kind}" style="background: var(--${colour})"></i><span>${placeName(place)}</span><small class="quiet">${count}</small>
    </summary>
    <ul class="constraints">${group.map((each) => line(studio, each))}</ul>
  </details></li>`;
}

function makers(studio: Studio): TemplateResult {
  const { model } = studio;
  const place = model.selection.active?.place;
  const planting = (): string => {
    const stretch = stretchHere(studio);
    if (!place) return "Click a part of the body first";
    if (!stretch) return "The frame is outside the point's keys";
    return `Keep ${placeName(place)} still between its keys here: ${frameRange(labelOf(studio, stretch[0]), labelOf(studio, stretch[1]))}`;
  };
  return html`<div class="makers">
    <button ?disabled=${follow(() => !stretchHere(studio))} title=${follow(planting)} @click=${() => plantHere(studio)}>Contact here</button>
    ${maker(studio, "suggest-contacts", "Suggest contacts", "Find where feet stand, and add the contacts found")}
    ${maker(studio, "agree-poses", "Make poses agree", "Move key poses until the point of each contact stands in one place in all of them")}
    ${maker(studio, "hold-contacts", "Hold contacts", "Hold every contact still, by tangents alone")}
    ${maker(studio, "remove-slide", "Remove slide", "Make the key poses of every contact agree, and hold it: values of keys change too")}
  </div>`;
}

/** A button of a command, in the inspector's words; where it cannot be done, it says why. */
function maker({ commands }: Studio, command: string, words: string, help: string): TemplateResult {
  const reason = commands.reason(command);
  return html`<button ?disabled=${reason !== ""} title=${reason || help} @click=${() => commands.run(command)}>${words}</button>`;
}

function line(studio: Studio, each: ConstraintInfo): TemplateResult {
  const { model } = studio;
  const { name, kind, colour, planted, on, place } = each;
  const chosen = model.selection.points.value.some((point) => samePlace(point.place, place));
  return html`<li class="${on ? "" : "off"} ${chosen ? "chosen" : ""}">
    <i class="dot ${kind}" style="background: var(--${colour})" title=${kind}></i>
    <button class="bare name" title=${`Select ${placeName(place)}: ${WANTED[each.wanted]}, ${rangeWords(studio, each)}`} @click=${(event: MouseEvent) => model.selection.pick(place, event.shiftKey)}>
      <span>${name}</span><small class="quiet">${rangeOf(studio, each)}</small>
    </button>
    ${
      planted && model.loosening.isLoose
        ? html`<button class="bare hold" title="Hold ${name} by targets: loose motion would lift it off" aria-label="Hold ${name} by targets" @click=${() => model.ask({ type: "contact-to-targets", constraint: name })}>${glyphs.cross}</button>`
        : nothing
    }
    ${half(studio, each, "position", glyphs.place)} ${half(studio, each, "orientation", glyphs.turn)}
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
  ${isApart(each) ? apartLine(studio, each) : nothing}`;
}

/** A toggle for one half of the state; what alone is left stays. */
function half({ model }: Studio, { name, wanted }: ConstraintInfo, which: "position" | "orientation", glyph: TemplateResult): TemplateResult {
  const held = wanted === "both" || wanted === which;
  const next = withHalf(wanted, which);
  const title = next === null ? `${name} holds its ${which} alone` : `${held ? "Let go of" : "Hold"} its ${which}`;
  return html`<button
    class="bare half"
    ?disabled=${next === null}
    aria-pressed=${held}
    aria-label="${name} holds its ${which}"
    title=${title}
    @click=${() => next && model.ask({ type: "set-constraint-state", name, wanted: next })}
  >${glyph}</button>`;
}

/** Why tangents alone cannot hold a contact, and what helps. */
function apartLine({ model }: Studio, each: ConstraintInfo): TemplateResult {
  const title = `Tangents cannot hold ${each.name} better than its key poses agree; this moves their values, as little as possible`;
  return html`<li class="apart">
    <span class="quiet">key poses are ${apartBy(each)} apart</span>
    ${
      each.planted
        ? html`<button title=${title} aria-label="Make key poses of ${each.name} agree" @click=${() => model.ask({ type: "agree-poses", constraint: each.name })}>Agree</button>`
        : nothing
    }
  </li>`;
}

/** Its frames, short enough to stand beside a name. */
function rangeOf(studio: Studio, each: ConstraintInfo): string {
  return rangeWords(studio, each).replace(/^frames? /, each.momentary ? "at " : "");
}

function rangeWords(studio: Studio, { start, end }: ConstraintInfo): string {
  const { model } = studio;
  const clip = model.clip.value;
  if ((start === null && end === null) || !clip) return "whole clip";
  return frameRange(labelOf(studio, start ?? clip.start), labelOf(studio, end ?? clip.end));
}

function labelOf({ model }: Studio, time: number): number {
  return model.frameLabel(model.frameOf(time));
}

/** The keys of the active point around the current frame, in seconds; null when it is outside of them. */
function stretchHere({ model }: Studio): [number, number] | null {
  const { active } = model.selection;
  const arc = active && model.arcs.get(active.arc);
  return arc ? keysAround(arc, model.timeOf(model.playback.frame.value)) : null;
}

/** Keep the active point still between the keys around the current frame; the server says how much it slides now. */
async function plantHere(studio: Studio): Promise<void> {
  const { model } = studio;
  const [place, stretch] = [model.selection.active?.place, stretchHere(studio)];
  if (!place || !stretch) return;
  const text = await model.ask({ type: "add-contact", place, start: stretch[0], end: stretch[1] });
  if (text) model.notices.add("info", text);
}
