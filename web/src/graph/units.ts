import { type Quantity, quantityOf, withUnit } from "../model/units";
import type { ChannelInfo } from "../protocol/messages";

/** What a value axis needs to know of what its values measure; angles and lengths have axes of their own. */
export interface Unit {
  quantity: Quantity;
  /** How many of what people read one of the document's unit is. */
  factor: number;
  /** The smallest range worth filling a sheet with, in the document's unit; less is a level line. */
  leastSpan: number;
  digits: number;
  /** Distances between labelled lines that read well, in what people read. */
  steps: readonly number[];
}

const ROUND = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const TURNS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45, 90, 180, 360, 720, 1800, 3600];

export const DEGREES: Unit = { quantity: "angle", factor: 180 / Math.PI, leastSpan: Math.PI / 45, digits: 1, steps: TURNS };
export const CENTIMETRES: Unit = { quantity: "length", factor: 100, leastSpan: 0.02, digits: 1, steps: ROUND };
export const PLAIN: Unit = { quantity: "number", factor: 1, leastSpan: 0.1, digits: 3, steps: ROUND };

/** In the order in which axes are given to units: the first that is shown has the left one. */
export const UNITS: readonly Unit[] = [DEGREES, CENTIMETRES, PLAIN];

export function unitOf(kind: ChannelInfo["kind"]): Unit {
  const quantity = quantityOf(kind);
  return UNITS.find((unit) => unit.quantity === quantity) as Unit;
}

/** "12.5°", "-3.0 cm", "0.250". */
export function readable(value: number, unit: Unit, digits = unit.digits): string {
  return withUnit(value, unit.quantity, digits);
}

/** Which axis a channel turns about or moves along, by its name ("hand_l.rx"); null for controls and shapes. */
export function axisOf(channel: Pick<ChannelInfo, "name" | "kind">): "x" | "y" | "z" | null {
  if (channel.kind === "control" || channel.kind === "shape" || channel.kind === "bend") return null;
  const last = channel.name.slice(-1).toLowerCase();
  return last === "x" || last === "y" || last === "z" ? last : null;
}
