import { html, type TemplateResult } from "lit";
import type { Holding } from "./holding";
import type { Scale } from "./slider";
import "./slider";

/** What a slider of looseness or of a target looks like and does. */
export interface SliderLine {
  label: string;
  help: string;
  value: number;
  /** What is read at its end. */
  text: string;
  scale: Scale;
  hold: () => Holding;
  /** Why it cannot be moved; empty when it can. */
  reason?: string;
}

export function sliderLine({ label, help, value, text, scale, hold, reason = "" }: SliderLine): TemplateResult {
  const tip = reason ? `${reason}. ${help}` : help;
  return html`<div class="stiff ${reason ? "off" : ""}" title=${tip}>
    <span>${label}</span>
    <ib-slider data-loose=${label} .label=${label} .help=${tip} .value=${value} .text=${reason ? "–" : text} .scale=${scale} .disabled=${reason !== ""} .hold=${hold}></ib-slider>
  </div>`;
}

/** A switch with its name before it. */
export function switchLine(label: string, help: string, on: boolean, set: (on: boolean) => unknown, reason = ""): TemplateResult {
  return html`<div class="stiff ${reason ? "off" : ""}">
    <span>${label}</span>
    <span><button class="switch" role="switch" data-loose=${label} aria-checked=${on} aria-label=${label} title=${reason ? `${reason}. ${help}` : help} ?disabled=${reason !== ""} @click=${() => set(!on)}></button></span>
  </div>`;
}

/** Ways that exclude each other, as a row of buttons. */
export function choiceLine<T>(label: string, value: T, ways: readonly (readonly [T, string, string])[], choose: (value: T) => unknown): TemplateResult {
  return html`<div class="presets" role="radiogroup" aria-label=${label}>
    ${ways.map(([each, text, title]) => html`<button role="radio" aria-checked=${each === value} title=${title} @click=${() => choose(each)}>${text}</button>`)}
  </div>`;
}
