/** Which parts of the panels are folded: kept by the browser for the next visit. */
const PREFIX = "inbetweener.folded.";

export function isFolded(name: string): boolean {
  try {
    return localStorage.getItem(PREFIX + name) === "yes";
  } catch {
    return false; // a browser that keeps nothing: everything is open
  }
}

export function fold(name: string, folded: boolean): void {
  try {
    if (folded) localStorage.setItem(PREFIX + name, "yes");
    else localStorage.removeItem(PREFIX + name);
  } catch {
    // A browser that keeps nothing: it stays so until the page is loaded again.
  }
}
