import { html, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import type { TERM_DEFAULTS, TermName } from "../../model/guidance_terms";
import type { Scene } from "../../protocol/messages";
import { live } from "../fields/holding";
import { selectLine, sliderLine, switchLine } from "../fields/lines";
import { TERM_WEIGHT } from "../fields/scales";

const HELP: Record<keyof typeof TERM_DEFAULTS, string> = {
  torque: "How much it counts that joints work hard to move the body",
  "follow-through": "How much it counts that joints do not give way to what they carry: tails, ears and hands come late in every sweep",
  jerk: "How much it counts that curves change abruptly",
  acceleration: "How much it counts that curves change their speed",
  balance: "How much it counts that the centre of mass is not above the contacts, while they last",
  slide: "How much it counts that points slide on contacts that are off; those that are on hold anyway",
  style: "How much it counts that channels differ from the clip chosen below",
  limits: "How much it counts that channels come near their limits; they never pass them",
  obstacles: "How much it counts that joints come near obstacles",
};

/** What a run makes small: what each term counts, and under those that need it what they compare with. */
export function whatCounts(studio: Studio, scene: Scene): TemplateResult {
  const own = studio.model.welcome.value?.terms ?? [];
  return html`${Object.entries(HELP).map(([term, help]) => html`${weight(studio, term, help)} ${term === "torque" ? masses(studio) : term === "style" ? styleOf(studio, scene) : ""}`)} ${own.map(({ name, help }) => weight(studio, name, help))}`;
}

/** The terms that count, for the heading of a folded section. */
export function countingTerms({ model }: Studio): string {
  return (
    model.guiding
      .terms()
      .map(({ name }) => name)
      .join(", ") || "nothing"
  );
}

/** What a term is called where it is read. */
export function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

function weight({ model }: Studio, term: TermName, help: string): TemplateResult {
  const { guiding } = model;
  const reason = guiding.whyNot(term);
  const value = reason ? 0 : (guiding.weights.value[term] ?? 0);
  return sliderLine({ label: capital(term), help, value, scale: TERM_WEIGHT, reason, hold: () => live(value, (to) => guiding.weigh(term, to)) });
}

/** What torque counts besides moving the body: a motion may cost much less by one convention, and no less by another. */
export function conventions({ model }: Studio): TemplateResult {
  const { gravity, heldRoot, weights } = model.guiding;
  const reason = weights.value.torque > 0 ? "" : "Torque does not count";
  const heavy = "Whether torque counts what it takes to hold the body up, and not only what it takes to move it";
  const driven = "Whether something drives the root, as a rail or a vehicle does, so that what it takes counts too";
  return html`<div class="switches">
    ${switchLine("gravity", heavy, gravity.value, (on) => (gravity.value = on), reason)} ${switchLine("root held", driven, heldRoot.value, (on) => (heldRoot.value = on), reason)}
  </div>`;
}

/** How the body is weighed that torque and balance move. */
function masses({ model }: Studio): TemplateResult {
  const { masses: cell, weights } = model.guiding;
  const reason = weights.value.torque > 0 || weights.value.balance > 0 ? "" : "Neither torque nor balance counts";
  const ways = [[null, "as what is loose"] as const, ["boxes", "boxes"] as const, ["human", "a person"] as const, ["mesh", "its mesh"] as const];
  const help = "How the body is weighed: by boxes along its bones, as a person, or by what its mesh encloses";
  return html`<div class="under">${selectLine("weighed", help, cell.value, ways, (to) => (cell.value = to), reason)}</div>`;
}

/** Which motion style compares with: as it was, or another clip. */
function styleOf({ model }: Studio, scene: Scene): TemplateResult {
  const { style, weights } = model.guiding;
  const others = scene.clips.filter((name) => name !== model.clip.value?.name);
  const reason = weights.value.style === 0 ? "Style does not count" : others.length === 0 ? "This document has no other clip" : "";
  const ways = [[null, "the motion as it was"] as const, ...others.map((name) => [name, name] as const)];
  return html`<div class="under">${selectLine<string | null>("like", "Style draws the motion to this one", style.value, ways, (to) => (style.value = to), reason)}</div>`;
}
