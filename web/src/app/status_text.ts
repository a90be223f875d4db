import type { Warming } from "../protocol/messages";

/** "0.6 ms", "12 ms". */
export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

/** The worst that a pin gave way, in millimetres: "0.02 mm". */
export function pinError(held: number): string {
  const value = 1000 * held;
  return `${value < 0.005 ? "0" : value.toFixed(value < 10 ? 2 : 0)} mm`;
}

/** "compiling 12/37"; null when all is ready. */
export function warmingText(warming: Warming | null): string | null {
  return warming && warming.ready < warming.total ? `compiling ${warming.ready}/${warming.total}` : null;
}

/** What is selected: the active point, or else the first control, and how many more there are. */
export function selectionText(points: readonly string[], controls: readonly string[]): string {
  const more = points.length + controls.length - 1;
  if (more < 0) return "nothing selected";
  return `${points.at(-1) ?? controls[0]}${more > 0 ? ` + ${more}` : ""}`;
}
