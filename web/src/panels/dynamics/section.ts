import { html, nothing, type TemplateResult } from "lit";
import { commands, model } from "../../app/studio";
import type { Scene } from "../../protocol/messages";
import "./commands";
import { switchLine } from "../fields/lines";
import { foldedSection, section } from "../inspector/section";
import { softParts } from "./soft_parts";
import { springs } from "./springs";
import { targets } from "./targets";
import { windows, windowText, world, worldText } from "./world";

/** Let parts swing about their keyed motion, and hit targets all the same. */
export function dynamicsSection(scene: Scene): TemplateResult {
  const { loosening } = model;
  const told = loosening.told.value;
  const settings = told?.settings ?? { springs: [] };
  const content = html`<div class="dynamics">
    ${switches()}
    ${told?.problem ? html`<p class="problem" role="alert">${told.problem}</p>` : nothing}
    ${told ? springs(scene, told) : nothing}
    ${section("Targets", targets(), loosening.targets.length || "")}
    ${scene.meshes.length > 0 ? foldedSection("Soft parts", softParts(scene, settings.soft ?? []), settings.soft?.length || "none") : nothing}
    ${foldedSection("World", world(settings), worldText(settings))}
    ${foldedSection("Windows", windows(settings), windowText(settings))}
  </div>`;
  return section("Dynamics", content, aside());
}

function aside(): string {
  const told = model.loosening.told.value;
  return told?.loose ? "loose" : told?.problem ? "as keyed" : model.loosening.hasSprings ? "off" : "";
}

function switches(): TemplateResult {
  const { loosening } = model;
  const told = loosening.told.value;
  const bake = commands.reason("loose-bake");
  return html`<div class="switches">
    ${switchLine("Loose", "Let the springs act, or move as keyed (L)", (told?.on ?? false) && loosening.hasSprings, () => commands.run("looseness"), commands.reason("looseness"))}
    ${switchLine("Keyed ghost", "Show the keyed body as a wireframe, and keyed arcs thin (Shift+L)", loosening.showKeyed.value, () => commands.run("view.keyed"), commands.reason("view.keyed"))}
    <button class="bake" ?disabled=${bake !== ""} title=${bake || "Put what swings into a layer of keys, and let the springs rest; no key of yours changes, and soft parts stay soft"} @click=${() => commands.run("loose-bake")}>Bake</button>
  </div>`;
}
