import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { follow } from "../../elements/follow";
import { icon } from "../../elements/icons";
import { pinOf } from "../../model/constraints";
import { weightText } from "../../model/mass_centre";
import { mainJoint, placeName, type SelectedPoint } from "../../model/selection";
import { centimetres, centimetresPerSecond } from "../../model/units";
import { speedAt } from "./inspection";
import { section, triple } from "./section";

/** The active point: where it is on this frame, how fast, and whether it is pinned; and the others selected with it. */
export function pointSection(studio: Studio, active: SelectedPoint): TemplateResult {
  const { commands, model } = studio;
  const { place, arc } = active;
  const position = (): unknown => triple(model.positionOf(place, model.playback.frame.value));
  const speed = (): string => {
    const found = speedAt(model.arcs.get(arc), model.timeOf(model.playback.frame.value), model.clip.value?.rate ?? 1);
    return found === null ? "–" : centimetresPerSecond(found);
  };
  const pinned = pinOf(model, place)?.on ?? false;
  const several = model.selection.points.value.length > 1;
  const content = html`
    <dl>
      ${placeName(place) === mainJoint(place) ? nothing : html`<dt>Joint</dt><dd>${mainJoint(place)}</dd>`}
      <dt>Position</dt>
      <dd class="position" title="x, y and z on this frame, in centimetres">
        ${follow(position)}
      </dd>
      <dt>Speed</dt>
      <dd>${follow(speed)}</dd>
      ${offsetLine(active)} ${massLine(studio, active)}
    </dl>
    <button
      class="pin"
      aria-pressed=${pinned}
      title=${pinned ? "Let its arc move again (P)" : "Keep its arc as it is, whatever is dragged (P)"}
      @click=${() => commands.run("pin")}
    >
      <i class="dot pin"></i>${pinned ? "Pinned" : "Pin"}
    </button>
    ${several ? others(studio, active) : nothing}
  `;
  return section("Point", content, placeName(place));
}

/** How far the point is from its joint, where it is not the joint itself. */
function offsetLine({ place }: SelectedPoint): TemplateResult | typeof nothing {
  const [part] = place.parts;
  const far = Math.hypot(...part.offset);
  if (place.parts.length > 1 || far < 1e-6) return nothing;
  return html`<dt>From joint</dt>
    <dd>${centimetres(far)}</dd>`;
}

/** What hangs on the point's joint alone. */
function massLine({ model }: Studio, { place }: SelectedPoint): TemplateResult | typeof nothing {
  const joint = model.scene.value?.joints.find(({ name }) => name === mainJoint(place));
  if (!joint) return nothing;
  return html`<dt>Mass</dt>
    <dd class="mass" title="What hangs on ${joint.name} alone, without the joints below it">${weightText(joint.mass)}</dd>`;
}

function others({ model }: Studio, active: SelectedPoint): TemplateResult {
  const { selection } = model;
  const activate = (point: SelectedPoint): void => {
    selection.points.value = [...selection.points.value.filter((each) => each !== point), point];
  };
  return html`<ul class="points" aria-label="Selected points">
    ${selection.points.value.map((point) => {
      const name = placeName(point.place);
      return html`<li class=${point === active ? "active" : ""}>
        <button class="bare name" title="Make ${name} the active point" @click=${() => activate(point)}>${name}</button>
        <button class="bare" title="Deselect ${name}" aria-label="Deselect ${name}" @click=${() => selection.pick(point.place, true)}>
          ${icon("close")}
        </button>
      </li>`;
    })}
  </ul>`;
}
