/** Little to much, slow to fast, in even steps of lightness: dark blue violet, blue, teal, green, pale yellow (sRGB, 0 to 1). */
export const STOPS = [
  [0.33, 0.27, 0.6],
  [0.22, 0.44, 0.71],
  [0.15, 0.62, 0.62],
  [0.47, 0.8, 0.4],
  [0.98, 0.92, 0.36],
] as const;

/** The colour of a speed from 0 (slowest shown) to 1 (fastest), written into `into` at `at`, in sRGB. */
export function speedColour(share: number, into: { [index: number]: number }, at: number): void {
  const along = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const low = Math.min(STOPS.length - 2, Math.floor(along));
  const rest = along - low;
  for (let i = 0; i < 3; i++) into[at + i] = STOPS[low][i] + rest * (STOPS[low + 1][i] - STOPS[low][i]);
}

/** The same as a CSS gradient, for the legend. */
export const SCALE_GRADIENT = `linear-gradient(to right, ${STOPS.map((stop) => `rgb(${stop.map((part) => Math.round(255 * part)).join(" ")})`).join(", ")})`;

/** "0.4 m/s", "12 cm/s": two digits that mean something. */
export function readableSpeed(metresASecond: number): string {
  if (metresASecond < 1) return `${Math.round(100 * metresASecond)} cm/s`;
  return `${metresASecond.toFixed(metresASecond < 10 ? 1 : 0)} m/s`;
}
