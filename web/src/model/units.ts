import type { ChannelInfo } from "../protocol/messages";

/** What a number measures. Inside it is metres, radians, seconds; people read centimetres, degrees, frames. */
export type Quantity = "length" | "angle" | "frames" | "number";

const DEGREE = Math.PI / 180;

interface Unit {
  suffix: string;
  /** The inner unit in which one of these is that much. */
  size: number;
}

/** The first unit of a quantity is the one shown, and meant where nothing is written. */
const UNITS: Record<Quantity, readonly Unit[]> = {
  length: [
    { suffix: "cm", size: 0.01 },
    { suffix: "mm", size: 0.001 },
    { suffix: "m", size: 1 },
  ],
  angle: [
    { suffix: "°", size: DEGREE },
    { suffix: "deg", size: DEGREE },
    { suffix: "rad", size: 1 },
  ],
  frames: [{ suffix: "", size: 1 }],
  number: [{ suffix: "", size: 1 }],
};
const DIGITS: Record<Quantity, number> = { length: 1, angle: 1, frames: 0, number: 2 };

/** What the values of a channel measure. */
export function quantityOf(kind: ChannelInfo["kind"]): Quantity {
  return kind === "rotation" ? "angle" : kind === "translation" ? "length" : "number";
}

/** "cm", "°", or nothing. */
export function unitName(quantity: Quantity): string {
  return UNITS[quantity][0].suffix;
}

/** The number alone, as a person reads it: "12.5" for 0.125 m, "30.0" for π/6. */
export function inShownUnit(value: number, quantity: Quantity, digits = DIGITS[quantity]): string {
  return quantity === "frames" ? readableFrame(value) : plain(value / UNITS[quantity][0].size, digits);
}

/** With its unit: "12.5 cm", "30.0°". */
export function withUnit(value: number, quantity: Quantity, digits?: number): string {
  const suffix = unitName(quantity);
  return `${inShownUnit(value, quantity, digits)}${suffix === "cm" ? " cm" : suffix}`;
}

export function centimetres(metres: number, digits = 1): string {
  return withUnit(metres, "length", digits);
}

export function degrees(radians: number, digits = 1): string {
  return withUnit(radians, "angle", digits);
}

export function centimetresPerSecond(metresPerSecond: number): string {
  return `${plain(metresPerSecond * 100, 0)} cm/s`;
}

/** What a person typed, in the inner unit; null when it is no number of this quantity. */
export function parse(text: string, quantity: Quantity): number | null {
  const match = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?)\s*([a-z°]*)$/i.exec(text.trim().replace("−", "-"));
  if (!match) return null;
  const [, digits, suffix] = match;
  const units = UNITS[quantity];
  const unit = suffix ? units.find((each) => each.suffix === suffix.toLowerCase()) : units[0];
  const value = Number(digits.replace(",", "."));
  return unit && Number.isFinite(value) ? value * unit.size : null;
}

/** A stretch of frames by their labels: "frame 12", "frames 3–17". */
export function frameRange(first: number, last: number): string {
  return first === last ? `frame ${readableFrame(first)}` : `frames ${readableFrame(first)}–${readableFrame(last)}`;
}

/** A frame as a label says it: whole, or with a tenth where it needs one. */
function readableFrame(frame: number): string {
  const tenths = Math.round(frame * 10) / 10;
  return plain(tenths, Number.isInteger(tenths) ? 0 : 1);
}

/** Without a negative nought. */
function plain(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}
