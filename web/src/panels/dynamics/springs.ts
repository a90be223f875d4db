import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { jointPlace, mainJoint } from "../../model/selection";
import type { Looseness, Scene, SpringInfo } from "../../protocol/messages";
import type { Holding } from "../fields/holding";
import { sliderLine } from "../fields/lines";
import { DAMPING, FREQUENCY } from "../fields/scales";
import { PresetScale } from "./preset_scale";
import { type SpringScope, someNames, springScope } from "./spring_scope";

/** How much of its stiffness a new chain has left at its tip. */
const TIP = 0.4;

/** How loose the selected joints are, a chain or the whole body: one slider from tight to drunk, and one for each number. */
export function springs(studio: Studio, scene: Scene, told: Looseness): TemplateResult {
  const { model } = studio;
  const selected = [...new Set(model.selection.points.value.map(({ place }) => mainJoint(place)))];
  const scope = springScope(scene, told, selected, model.selection.controls.value);
  const { presets } = told;
  const isLoose = scope.loose.length > 0;
  const scale = new PresetScale(presets);
  const stop = stopName(scope, scale);
  return html`
    ${reading(studio, scope, told)} ${presetSlider(studio, scale, scope, stop)} ${stops(studio, presets, stop, scope)} ${isLoose ? numbers(studio, scope) : nothing}
    <div class="makers">
      ${scope.kind === "joints" ? chainButton(studio, scene, presets, scope) : nothing}
      <button class="tighten" ?disabled=${!isLoose} title=${isLoose ? `Take all springs of ${scope.whose} out: it moves as keyed` : `Nothing of ${scope.whose} is loose`} @click=${() => tighten(studio, scope)}>Keep as keyed</button>
    </div>
  `;
}

function tighten({ model }: Studio, { kind, names, joints, loose }: SpringScope): unknown {
  if (kind === "controls") return model.ask({ type: "set-springs", changes: loose.map((name) => ({ name, frequency: null })) });
  return model.ask({ type: "tighten", joints: names && [...joints] });
}

/** What stands at the end of the slider: a preset, or why it is none. */
function stopName({ kind, loose, mixed, chain, sway, spring }: SpringScope, scale: PresetScale): string {
  if (loose.length === 0) return "as keyed";
  if (mixed) return "mixed";
  if (kind === "joints" && chain) return "in a chain";
  return kind === "joints" && sway ? "as the body" : scale.nameOf(spring);
}

/** Whose springs these are, and what is to be known of them. */
function reading(studio: Studio, scope: SpringScope, told: Looseness): TemplateResult {
  const { kind, joints, loose, whose, chain } = scope;
  if (kind === "chain" && chain) return html`<p class="quiet chain">${fall(told, scope)}<br /><span class="names">${someNames(joints)}</span></p>`;
  const count = loose.length < joints.length ? `: ${loose.length} of ${joints.length} ${kind === "controls" ? kind : "joints"} are loose` : "";
  const words = loose.length === 0 ? `Nothing of ${whose} is loose yet.` : `Springs of ${whose}${count}.`;
  return html`<p class="quiet">${words}${kind === "body" ? held(told) : belonging(studio, scope, told)}</p>`;
}

/** What joints swing with, and a way to it; each of them alone is tighter than all of them together. */
function belonging({ model }: Studio, { chain, sway, loose }: SpringScope, { presets }: Looseness): TemplateResult | typeof nothing {
  const it = loose.length > 1 ? "They are" : "It is";
  if (chain) return html` ${it} within ${link(`the chain from ${chain.first}`, `Select ${chain.first}`, () => model.selection.pick(jointPlace(chain.first)))}.`;
  if (!sway) return nothing;
  const name = new PresetScale(presets).nameOf(sway);
  const how = name === "own" ? `swings ${sway.frequency.toFixed(1)} times a second` : `is ${name}`;
  return html` ${it} as loose as the rest of ${link("the whole body", "Select nothing, which is the whole body", () => model.selection.clear())}, which ${how}.`;
}

/** How springs fall along a chain, as one reads them: "Chain of 5 joints: swings 6.1 times a second at tail_1, 2.4 at the tips". */
function fall(told: Looseness, { joints }: SpringScope): string {
  const frequencies = told.settings.springs.filter(({ name }) => joints.includes(name)).map(({ frequency }) => frequency);
  return `Chain of ${joints.length} joints, looser to the tips: ${Math.max(...frequencies).toFixed(1)} Hz at ${joints[0]} falls to ${Math.min(...frequencies).toFixed(1)} Hz.`;
}

