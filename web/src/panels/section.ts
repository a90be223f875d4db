import { html, type TemplateResult } from "lit";
import { glyphs } from "./glyphs";
import { fold, isFolded } from "./remembered";

/** A part of the inspector that can be folded away; the browser remembers it. `aside` stands at the heading's end. */
export function section(title: string, content: TemplateResult, aside: unknown = ""): TemplateResult {
  const onToggle = (event: Event): void => fold(title, !(event.target as HTMLDetailsElement).open);
  return html`<details ?open=${!isFolded(title)} @toggle=${onToggle} data-section=${title}>
    <summary>${glyphs.chevron}<span class="title">${title}</span><span class="aside">${aside}</span></summary>
    <div class="content">${content}</div>
  </details>`;
}
