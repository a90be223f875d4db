import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import type { Scene } from "../../protocol/messages";
import { switchLine } from "../fields/lines";
import { foldedSection, section } from "../inspector/section";
import { softParts } from "./soft_parts";
import { springs } from "./springs";
import { targets } from "./targets";
import { windows, windowText, world, worldText } from "./world";

/** Let parts swing about their keyed motion, and hit targets all the same. */
export function dynamicsSection(studio: Studio, scene: Scene): TemplateResult {
  const { model } = studio;
  const { loosening } = model;
  const told = loosening.told.value;
  const settings = told?.settings ?? { springs: [] };
  const content = html`<div class="dynamics">
    ${switches(studio)}
    ${told?.problem ? html`<p class="problem" role="alert">${told.problem}</p>` : nothing}
    ${told ? springs(studio, scene, told) : nothing}
    ${section("Targets", targets(studio), loosening.targets.length || "")}
    ${scene.meshes.length > 0 ? foldedSection("Soft parts", softParts(studio, scene, settings.soft ?? []), settings.soft?.length || "none") : nothing}
    ${foldedSection("World", world(studio, settings), worldText(settings))}
    ${foldedSection("Windows", windows(studio, settings), windowText(studio, settings))}
  </div>`;
  return section("Dynamics", content, aside(studio));
}

function aside({ model }: Studio): string {
  const told = model.loosening.told.value;
  return told?.loose ? "loose" : told?.problem ? "as keyed" : model.loosening.hasSprings ? "off" : "";
}

function switches({ commands, model }: Studio): TemplateResult {
  const { loosening } = model;
  const told = loosening.told.value;
  const bake = commands.reason("loose-bake");
  return html`<div class="switches">
    ${switchLine("Loose", "Let the springs act, or move as keyed (L)", (told?.on ?? false) && loosening.hasSprings, () => commands.run("looseness"), commands.reason("looseness"))}
    ${switchLine("Keyed ghost", "Show the keyed body as a wireframe, and keyed arcs thin (Shift+L)", loosening.showKeyed.value, () => commands.run("view.keyed"), commands.reason("view.keyed"))}
    <button class="bake" ?disabled=${bake !== ""} title=${bake || "Put what swings into a layer of keys, and let the springs rest; no key of yours changes, and soft parts stay soft"} @click=${() => commands.run("loose-bake")}>Bake</button>
  </div>`;
}
