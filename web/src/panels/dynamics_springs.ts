import { html, nothing, type TemplateResult } from "lit";
import { model } from "../app/studio";
import { mainJoint } from "../model/selection";
import type { Scene, SpringInfo } from "../protocol/messages";
import { sliderLine } from "./dynamics_lines";
import { DAMPING, FREQUENCY } from "./dynamics_scales";
import type { Holding } from "./holding";
import { PresetScale, sameSpring } from "./preset_scale";

/** How much of its stiffness a chain has left at its tip. */
const TIP = 0.4;

/** The joints whose springs are set: those selected or, when none is, all that hang on another. */
export function springJoints(scene: Scene): { names: string[]; whole: boolean } {
  const selected = new Set(model.selection.points.value.map(({ place }) => mainJoint(place)));
  if (selected.size > 0) return { names: [...selected], whole: false };
  return { names: scene.joints.filter(({ parent }) => parent >= 0).map(({ name }) => name), whole: true };
}

/** How loose the selected joints are, or the whole body: one slider from tight to drunk, and one for each number of a spring. */
export function springs(scene: Scene): TemplateResult {
  const { names, whole } = springJoints(scene);
  const { loosening } = model;
  const found = names.flatMap((name) => loosening.springOf(name) ?? []);
  const whose = whole ? "the whole body" : names.length === 1 ? names[0] : `${names.length} joints`;
  const mean = middle(found);
  const mixed = found.some((each) => !sameSpring(each, mean));
  const presets = (whole ? loosening.told.value?.whole : loosening.told.value?.presets) ?? [];
  const scale = new PresetScale(presets);
  const stop = found.length === 0 ? "as keyed" : mixed ? "mixed" : scale.nameOf(mean);
  return html`
    <p class="quiet">${found.length === 0 ? `Nothing of ${whose} is loose yet.` : `Springs of ${whose}${found.length < names.length ? `: ${found.length} of ${names.length} joints are loose` : ""}`}</p>
    ${presetSlider(scale, names, found.length === 0 ? Infinity : mean.frequency, stop, whose)} ${stops(presets, stop, names, whole)}
    ${found.length > 0 ? numbers(names, mean, mixed, whose) : nothing}
    <div class="makers">
      ${whole ? nothing : chainButton(names, mean)}
      <button class="tighten" ?disabled=${found.length === 0} title=${found.length === 0 ? `Nothing of ${whose} is loose` : `Take all springs of ${whose} out: it moves as keyed`} @click=${() => model.ask({ type: "tighten", joints: whole ? null : names })}>Keep as keyed</button>
    </div>
  `;
}

/** Springs that stand for several: ratios matter, so the geometric mean. */
function middle(springs: readonly SpringInfo[]): Required<SpringInfo> {
  if (springs.length === 0) return { name: "", frequency: 3.5, damping: 0.5 };
  const frequency = Math.exp(springs.reduce((sum, each) => sum + Math.log(each.frequency), 0) / springs.length);
  const damping = springs.reduce((sum, each) => sum + (each.damping ?? 0.5), 0) / springs.length;
  return { name: "", frequency, damping };
}

function presetSlider(scale: PresetScale, names: string[], frequency: number, stop: string, whose: string): TemplateResult {
  const hold = (): Holding => {
    const hand = model.take({ kind: "set-spring", names });
    return {
      move: (to) => {
        const spring = scale.springAt(scale.share(to));
        if (spring) hand.move(spring.frequency, spring.damping ?? 0.5);
      },
      commit: () => hand.commit(),
      cancel: () => hand.cancel(),
    };
  };
  return html`<div class="preset">
    ${sliderLine({ label: "Looseness", help: `How loosely ${whose} follows the keys, from hardly noticed to hardly under control`, value: frequency, text: stop, scale, hold })}
  </div>`;
}

/** The names of the presets under the slider, each where its stop is. */
function stops(presets: readonly SpringInfo[], stop: string, names: string[], whole: boolean): TemplateResult {
  return html`<div class="stops">
    ${presets.map(
      ({ name, frequency, damping = 0.5 }) =>
        html`<button class="bare" aria-pressed=${name === stop} title="${frequency.toFixed(1)} swings a second at every joint, damping ${damping.toFixed(2)}" @click=${() => model.ask({ type: "loosen-as", preset: name, joints: whole ? null : names })}>${name}</button>`,
    )}
  </div>`;
}

function numbers(names: string[], { frequency, damping }: Required<SpringInfo>, mixed: boolean, whose: string): TemplateResult {
  const pull = (toNumbers: (to: number) => [number, number]): Holding => {
    const hand = model.take({ kind: "set-spring", names });
    return { move: (to) => hand.move(...toNumbers(to)), commit: () => hand.commit(), cancel: () => hand.cancel() };
  };
  return html`
    ${sliderLine({
      label: "Stiffness",
      help: `How often a second ${whose} would swing about its keys: fewer is looser`,
      value: frequency,
      text: mixed ? "mixed" : `${frequency.toFixed(1)} Hz`,
      scale: FREQUENCY,
      hold: () => pull((to) => [to, damping]),
    })}
    ${sliderLine({
      label: "Damping",
      help: "How soon it comes to rest: 0 swings for ever, 1 does not overshoot",
      value: damping,
      text: mixed ? "mixed" : damping.toFixed(2),
      scale: DAMPING,
      hold: () => pull((to) => [frequency, to]),
    })}
  `;
}

/** The selected joints and all below them, looser and looser: tails, hair, arms. */
function chainButton(joints: string[], { frequency, damping }: Required<SpringInfo>): TemplateResult {
  const presets = model.loosening.told.value?.presets ?? [];
  const apart = (each: SpringInfo): number => Math.abs(Math.log(each.frequency / frequency)) + Math.abs((each.damping ?? 0.5) - damping);
  const preset = presets.reduce<SpringInfo | null>((best, each) => (best && apart(best) <= apart(each) ? best : each), null);
  return html`<button class="chain" title="Loosen it and everything below it as a chain, such as a tail or hair: ${preset?.name ?? ""} here, and looser to the tip" @click=${() => preset && model.ask({ type: "loosen-as", preset: preset.name, joints, tip: TIP })}>Chain to the tip</button>`;
}
