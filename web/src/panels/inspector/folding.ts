/** Which parts of the panels are folded: kept by the browser for the next visit. */
const PREFIX = "inbetweener.folded.";

/** Whether a part is folded; `byDefault` until somebody has folded or unfolded it. */
export function isFolded(name: string, byDefault = false): boolean {
  try {
    const kept = localStorage.getItem(PREFIX + name);
    return kept === null ? byDefault : kept === "yes";
  } catch {
    return byDefault; // a browser that keeps nothing
  }
}

export function fold(name: string, folded: boolean): void {
  try {
    localStorage.setItem(PREFIX + name, folded ? "yes" : "no");
  } catch {
    // A browser that keeps nothing: it stays so until the page is loaded again.
  }
}
