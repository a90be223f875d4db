import { type SVGTemplateResult, svg, type TemplateResult } from "lit";
import { drawing } from "../elements/icons";
import type { TANGENT_COMMANDS } from "./commands";

const KEY = svg`<rect x="6.2" y="6.2" width="3.6" height="3.6" fill="currentColor" stroke="none" />`;
const HANDLES = svg`<circle cx="2.500" cy="11.500" r="1.600" fill="currentColor" stroke="none" />`;

/** What each does to a curve around a key, drawn on a 16 × 16 grid. */
const SHAPES: Record<(typeof TANGENT_COMMANDS)[number] | "fit", SVGTemplateResult> = {
  "tangents-smooth": svg`<path d="M1 14C5 13 5 11 8 8s3-5 7-6" />${KEY}`,
  "tangents-flat": svg`<path d="M1 14c3 0 2-6 7-6s4-6 7-6" />${KEY}`,
  "tangents-linear": svg`<path d="M1 12 8 8l7-6" />${KEY}`,
  "tangents-stepped": svg`<path d="M1 13h7V8h7V3" />${KEY}`,
  "tangents-tie": svg`<path d="m2.500 11.500 11-7" />${HANDLES}<circle cx="13.500" cy="4.500" r="1.600" fill="currentColor" stroke="none" />${KEY}`,
  "tangents-break": svg`<path d="M3.500 10.800 8 8l4 3.600" /><circle cx="2.600" cy="11.600" r="1.500" /><circle cx="13.200" cy="12.400" r="1.500" />${KEY}`,
  "tangents-freeze": svg`<path d="M8 1.500v13M2.400 4.750l11.200 6.500M2.400 11.250l11.200-6.500" /><path d="m6 2.700 2 1.600 2-1.600M6 13.300l2-1.600 2 1.600" />`,
  fit: svg`<path d="M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3" /><path d="M4 10c3 0 4-4 8-4" />`,
};

export function tangentIcon(name: keyof typeof SHAPES): TemplateResult {
  return drawing(SHAPES[name]);
}
