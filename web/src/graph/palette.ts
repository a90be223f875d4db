import { Palette as Theme, themed } from "../canvas/palette";
import type { Row } from "./rows";

/** The theme's colours for the sheet, and what curves are drawn in. */
export class Palette extends Theme {
  private readonly axes = { x: themed("x"), y: themed("y"), z: themed("z") };
  /** Ice: what guidance leaves alone. */
  readonly frozen = mixed(themed("accent"), this.text, 0.5);
  private readonly tints = [themed("accent"), themed("target"), themed("contact")];

  /** Red, green, blue by the axis, paler where it moves rather than turns; a layer's mixed with the layer's tint. */
  curve(row: Row): string {
    const plain = row.axis ? this.axes[row.axis] : this.quiet;
    const own = row.info.kind === "translation" ? mixed(plain, this.text, 0.4) : plain;
    return row.layer === 0 ? own : mixed(own, this.tints[(row.layer - 1) % this.tints.length], 0.5);
  }
}

/** A colour (#rrggbb) on its way to another. */
function mixed(from: string, to: string, share: number): string {
  const part = (colour: string, at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  const parts = [1, 3, 5].map((at) => Math.round(part(from, at) + share * (part(to, at) - part(from, at))));
  return `#${parts.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}
