import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { BELL_DEFAULTS } from "../../model/bell";
import { jointPlace } from "../../model/selection";
import { type FarPart, farthestParts, hitOrMiss, isHit } from "../../model/target_words";
import type { AimInfo, PointTarget, PoseTarget } from "../../protocol/messages";
import { atTheEnd, type Holding } from "../fields/holding";
import { choiceLine, sliderLine, switchLine, type Way } from "../fields/lines";
import { WEIGHT } from "../fields/scales";
import { bellPad } from "./bell_pad";
import { givesWay } from "./target_channels";
import { targetPose } from "./target_pose";
import { solving } from "./targets";
import "../fields/number_field";
import { section } from "../inspector/section";

type Triple = [number, number, number];

/** What may be wrong with a target that was solved for. */
const MISSED = "Not hit: solve again if something has changed since; else it is out of reach, or other targets want otherwise.";

/** Everything about the chosen target. */
export function targetSection(studio: Studio, aim: AimInfo): TemplateResult {
  const { model } = studio;
  const { name, target, solved } = aim;
  const state = model.loosening.stateOf(name);
  const words = hitOrMiss(state);
  const layer = model.clip.value?.layers.find((each) => each.name === name);
  const content = html`<div class="dynamics" aria-label="Target ${name}">
    <div class="makers">
      <span class="reads ${isHit(state) ? "hit" : ""}" role="status">${words || "not known yet"}</span>
      ${solving(studio)}
    </div>
    <dl>
      <dt>Frame</dt>
      <dd>${timeField(studio, aim)}</dd>
      ${target.kind === "point" ? position(studio, name, target) : nothing}
    </dl>
    ${farthest(studio, farthestParts(state))}
    ${target.kind === "point" ? wants(studio, name, target) : html`${targetPose(studio, aim)}${poseVelocity(studio, name, target)}`}
    ${sliderLine({ label: "Weight", help: "How much it counts where not all targets can be met", value: target.weight ?? 1, text: (target.weight ?? 1).toPrecision(2), scale: WEIGHT, hold: () => model.take({ kind: "weigh-target", target: name }) })}
    ${bell(studio, aim)}
    ${target.kind === "point" ? givesWay(studio, aim) : nothing}
    <p class="quiet">${solved ? `Its correction is layer ${name}${layer ? `, ${Math.round(100 * layer.weight)}\u00a0%${layer.muted ? ", muted" : ""}` : ""}.` : "Not solved for yet: Solve makes a layer of the same name."} ${solved && state && !isHit(state) ? MISSED : nothing}</p>
  </div>`;
  return section("Target", content, name);
}

/** Where a pose is missed: one has to know which joints to loosen less, or not to ask for. */
function farthest({ model }: Studio, parts: readonly FarPart[]): TemplateResult | typeof nothing {
  if (parts.length === 0) return nothing;
  const select = (joint: string): void => {
    const { chosen } = model.loosening;
    const target = chosen.value;
    model.selection.pick(jointPlace(joint));
    // One looks at the joint to see what the target wants of it.
    chosen.value = target;
  };
  return html`<p class="quiet farthest">
    Farthest:
    ${parts.map(({ name, joint, by }, i) => html`${i > 0 ? ", " : ""}<span class="part">${joint ? html`<button class="bare link" title="Select ${joint}" @click=${() => select(joint)}>${name}</button>` : name} ${by}</span>`)}
  </p>`;
}

function timeField({ model }: Studio, { name, target }: AimInfo): TemplateResult {
  const { rate = 24 } = model.clip.value ?? {};
  return html`<ib-number .value=${target.time * rate} .quantity=${"frames"} .step=${0.2} .label=${"Frame of the target"} .hold=${() => scaled(model.take({ kind: "move-target", target: name }), 1 / rate)}></ib-number>`;
}

/** A hand in other units. */
function scaled(hand: Holding, unit: number): Holding {
  return { move: (value) => hand.move(value * unit), commit: () => hand.commit(), cancel: () => hand.cancel() };
}

