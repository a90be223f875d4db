/**
 * The key that this page was let in with. Browsers send a cookie to every port of a host; what is kept here only this
 * page can read, and all that is asked of the server must show it.
 */
const KEPT = "inbetweener-key";

const key = taken();

/** The key as it came behind the address, from where it is taken away, or as it was kept before. */
function taken(): string {
  if (typeof location === "undefined") return "";
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!given) return kept();
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    localStorage.setItem(KEPT, given);
  } catch {
    // A browser that keeps nothing has it until the page is closed.
  }
  return given;
}

function kept(): string {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

const here = new Map<string, string>();

/** A page that no server stands behind has what lies at an address itself, under another one. */
export function keepHere(url: string, at: string): void {
  here.set(url, at);
}

/** An address of the server, with the key. */
export function keyed(url: string): string {
  const kept = here.get(url);
  if (kept !== undefined) return kept;
  return `${url}${url.includes("?") ? "&" : "?"}key=${key}`;
}
