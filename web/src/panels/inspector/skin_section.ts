import { html, type TemplateResult } from "lit";
import type { Command } from "../../commands/commands";
import type { Studio } from "../../commands/studio";
import { follow } from "../../elements/follow";
import type { Model } from "../../model/model";
import type { Scene } from "../../protocol/messages";
import { foldedSection } from "./section";

/** The ways of blending that an animator chooses from; the others are for comparison, from the command line. */
const OFFERED: readonly { blending: Scene["blending"]; name: string; label: string; does: string }[] = [
  { blending: "linear", name: "Linear", label: "Blend the skin linearly", does: "As most programs do: quick, and thin where joints twist" },
  { blending: "dual-quaternion", name: "Dual", label: "Blend the skin by dual quaternions", does: "Keeps its volume; jumps beyond half a turn" },
  {
    blending: "differential",
    name: "Differential",
    label: "Blend the skin by differentials",
    does: "Keeps its volume through any number of turns, and along bent bones",
  },
];

/** A command for each. */
export const skinCommands: readonly Command[] = [
  ...OFFERED.map(
    ({ blending, label }): Command => ({
      id: `blend.${blending}`,
      label,
      group: "Skin",
      run: (model) => {
        if (model.scene.value?.blending !== blending) void model.ask({ type: "set-blending", blending });
      },
      checked: (model) => hasSkin(model) && model.scene.value?.blending === blending,
      enabled: hasSkin,
      why: () => "This character has no skin",
    }),
  ),
  {
    id: "bind-skin",
    label: "Find skin weights anew",
    group: "Skin",
    run: (model) => void model.ask({ type: "bind-skin" }),
    enabled: hasSkin,
    why: () => "This character has no skin",
  },
];

/** How the skin follows the joints: one click compares. */
export function skinSection({ model }: Studio, { blending }: Scene): TemplateResult {
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
    <div class="presets">
      <button aria-pressed=${follow(() => `${model.display.value === "weights"}`)} title="Colours show how much of the skin the selected joint carries" @click=${() => showWeights(model)}>Show weights</button>
      <button title="Weights anew, by heat that flows over the skin from the bones beneath it; one step of the history" @click=${() => model.ask({ type: "bind-skin" })}>Find weights</button>
    </div>
    <p class="quiet">${chosen ? `${chosen.does}.` : `Blended by ${blending}, which only the command line offers.`}</p>`;
  return foldedSection("Skin", content, chosen?.name ?? blending);
}

function showWeights({ display }: Model): void {
  display.value = display.value === "weights" ? "shaded" : "weights";
}

function hasSkin(model: Model): boolean {
  return (model.scene.value?.meshes.length ?? 0) > 0;
}
