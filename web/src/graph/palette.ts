import type { Row } from "./rows";

/** The theme's colours for the sheet, read once: a canvas knows no CSS variables. */
export class Palette {
  readonly panel = themed("panel");
  readonly ground = themed("ground");
  readonly raised = themed("raised");
  readonly line = themed("line");
  readonly text = themed("text");
  readonly quiet = themed("quiet");
  readonly faint = themed("faint");
  readonly key = themed("key");
  readonly accent = themed("accent");
  readonly bad = themed("bad");
  readonly font = `11px ${getComputedStyle(document.body).fontFamily}`;
  private readonly axes = { x: themed("x"), y: themed("y"), z: themed("z") };
  private readonly tints = [themed("accent"), themed("target"), themed("contact")];

  /** Red, green, blue by the axis, paler where it moves rather than turns; a layer's mixed with the layer's tint. */
  curve(row: Row): string {
    const plain = row.axis ? this.axes[row.axis] : this.quiet;
    const own = row.info.kind === "translation" ? mixed(plain, this.text, 0.4) : plain;
    return row.layer === 0 ? own : mixed(own, this.tints[(row.layer - 1) % this.tints.length], 0.5);
  }
}

function themed(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** A colour (#rrggbb) on its way to another. */
export function mixed(from: string, to: string, share: number): string {
  const part = (colour: string, at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  const parts = [1, 3, 5].map((at) => Math.round(part(from, at) + share * (part(to, at) - part(from, at))));
  return `#${parts.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}
