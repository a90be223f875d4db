import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import type { Scene } from "../../protocol/messages";
import { dynamicsSection } from "../dynamics/section";
import { dynamicsStyle } from "../dynamics/style";
import { targetSection } from "../dynamics/target_section";
import { rangeStyle } from "../fields/range_style";
import { controlsStyle } from "../fields/style";
import { guidanceSection } from "../guidance/section";
import { guidanceStyle } from "../guidance/style";
import { Panel, panelStyle } from "../panel";
import { bodySection } from "./body_section";
import { channelsSection } from "./channels_section";
import { channelsStyle } from "./channels_style";
import { roleLine } from "./character";
import { clipSection } from "./clip_section";
import { constraintsSection } from "./constraints_section";
import { channelsOfJoint, chosenGroups } from "./inspection";
import { pointSection } from "./point_section";
import { section } from "./section";
import { skinSection } from "./skin_section";
import { inspectorStyle } from "./style";

/** What can be read and set about the selection and the clip; what changes with every frame follows by itself. */
export class Inspector extends Panel {
  static override styles = [panelStyle, inspectorStyle, controlsStyle, rangeStyle, channelsStyle, guidanceStyle, dynamicsStyle];

  /** The target that was last brought into view, so that scrolling away from it is allowed. */
  private shown: string | null = null;

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const chosen = this.model.loosening.chosen.value;
    if (chosen === this.shown) return;
    this.shown = chosen;
    // Everything about a target stands on top; whoever chose one further down would not see it come.
    if (chosen !== null) this.renderRoot.querySelector(".all")?.scrollTo({ top: 0 });
  }

  protected override render(): TemplateResult {
    const { studio, model } = this;
    const [scene, clip, active] = [model.scene.value, model.clip.value, model.selection.active];
    const controls = selectedControls(studio, scene);
    const target = model.loosening.chosenTarget;
    const nothingChosen = active === null && controls.length === 0 && target === null;
    return html`<div class="all">
      ${nothingChosen ? html`<p class="empty">Click a part of the character.</p>` : nothing}
      ${target ? targetSection(studio, target) : nothing}
      ${active ? pointSection(studio, active) : nothing}
      ${controls.length > 0 ? channelsSection(studio, "Controls", chosenGroups(controls)) : nothing}
      ${active && scene ? jointSection(studio, scene) : nothing}
      ${clip ? constraintsSection(studio) : nothing}
      ${clip && scene && scene.joints.length > 0 ? guidanceSection(studio, scene) : nothing}
      ${clip && scene && scene.joints.length > 0 ? dynamicsSection(studio, scene) : nothing}
      ${scene && scene.joints.length > 0 ? bodySection(studio, scene) : nothing}
      ${scene && scene.meshes.length > 0 ? skinSection(studio, scene) : nothing}
      ${clip ? clipSection(studio, clip) : nothing}
    </div>`;
  }
}

function selectedControls({ model }: Studio, scene: Scene | null): Scene["channels"] {
  const names = model.selection.controls.value;
  return names.length === 0 || !scene ? [] : scene.channels.filter((channel) => names.includes(channel.name));
}

function jointSection(studio: Studio, scene: Scene): TemplateResult {
  const { model } = studio;
  const joint = model.selection.activeJoint ?? "";
  const groups = channelsOfJoint(scene, joint);
  const told = scene.joints.find((each) => each.name === joint);
  const order = told?.order ?? "";
  const role = told ? roleLine(studio, told) : nothing;
  if (groups.length > 0) return channelsSection(studio, "Channels", groups, html`<span title="Rotation order: ${turnsOf(order)}">order ${order}</span>`, role);
  return section("Channels", html`${role}<p class="quiet">${joint} has no channels; it goes along with the joint above it.</p>`);
}

/** "ZYX" is Rz·Ry·Rx: about x first. */
function turnsOf(order: string): string {
  return `about ${[...order.toLowerCase()].reverse().join(", then ")}`;
}

customElements.define("ib-inspector", Inspector);
