import { svg } from "lit";
import { drawing } from "../elements/icons";

/** Drawings that only these panels use, on the grid of elements/icons.ts. */
export const glyphs = {
  chevron: drawing(svg`<path d="m6 4 4 4-4 4" />`),
  eye: drawing(svg`<path d="M1.5 8c2-3.4 4.1-4.5 6.5-4.5S12.5 4.6 14.5 8c-2 3.4-4.1 4.5-6.5 4.500S3.5 11.4 1.5 8z" /><circle cx="8" cy="8" r="1.9" />`),
  closedEye: drawing(svg`<path d="M1.5 7c2 2.6 4.1 3.5 6.5 3.500s4.5-.9 6.5-3.500M4 9.600l-1.2 1.800M8 10.600v2.200M12 9.600l1.2 1.8" />`),
  bin: drawing(svg`<path d="M3 4.500h10M6.5 4.500v-2h3v2M4.5 4.500l.6 9h5.800l.6-9M7 7v4M9 7v4" />`),
  lens: drawing(svg`<circle cx="7" cy="7" r="4" /><path d="m10 10 4 4" />`),
  cross: drawing(svg`<circle cx="8" cy="8" r="3.6" /><path d="M8 1.5v4M8 10.5v4M1.5 8h4M10.5 8h4" />`),
  place: drawing(
    svg`<path d="M8 2v12M2 8h12M6.400 3.600 8 2l1.600 1.600M6.400 12.400 8 14l1.600-1.600M3.600 6.400 2 8l1.600 1.600M12.400 6.400 14 8l-1.600 1.6" />`,
  ),
  turn: drawing(svg`<path d="M13 8a5 5 0 1 1-1.500-3.500M13 2v3h-3" />`),
  wave: drawing(svg`<path d="M1.5 8c1.6-6 4.5-6 6.5 0s4.9 6 6.5 0" />`),
  disk: drawing(svg`<path d="M3 3h8l2 2v8H3z" /><path d="M5.5 3v3.500h4.500V3M5.5 13V9.500h5V13" />`),
};
