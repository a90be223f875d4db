/** Raised whenever panels come or go or are arranged anew by default: what was remembered before is forgotten. */
const VERSION = 1;
const PLACE = "inbetweener.layout";

/** An arrangement as dockview tells it; we only look at which panels it has. */
interface Arrangement {
  panels: Record<string, unknown>;
}

export function remember(storage: Pick<Storage, "setItem">, layout: Arrangement): void {
  storage.setItem(PLACE, JSON.stringify({ version: VERSION, layout }));
}

/** What was remembered, if it is of this version and has exactly these panels; null for anything else. */
export function recall(storage: Pick<Storage, "getItem">, panels: readonly string[]): Arrangement | null {
  let found: unknown;
  try {
    found = JSON.parse(storage.getItem(PLACE) ?? "null");
  } catch {
    return null; // not ours, or cut off: as good as nothing
  }
  const { version, layout } = (found ?? {}) as { version?: unknown; layout?: Arrangement };
  if (version !== VERSION || typeof layout?.panels !== "object" || layout.panels === null) return null;
  const have = Object.keys(layout.panels);
  return have.length === panels.length && panels.every((panel) => have.includes(panel)) ? layout : null;
}
