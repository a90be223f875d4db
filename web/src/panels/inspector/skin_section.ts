import { html, type TemplateResult } from "lit";
import { model } from "../../app/studio";
import type { Scene } from "../../protocol/messages";
import { OFFERED } from "../../viewport/blending/commands";
import { foldedSection } from "./section";

/** How the skin follows the joints: one click compares. */
export function skinSection({ blending }: Scene): TemplateResult {
  const chosen = OFFERED.find((way) => way.blending === blending);
  const content = html`<span class="quiet caption">How its joints are blended</span>
    <div class="presets" role="radiogroup" aria-label="How the skin is blended">
    ${OFFERED.map(
      (
        way,
      ) => html`<button role="radio" aria-checked=${way.blending === blending} title=${way.does} @click=${() => model.ask({ type: "set-blending", blending: way.blending })}>
        ${way.name}
      </button>`,
    )}
    </div>
    <p class="quiet">${chosen ? `${chosen.does}.` : `Blended by ${blending}, which only the command line offers.`}</p>`;
  return foldedSection("Skin", content, chosen?.name ?? blending);
}
