import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit";

/** Small drawings on a 16 × 16 grid; lines take the text's colour (see controls.ts for their stroke). */
const SHAPES = {
  undo: svg`<path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6" /><path d="M5.5 4 3 6.5 5.5 9" />`,
  redo: svg`<path d="M13 6.5H6.5a3.5 3.5 0 0 0 0 7H10" /><path d="M10.5 4 13 6.5 10.5 9" />`,
  shaded: svg`<circle cx="8" cy="8" r="5.7" /><path d="M8 2.3a5.7 5.7 0 0 1 0 11.4z" fill="currentColor" stroke="none" />`,
  "x-ray": svg`<circle cx="8" cy="8" r="5.7" stroke-dasharray="2 2" /><path d="M5 11 11 5" /><circle cx="5" cy="11" r="1.2" fill="currentColor" stroke="none" /><circle cx="11" cy="5" r="1.2" fill="currentColor" stroke="none" />`,
  skeleton: svg`<path d="M4.5 11.5 7 8l4.5-4M7 8l3.5 4" /><circle cx="4.5" cy="11.5" r="1.4" /><circle cx="11.7" cy="3.8" r="1.4" /><circle cx="10.8" cy="12.3" r="1.4" />`,
  weights: svg`<path d="M3 12.5c0-5 2-9 5-9s5 4 5 9" /><path d="M5.6 12.5c0-3 .9-5.6 2.4-5.6s2.4 2.6 2.4 5.6" /><circle cx="8" cy="12" r="1.3" fill="currentColor" stroke="none" />`,
  onion: svg`<circle cx="5.5" cy="8" r="3.7" opacity=".55" /><circle cx="8" cy="8" r="3.7" opacity=".8" /><circle cx="10.5" cy="8" r="3.7" />`,
  close: svg`<path d="m4 4 8 8M12 4l-8 8" />`,
  file: svg`<path d="M4 2h5l3 3v9H4z" /><path d="M9 2v3h3" />`,
  drop: svg`<path d="M8 2v7.5M5 6.8 8 9.8l3-3M2.5 11v2.5h11V11" />`,
  warning: svg`<path d="M8 2.5 14.5 13.5h-13z" /><path d="M8 6.5v3.5M8 11.9v.1" />`,
  info: svg`<circle cx="8" cy="8" r="5.7" /><path d="M8 7.3V11M8 5v.1" />`,
  tick: svg`<path d="m3.5 8.5 3 3 6-7" />`,
} satisfies Record<string, SVGTemplateResult>;
type IconName = keyof typeof SHAPES;

/** A drawing that stands beside words or inside a labelled button; readers of the screen are spared it. */
export function icon(name: IconName): TemplateResult {
  return drawing(SHAPES[name]);
}

/** The same of any shape on that grid. */
export function drawing(shape: SVGTemplateResult): TemplateResult {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true">${shape}</svg>`;
}