/** Joints that are left out where the whole body is loosened, and why. */
function held({ held: names, settings }: Looseness): TemplateResult | typeof nothing {
  const loose = new Set(settings.springs.map(({ name }) => name));
  const tight = names.filter((name) => !loose.has(name));
  if (tight.length === 0) return nothing;
  return html` <span title=${someNames(tight, 20)}>What leads to pins and contacts stays as keyed (${tight.length} joints).</span>`;
}

function link(words: string, help: string, go: () => void): TemplateResult {
  return html`<button class="bare link" title=${help} @click=${go}>${words}</button>`;
}

/** Take hold of the springs of a scope. */
function take({ model }: Studio, { names, tip }: SpringScope, springAt: (to: number) => SpringInfo | null): Holding {
  const hand = model.take({ kind: "set-spring", names, tip });
  return {
    move: (to) => {
      const spring = springAt(to);
      if (spring) hand.move(spring.frequency, spring.damping ?? 0.5);
    },
    commit: () => hand.commit(),
    cancel: () => hand.cancel(),
  };
}

function presetSlider(studio: Studio, scale: PresetScale, scope: SpringScope, stop: string): TemplateResult {
  const value = scope.loose.length === 0 ? Infinity : scope.spring.frequency;
  const help = `How loosely ${scope.whose} follows the keys, from hardly noticed to hardly under control`;
  return html`<div class="preset">
    ${sliderLine({ label: "Looseness", help, value, text: stop, scale, hold: () => take(studio, scope, (to) => scale.springAt(scale.share(to))) })}
  </div>`;
}

/** The names of the presets under the slider, each where its stop is. */
function stops({ model }: Studio, presets: readonly SpringInfo[], stop: string, { kind, joints, names, tip }: SpringScope): TemplateResult {
  const each = { joints: "every joint swings", controls: "every control swings", chain: "the chain as a whole swings", body: "the body as a whole swings" }[
    kind
  ];
  const choose = ({ name: preset, frequency, damping }: SpringInfo): unknown =>
    kind === "controls"
      ? model.ask({ type: "set-springs", changes: joints.map((name) => ({ name, frequency, damping })) })
      : model.ask({ type: "loosen-as", preset, joints: names, tip });
  return html`<div class="stops">
    ${presets.map((preset, i) => {
      const { name, frequency, damping = 0.5 } = preset;
      const title = `${name}: ${each} ${frequency.toFixed(1)} times a second, damping ${damping.toFixed(2)}`;
      return html`<button class="bare" style="--stop:${i / Math.max(1, presets.length - 1)}" aria-pressed=${name === stop} title=${title} @click=${() => choose(preset)}>${name}</button>`;
    })}
  </div>`;
}

function numbers(studio: Studio, scope: SpringScope): TemplateResult {
  const { spring, mixed, whose, kind } = scope;
  const { frequency, damping } = spring;
  const together = kind === "chain" || kind === "body" ? " as a whole" : "";
  return html`
    ${sliderLine({
      label: "Stiffness",
      help: `How often a second ${whose} would swing about its keys${together}: fewer is looser`,
      value: frequency,
      text: mixed ? "mixed" : `${frequency.toFixed(1)} Hz`,
      scale: FREQUENCY,
      hold: () => take(studio, scope, (to) => ({ ...spring, frequency: to })),
    })}
    ${sliderLine({
      label: "Damping",
      help: "How soon it comes to rest: 0 swings for ever, 1 does not overshoot",
      value: damping,
      text: mixed ? "mixed" : damping.toFixed(2),
      scale: DAMPING,
      hold: () => take(studio, scope, (to) => ({ ...spring, damping: to })),
    })}
  `;
}

/** The selected joints and all below them, looser and looser: tails, hair, arms. */
function chainButton({ model }: Studio, { joints }: Scene, presets: readonly SpringInfo[], { names, spring, whose }: SpringScope): TemplateResult {
  const hasBelow = joints.some(({ parent }) => names?.includes(joints[parent]?.name));
  const apart = (each: SpringInfo): number => Math.abs(Math.log(each.frequency / spring.frequency)) + Math.abs((each.damping ?? 0.5) - spring.damping);
  const preset = presets.reduce<SpringInfo | null>((best, each) => (best && apart(best) <= apart(each) ? best : each), null);
  const help = hasBelow
    ? `Loosen it and everything below it as a chain, such as a tail or hair: ${preset?.name ?? ""} as a whole, and looser to the tip`
    : `Nothing hangs on ${whose}`;
  return html`<button class="chain" ?disabled=${!hasBelow} title=${help} @click=${() => preset && model.ask({ type: "loosen-as", preset: preset.name, joints: names, tip: TIP })}>Chain to the tip</button>`;
}
