import { signal } from "@preact/signals-core";

export type Theme = "dark" | "light";
export const SCALES: readonly number[] = [0.85, 1, 1.15, 1.3];

/** How the page looks to this pair of eyes, whatever it shows: kept in the browser, the same for all documents. */
export const theme = signal<Theme>("dark");
export const scale = signal(1);
/** Whether two fingers on a trackpad turn the camera, where a wheel would come nearer. */
export const trackpad = signal(false);

const PLACE = "inbetweener.eyes";

export function recallLook(storage: Pick<Storage, "getItem">): void {
  try {
    const kept = JSON.parse(storage.getItem(PLACE) ?? "null") as { theme?: unknown; scale?: unknown; trackpad?: unknown } | null;
    if (kept?.theme === "dark" || kept?.theme === "light") theme.value = kept.theme;
    trackpad.value = kept?.trackpad === true;
    if (SCALES.includes(kept?.scale as number)) scale.value = kept?.scale as number;
  } catch {
    // Not ours, or cut off: as good as nothing.
  }
}

export function rememberEyes(storage: Pick<Storage, "setItem">): void {
  storage.setItem(PLACE, JSON.stringify({ theme: theme.value, scale: scale.value, trackpad: trackpad.value }));
}

/** The next larger or smaller size. */
export function step(by: 1 | -1): number {
  const at = SCALES.indexOf(scale.value);
  return SCALES[Math.min(Math.max(at + by, 0), SCALES.length - 1)];
}
