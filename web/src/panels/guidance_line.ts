import { html, type TemplateResult } from "lit";
import type { Holding } from "./holding";
import type { Scale } from "./slider";
import "./slider";

/** A slider of guidance: it steers while the hand moves, and Escape puts it back. Off, it says why. */
export function line(label: string, help: string, value: number, scale: Scale, set: (to: number) => void, reason = ""): TemplateResult {
  const tip = reason ? `${reason}. ${help}` : help;
  return html`<div class="stiff ${reason ? "off" : ""}" title=${tip}>
    <span>${label}</span>
    <ib-slider data-guidance=${label} .label=${label} .help=${tip} .value=${reason ? 0 : value} .text=${reason ? "–" : ""} .scale=${scale} .disabled=${reason !== ""} .hold=${() => live(value, set)}></ib-slider>
  </div>`;
}

function live(before: number, set: (to: number) => void): Holding {
  return { move: set, commit: () => undefined, cancel: () => set(before) };
}
