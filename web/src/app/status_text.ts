import type { Answer, Warming } from "../protocol/messages";

/** "0.6 ms", "12 ms". */
export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

/** What holds the last drag back: "head pin (2.3 cm short)"; "—" when nothing does. */
export function heldBy(answer: Answer): string {
  if (answer.reached) return "—";
  const short = `${(100 * answer.distance).toFixed(1)} cm short`;
  const names = answer.blockers.map((blocker) => blocker.name).join(", ");
  return names ? `${names} (${short})` : `out of reach (${short})`;
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
