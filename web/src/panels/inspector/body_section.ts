import { html, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { follow } from "../../elements/follow";
import { massCentre, totalMass, weightText } from "../../model/mass_centre";
import type { Scene } from "../../protocol/messages";
import { foldedSection, triple } from "./section";

const PRESETS: Record<string, string> = {
  person: "The arm reaches, then the spine leans; the hips follow last",
  upright: "Only the limbs work, the trunk keeps straight",
  supple: "The body leads and the limbs trail",
};

/** What all joints weigh together, and how stiff they are to one another. */
export function bodySection({ commands, model }: Studio, { stiffness_presets: presets, joints }: Scene): TemplateResult {
  const centre = (): unknown => {
    const world = model.frames.world(model.playback.frame.value);
    return triple(world && massCentre(joints, world));
  };
  const shown = model.showMassCentre.value;
  const mass = weightText(totalMass(joints));
  const content = html`<dl class="weighs">
      <dt>Mass</dt>
      <dd title="Of the whole body, as it is weighed in this clip: what guidance and springs take it to weigh">${mass}</dd>
      <dt>Centre</dt>
      <dd class="position" title="The centre of mass on this frame: x, y and z in centimetres">
        ${follow(centre)}
      </dd>
      <dt>Show it</dt>
      <dd>
        <button class="switch" role="switch" aria-checked=${shown} aria-label="Show the centre of mass" title=${commands.tooltip("view.mass-centre")} @click=${() => commands.run("view.mass-centre")}></button>
      </dd>
    </dl>
    <span class="quiet caption" title="What gives way first when a point is pulled or an arc is dragged">Set the stiffness of all joints</span>
    <div class="presets">
      ${presets.map(
        (preset) =>
          html`<button title="Stiffness of all joints. ${PRESETS[preset] ?? ""}" @click=${() => model.ask({ type: "stiffen-as", preset })}>${preset[0].toUpperCase()}${preset.slice(1)}</button>`,
      )}
    </div>`;
  return foldedSection("Body", content, mass);
}
