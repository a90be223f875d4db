import { html, type TemplateResult } from "lit";
import { inShownUnit } from "../../model/units";
import { glyphs } from "../glyphs";

/** A part of the inspector that can be folded away; the browser remembers it. `aside` stands at the heading's end. */
export function section(title: string, content: TemplateResult, aside: unknown = ""): TemplateResult {
  return part(title, content, aside, false);
}

/** One that is folded until somebody wants it, because few do; its aside has to say what is set in there. */
export function foldedSection(title: string, content: TemplateResult, aside: unknown = ""): TemplateResult {
  return part(title, content, aside, true);
}

/** x, y and z in centimetres, each in a column of its own; a dash while they are not known. */
export function triple(at: readonly number[] | null): TemplateResult | string {
  return at ? html`${at.map((x) => html`<span>${inShownUnit(x, "length")}</span>`)} cm` : "–";
}

function part(title: string, content: TemplateResult, aside: unknown, folded: boolean): TemplateResult {
  const onToggle = (event: Event): void => {
    const { open } = event.target as HTMLDetailsElement;
    // It is also told when it is drawn open for the first time, which nobody did.
    if (open === isFolded(title, folded)) fold(title, !open);
  };
  return html`<details ?open=${!isFolded(title, folded)} @toggle=${onToggle} data-section=${title}>
    <summary>${glyphs.chevron}<span class="title">${title}</span><span class="aside">${aside}</span></summary>
    <div class="content">${content}</div>
  </details>`;
}

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
