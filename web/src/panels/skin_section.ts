import { html, type TemplateResult } from "lit";
import { model } from "../app/studio";
import type { Scene } from "../protocol/messages";
import { OFFERED } from "../viewport/blending/commands";
import { section } from "./section";

/** How the skin follows the joints: one click compares. */
export function skinSection({ blending }: Scene): TemplateResult {
  const content = html`<div class="presets" role="radiogroup" aria-label="How the skin is blended">
    ${OFFERED.map(
      (way) => html`<button role="radio" aria-checked=${way.blending === blending} title=${way.does} @click=${() => model.ask({ type: "set-blending", blending: way.blending })}>
        ${way.name}
      </button>`,
    )}
  </div>`;
  return section("Skin", content, "blending");
}
