import type { ChannelInfo } from "../protocol/messages";

/** How people read a channel's values: degrees, centimetres or plain numbers. The document has radians and metres. */
export interface Unit {
  name: "degrees" | "centimetres" | "plain";
  symbol: string;
  /** How many of it one of the document's unit is. */
  factor: number;
  /** The smallest range worth filling a sheet with, in the document's unit; less is a level line. */
  leastSpan: number;
  digits: number;
  /** Distances between labelled lines that read well, in this unit; after the last, powers of ten of the first. */
  steps: readonly number[];
}

const ROUND = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const TURNS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45, 90, 180, 360, 720, 1800, 3600];

export const DEGREES: Unit = {
  name: "degrees",
  symbol: "°",
  factor: 180 / Math.PI,
  leastSpan: (4 * Math.PI) / 180,
  digits: 1,
  steps: TURNS,
};
export const CENTIMETRES: Unit = { name: "centimetres", symbol: " cm", factor: 100, leastSpan: 0.02, digits: 1, steps: ROUND };
export const PLAIN: Unit = { name: "plain", symbol: "", factor: 1, leastSpan: 0.1, digits: 3, steps: ROUND };

/** In the order in which axes are given to units: the first that is shown has the left one. */
export const UNITS: readonly Unit[] = [DEGREES, CENTIMETRES, PLAIN];

export function unitOf(kind: ChannelInfo["kind"]): Unit {
  if (kind === "rotation") return DEGREES;
  return kind === "translation" ? CENTIMETRES : PLAIN;
}

/** "12.5°", "-3.0 cm", "0.250". */
export function readable(value: number, unit: Unit, digits = unit.digits): string {
  const text = (value * unit.factor).toFixed(digits);
  // A rounded minus nought is nought.
  return `${Number(text) === 0 ? text.replace("-", "") : text}${unit.symbol}`;
}

/** The document's value of what somebody typed, with or without the unit; null when it is no number. */
export function typed(text: string, unit: Unit): number | null {
  const number = text.trim().replace(",", ".").replace(/(°|cm|deg)$/i, "").trim();
  return number !== "" && Number.isFinite(Number(number)) ? Number(number) / unit.factor : null;
}

/** Which axis a channel turns about or moves along, by its name ("hand_l.rx"); null for controls and shapes. */
export function axisOf(channel: Pick<ChannelInfo, "name" | "kind">): "x" | "y" | "z" | null {
  if (channel.kind === "control" || channel.kind === "shape") return null;
  const last = channel.name.slice(-1).toLowerCase();
  return last === "x" || last === "y" || last === "z" ? last : null;
}