function position({ model }: Studio, name: string, target: PointTarget): TemplateResult | typeof nothing {
  const state = model.loosening.stateOf(name);
  const wish = Array.isArray(target.position) ? target.position : state?.wish;
  if (!wish) return nothing;
  const axis = (i: number): TemplateResult => html`<ib-number
    .value=${wish[i]}
    .quantity=${"length"}
    .step=${0.002}
    .label=${`Target's ${"xyz"[i]}`}
    .hold=${() => {
      const hand = model.take({ kind: "drag-target", target: name });
      const at = [...wish];
      return { move: (value: number) => hand.move(...at.with(i, value)), commit: () => hand.commit(), cancel: () => hand.cancel() };
    }}
  ></ib-number>`;
  return html`<dt>Position</dt>
    <dd class="triple">${axis(0)}${axis(1)}${axis(2)}<span>cm</span></dd>`;
}

/** What else is wanted besides a position: orientation, velocity. */
function wants(studio: Studio, name: string, target: PointTarget): TemplateResult {
  const { model } = studio;
  const { loosening } = model;
  const { position = "keyed", orientation = null, velocity = null } = target;
  const still = Array.isArray(velocity) && velocity.every((each) => each === 0);
  const way: Speed = velocity === null ? "free" : velocity === "keyed" ? "keyed" : still ? "still" : "given";
  const speeds: Record<Speed, PointTarget["velocity"]> = { free: null, still: [0, 0, 0], keyed: "keyed", given: [0, 0, 1] };
  const asKeyed = switchLine("As keyed", "Be where the keyed motion is, also when that changes; off: stay where it is put", position === "keyed", (on) =>
    loosening.change(name, { position: on ? "keyed" : (loosening.stateOf(name)?.wish ?? "keyed") }),
  );
  const held = typeof target.until === "number";
  // A vertex of something soft has a place and a velocity: it is neither turned nor held.
  const more = target.vertex
    ? nothing
    : html`${hold(studio, name, target)}
        ${switchLine("Orientation", "Be turned as the keyed motion is; E and the rings turn it otherwise", orientation !== null, (on) => loosening.change(name, { orientation: on ? "keyed" : null }))}`;
  return html`
    ${asKeyed}
    ${more}
    <span class="quiet caption">Velocity</span>
    ${choiceLine("Velocity at the target", way, held ? VELOCITIES.slice(0, 2) : VELOCITIES, (to) => (to === way ? undefined : loosening.change(name, { velocity: speeds[to] })))}
    ${way === "given" && Array.isArray(velocity) ? velocityFields(studio, name, velocity as Triple) : nothing}
  `;
}

/** Half a second: how long a target holds at first. */
const HOLD = 0.5;

/** Whether it is held for a while, and until when. */
function hold({ model }: Studio, name: string, target: PointTarget): TemplateResult {
  const { loosening } = model;
  const { rate = 24, end = 0 } = model.clip.value ?? {};
  const { time, until = null, velocity = null } = target;
  const still = Array.isArray(velocity) && velocity.every((each) => each === 0);
  const line = switchLine("Held", "Stay there until a later frame, or, as keyed, keep to the keyed motion so long", until !== null, (on) =>
    loosening.change(name, { until: on ? Math.min(time + HOLD, end) : null, velocity: still || !on ? velocity : null }),
  );
  if (until === null) return line;
  return html`${line}
    <dl>
      <dt>Until</dt>
      <dd><ib-number .value=${until * rate} .quantity=${"frames"} .step=${0.2} .label=${"Frame until which it is held"} .hold=${() => atTheEnd((to) => loosening.change(name, { until: to / rate }))}></ib-number></dd>
    </dl>`;
}

/** How fast a whole pose is passed. */
function poseVelocity({ model }: Studio, name: string, target: PoseTarget): TemplateResult {
  const way = target.velocity ?? "free";
  const change = (to: typeof way): unknown => model.ask({ type: "replace-target", name, target: { ...target, velocity: to === "free" ? null : to } });
  const ways = VELOCITIES.flatMap(([each, ...words]) => (each === "given" ? [] : [[each, ...words] as const]));
  return html`<span class="quiet caption">Velocity</span>
    ${choiceLine("Velocity at the pose", way, ways, (to) => (to === way ? undefined : change(to)))}`;
}

type Speed = "free" | "still" | "keyed" | "given";

const VELOCITIES: readonly Way<Speed>[] = [
  ["free", "Free", "Pass it at any speed"],
  ["still", "Still", "Come to rest there"],
  ["keyed", "Keyed", "Pass it as fast as keyed"],
  ["given", "Given", "Pass it with a velocity of your own"],
];

function velocityFields({ model }: Studio, name: string, velocity: Triple): TemplateResult {
  const axis = (i: number): TemplateResult => html`<ib-number
    .value=${velocity[i]}
    .quantity=${"length"}
    .step=${0.02}
    .label=${`Velocity's ${"xyz"[i]}, a second`}
    .hold=${() => {
      const hand = model.take({ kind: "drag-target", target: name, wanted: "velocity" });
      const at = [...velocity];
      return { move: (value: number) => hand.move(...at.with(i, value)), commit: () => hand.commit(), cancel: () => hand.cancel() };
    }}
  ></ib-number>`;
  return html`<dl>
    <dt title="Along x, y and z, in centimetres a second">cm/s</dt>
    <dd class="triple">${axis(0)}${axis(1)}${axis(2)}</dd>
  </dl>`;
}

/** How its correction comes and goes. */
function bell(studio: Studio, aim: AimInfo): TemplateResult {
  const { model } = studio;
  const { name, target } = aim;
  const { loosening } = model;
  const { before, after, shape, drawn } = { ...BELL_DEFAULTS, ...target.bell };
  const { rate = 24 } = model.clip.value ?? {};
  const side = (label: string, value: number, wish: (to: number) => [number, number]): TemplateResult => html`<ib-number
    .value=${value * rate}
    .quantity=${"frames"}
    .step=${0.2}
    .label=${label}
    .hold=${() => {
      const hand = model.take({ kind: "shape-bell", target: name });
      return { move: (to: number) => hand.move(...wish(to / rate)), commit: () => hand.commit(), cancel: () => hand.cancel() };
    }}
  ></ib-number>`;
  const shapes = [
    ["gaussian", "Gaussian", "A correction that comes late and goes soon"],
    ["polynomial", "Round", "A correction that comes early and goes late"],
  ] as const;
  return html`<dl>
      <dt title="Frames over which the correction comes and goes; drag the bell on the timeline">Bell</dt>
      <dd class="sides">${side("Frames over which the correction comes", before, (to) => [to, after])}<span>before</span>${side("Frames over which it goes", after, (to) => [before, to])}<span>after</span></dd>
    </dl>
    ${bellPad(studio, aim)}
    ${
      drawn.length > 0
        ? html`<div class="makers"><span class="quiet">A drawn shape</span><button title="Take the drawn shape away" @click=${() => loosening.change(name, { bell: { before, after, shape } })}>Make it ${shape === "gaussian" ? "Gaussian" : "round"}</button></div>`
        : choiceLine("Shape of the bell", shape, shapes, (to) => (to === shape ? undefined : loosening.change(name, { bell: { before, after, shape: to } })))
    }`;
}
