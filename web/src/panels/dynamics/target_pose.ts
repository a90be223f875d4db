import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { quantityOf } from "../../model/units";
import type { AimInfo, PoseTarget } from "../../protocol/messages";
import { atTheEnd } from "../fields/holding";
import { choiceLine } from "../fields/lines";
import "../fields/number_field";
import { glyphs } from "../glyphs";

const WAYS = [
  ["keyed", "As keyed", "Be in the pose that the keys have there, also when they change"],
  ["own", "Own pose", "Be in a pose of its own, whatever the keys have there"],
] as const;

/** Which pose a target wants: as keyed or one of its own, taken from another frame or a kept pose, or typed. */
export function targetPose(studio: Studio, { name, target }: AimInfo): TemplateResult | typeof nothing {
  if (target.kind !== "pose") return nothing;
  const { model } = studio;
  const { pose = "keyed" } = target;
  const way = pose === "keyed" ? "keyed" : "own";
  const choose = (to: typeof way): unknown => {
    if (to === way) return undefined;
    return to === "keyed" ? change(studio, name, target, "keyed") : model.ask({ type: "take-pose", name, time: target.time });
  };
  return html`<span class="quiet caption">Pose</span>
    ${choiceLine("Pose of the target", way, WAYS, choose)} ${sources(studio, name)}
    ${pose === "keyed" ? nothing : values(studio, name, target, pose)}`;
}

/** Where another pose comes from: the frame that is shown, as keyed or as it swings, or the chosen kept pose. */
function sources({ model }: Studio, name: string): TemplateResult {
  const time = model.timeOf(model.playback.frame.value);
  const kept = model.poses.chosen.value;
  const frame = model.frameLabel(model.playback.frame.value);
  return html`<div class="makers">
    <span class="quiet">Take</span>
    <button title="The pose that the keys have on frame ${frame}, which is shown" @click=${() => model.ask({ type: "take-pose", name, time })}>keyed here</button>
    <button title="The pose that is seen on frame ${frame}, as it swings" @click=${() => model.ask({ type: "take-pose", name, time, seen: true })}>seen here</button>
    <button ?disabled=${kept === null} title=${kept === null ? "Choose a pose in the panel Poses first" : `The kept pose ${kept}`} @click=${() => kept !== null && model.ask({ type: "take-pose", name, pose: kept })}>${kept ?? "kept"}</button>
  </div>`;
}

/** The values of a pose of its own: typed or scrubbed; a channel that is taken out may be as it likes. */
function values(studio: Studio, name: string, target: PoseTarget, pose: Readonly<Record<string, number>>): TemplateResult {
  const channels = (studio.model.scene.value?.channels ?? []).filter((each) => each.name in pose);
  const set = (changed: Record<string, number>): unknown => change(studio, name, target, changed);
  const without = (channel: string): Record<string, number> => Object.fromEntries(Object.entries(pose).filter(([each]) => each !== channel));
  return html`<ul class="pose" aria-label="Pose of ${name}">
    ${channels.map(
      (each) => html`<li>
        <span class="name" title=${each.name}>${each.name}</span>
        <ib-number .value=${pose[each.name] * (each.metres ?? 1)} .quantity=${quantityOf(each.kind)} .step=${0.01} .label=${`${each.name} in the pose`} .hold=${() => atTheEnd((to) => set({ ...pose, [each.name]: to / (each.metres ?? 1) }))}></ib-number>
        <button class="bare" ?disabled=${channels.length === 1} title="Let ${each.name} be as it likes there" aria-label="Leave ${each.name} out" @click=${() => set(without(each.name))}>${glyphs.bin}</button>
      </li>`,
    )}
  </ul>`;
}

function change({ model }: Studio, name: string, target: PoseTarget, pose: PoseTarget["pose"]): unknown {
  return model.ask({ type: "replace-target", name, target: { ...target, pose } });
}
