import { html, type TemplateResult } from "lit";
import type { Holding } from "./holding";
import type { Scale } from "./slider";
import "./slider";

/** What a line with a slider looks like and does. */
interface SliderLine {
  label: string;
  help: string;
  value: number;
  /** What is read at its end; left out, the value itself. */
  text?: string;
  scale: Scale;
  hold: () => Holding;
  /** Why it cannot be moved; empty when it can. */
  reason?: string;
}

export function sliderLine({ label, help, value, text = "", scale, hold, reason = "" }: SliderLine): TemplateResult {
  const tip = because(reason, help);
  return html`<div class="setting ${reason ? "off" : ""}" title=${tip}>
    <span>${label}</span>
    <ib-slider data-setting=${label} .label=${label} .help=${tip} .value=${value} .text=${reason ? "–" : text} .scale=${scale} .disabled=${reason !== ""} .hold=${hold}></ib-slider>
  </div>`;
}

/** A switch with its name before it. */
export function switchLine(label: string, help: string, on: boolean, set: (on: boolean) => unknown, reason = ""): TemplateResult {
  const tip = because(reason, help);
  return html`<div class="setting ${reason ? "off" : ""}" title=${tip}>
    <span>${label}</span>
    <span><button class="switch" role="switch" data-setting=${label} aria-checked=${on} aria-label=${label} title=${tip} ?disabled=${reason !== ""} @click=${() => set(!on)}></button></span>
  </div>`;
}

/** A value, how it is called, and what it means. */
export type Way<T> = readonly [value: T, name: string, help: string];

/** A few ways that exclude each other, as a row of buttons; `label` is for who cannot see them side by side. */
export function choiceLine<T>(label: string, value: T, ways: readonly Way<T>[], choose: (value: T) => unknown, reason = ""): TemplateResult {
  return html`<div class="presets" role="radiogroup" aria-label=${label}>
    ${ways.map(
      ([each, name, help]) =>
        html`<button role="radio" aria-checked=${each === value} title=${because(reason, help)} ?disabled=${reason !== ""} @click=${() => choose(each)}>${name}</button>`,
    )}
  </div>`;
}

/** Ways with names that may be many or long, as a list to open. */
export function selectLine<T>(
  label: string,
  help: string,
  value: T,
  ways: readonly (readonly [T, string])[],
  choose: (value: T) => unknown,
  reason = "",
): TemplateResult {
  const tip = because(reason, help);
  const onChange = (event: Event): unknown => choose(ways[(event.target as HTMLSelectElement).selectedIndex][0]);
  return html`<div class="setting ${reason ? "off" : ""}" title=${tip}>
    <span>${label}</span>
    <select data-setting=${label} aria-label=${label} title=${tip} ?disabled=${reason !== ""} @change=${onChange}>
      ${ways.map(([each, name]) => html`<option ?selected=${each === value}>${name}</option>`)}
    </select>
  </div>`;
}

/** What a control is for, with why it cannot be used now before it. */
function because(reason: string, help: string): string {
  return reason ? `${reason}. ${help}` : help;
}
