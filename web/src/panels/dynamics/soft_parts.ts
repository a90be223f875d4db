import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import type { ElasticPart, Scene, SpringyPart } from "../../protocol/messages";
import { atTheEnd } from "../fields/holding";
import { sliderLine } from "../fields/lines";
import { DAMPING, DRAG, FREQUENCY } from "../fields/scales";
import { glyphs } from "../glyphs";

type SoftPart = ElasticPart | SpringyPart;

/** What the server gives a new part: felt swings, flesh trembles. */
const NEW = { elastic: { frequency: 2.4, damping: 0.22 }, springy: { frequency: 5, damping: 0.35 } };

/** Parts of meshes that swing by themselves: what a joint carries as an elastic solid, or every vertex on a spring. */
export function softParts(studio: Studio, scene: Scene, parts: readonly SoftPart[]): TemplateResult {
  const { model } = studio;
  const joint = model.selection.activeJoint;
  const mesh = joint ? (scene.meshes.find(({ joints }) => joints.includes(joint))?.name ?? null) : null;
  const reason = !joint
    ? "Select the joint that carries it"
    : !mesh
      ? `No mesh hangs on ${joint}`
      : parts.some((each) => each.joint === joint && each.mesh === mesh)
        ? `What hangs on ${joint} is soft already`
        : "";
  const add = (kind: SoftPart["kind"]): void => {
    if (joint && mesh) void set(studio, [...parts, { kind, mesh, joint, ...NEW[kind] }]);
  };
  return html`
    ${parts.length > 0 ? parts.map((part, i) => lines(studio, part, i, parts)) : html`<p class="quiet">A hat that nods, cheeks that tremble: what a joint carries swings by itself.</p>`}
    <div class="makers">
      <button class="elastic" ?disabled=${reason !== ""} title=${reason || `What ${joint} and all below it carry becomes an elastic solid`} @click=${() => add("elastic")}>Elastic${joint ? ` ${joint}` : ""}</button>
      <button class="springy" ?disabled=${reason !== ""} title=${reason || `Every vertex that ${joint} and all below it carry is on a spring of its own`} @click=${() => add("springy")}>Springy${joint ? ` ${joint}` : ""}</button>
    </div>
  `;
}

function lines(studio: Studio, part: SoftPart, number: number, parts: readonly SoftPart[]): TemplateResult {
  const { frequency, damping } = { ...NEW[part.kind], ...part };
  const others = parts.filter((_, i) => i !== number);
  const change = (changes: Partial<SoftPart>): Promise<void> =>
    set(
      studio,
      parts.map((each, i) => (i === number ? ({ ...each, ...changes } as SoftPart) : each)),
    );
  return html`<ul aria-label="Soft part">
      <li>
        <span class="name">${part.joint}<small class="quiet"> ${part.kind === "elastic" ? "elastic" : "springy"}${part.mesh === part.joint ? nothing : html` · ${part.mesh}`}</small></span>
        <button class="bare" title="Let it be tight again" aria-label="Let ${part.joint} be tight again" @click=${() => set(studio, others)}>${glyphs.bin}</button>
      </li>
    </ul>
    ${sliderLine({ label: "Stiffness", help: "How often a second its slowest shape swings", value: frequency, text: `${frequency.toFixed(1)} Hz`, scale: FREQUENCY, hold: () => atTheEnd((to) => change({ frequency: to })) })}
    ${sliderLine({ label: "Damping", help: "How soon it comes to rest: 0 swings for ever, 1 does not overshoot", value: damping, text: damping.toFixed(2), scale: DAMPING, hold: () => atTheEnd((to) => change({ damping: to })) })}
    ${part.kind === "elastic" ? sliderLine({ label: "Of it β", help: "How much of the damping grows with stiffness (Rayleigh's β), the rest with mass (α): at 0 % all shapes die away alike, at 100 % quick ones at once", value: part.beta_share ?? 0.5, text: `${Math.round(100 * (part.beta_share ?? 0.5))} %`, scale: DRAG, hold: () => atTheEnd((to) => change({ beta_share: to })) }) : nothing}`;
}

function set({ model }: Studio, soft: SoftPart[]): Promise<void> {
  return model.loosening.set({ soft });
}
