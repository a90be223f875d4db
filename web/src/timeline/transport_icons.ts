import { type SVGTemplateResult, svg, type TemplateResult } from "lit";
import { drawing } from "../elements/icons";

/** Filled signs on a 16 × 16 grid, as players have them. */
const SIGNS = {
  "to-start": svg`<path d="M3 3.500v9M13 3.500 6 8l7 4.500z" />`,
  "previous-key": svg`<path d="M9.500 3.500 3.500 8l6 4.500z" /><path d="m12.500 5.500 2 2.500-2 2.500-2-2.500z" />`,
  "previous-frame": svg`<path d="M11 3.500 4.500 8l6.500 4.500z" />`,
  play: svg`<path d="M4.500 2.800 13 8l-8.500 5.200z" />`,
  "play-backward": svg`<path d="M11.500 2.800 3 8l8.500 5.200z" />`,
  pause: svg`<path d="M4 3h2.800v10H4zM9.200 3H12v10H9.200z" />`,
  "next-frame": svg`<path d="M5 3.500 11.500 8 5 12.500z" />`,
  "next-key": svg`<path d="M6.500 3.500l6 4.500-6 4.500z" /><path d="m3.500 5.500 2 2.500-2 2.500-2-2.500z" />`,
  "to-end": svg`<path d="M13 3.500v9M3 3.500 10 8l-7 4.500z" />`,
  loop: svg`<path class="line" d="M4 10.500H3a1.500 1.500 0 0 1-1.500-1.500V6.500A2.500 2.500 0 0 1 4 4h7M12 5.500h1A1.500 1.500 0 0 1 14.500 7v2.500A2.500 2.500 0 0 1 12 12H5" /><path d="m9.500 1.500 3.500 2.500-3.500 2.500zM6.500 9.500 3 12l3.500 2.500z" />`,
  "to-and-fro": svg`<path class="line" d="M4 8h8" /><path d="M4.500 4.500 1.500 8l3 3.500zM11.500 4.500l3 3.500-3 3.500z" />`,
  record: svg`<circle cx="8" cy="8" r="4.500" />`,
  layers: svg`<path class="line" d="m2 5.500 6-3 6 3-6 3zM2 8.500l6 3 6-3M2 11.500l6 3 6-3" />`,
} satisfies Record<string, SVGTemplateResult>;
export type SignName = keyof typeof SIGNS;

export function sign(name: SignName): TemplateResult {
  return drawing(SIGNS[name]);
}
