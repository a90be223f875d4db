import { html, nothing, type TemplateResult } from "lit";
import { model } from "../app/studio";
import type { Cell } from "../model/cell";
import type { TermName } from "../model/guiding";
import type { Scene } from "../protocol/messages";
import { glyphs } from "./glyphs";
import "./guidance_commands";
import type { Holding } from "./holding";
import { FACTOR, REGULARISE, TERM_WEIGHT } from "./guidance_scales";
import { section } from "./section";
import type { Scale } from "./slider";
import "./slider";

const TERMS: Record<TermName, string> = {
  torque: "How much it counts that joints work hard to move the body",
  jerk: "How much it counts that curves change abruptly",
  limits: "How much it counts that channels come near their limits; they never pass them",
  obstacles: "How much it counts that joints come near obstacles",
};

/** Let tangents be led to less effort: run, steer, go back along the way, keep or discard. */
export function guidanceSection(scene: Scene): TemplateResult {
  const { guiding } = model;
  const content = html`<div class="guidance">
    ${buttons()} ${progressLine()} ${way()}
    ${guiding.summary.value ? html`<p role="status">${guiding.summary.value}</p>` : nothing}
    ${line("Keep to it", "How much to stay with the motion as it is: low lets go of it, high hardly changes it", guiding.regularise.value, REGULARISE, (to) => {
      guiding.regularise.value = to;
    })}
    ${terms(scene).map((term) => line(capital(term), TERMS[term], guiding.weights.value[term], TERM_WEIGHT, (to) => guiding.weigh(term, to)))}
    ${jointLine()} ${weighedJoints()} ${scope()} ${range()} ${kernels()}
  </div>`;
  return section("Guidance", content, aside());
}

function aside(): string {
  return model.guiding.gesture.value === null ? "" : model.guiding.isRunning ? "running" : "resting";
}

function buttons(): TemplateResult {
  const { guiding } = model;
  const { objection } = guiding;
  if (guiding.gesture.value === null)
    return html`<div class="makers">
      <button class="run" ?disabled=${objection !== ""} title=${objection || "Change tangents so that the motion takes less effort; no key is added or moved"} @click=${() => guiding.run()}>Run</button>
    </div>`;
  return html`<div class="makers">
    ${
      guiding.isRunning
        ? html`<button class="run" title="Rest here; the best so far is shown" @click=${() => guiding.stop()}>Stop</button>`
        : html`<button class="run" title="Go on from what is shown" @click=${() => guiding.goOn()}>Go on</button>`
    }
    <button class="keep" title="Make what is shown a step of the history" @click=${() => guiding.keep()}>Keep</button>
    <button class="discard" title="Everything as it was before the run" @click=${() => guiding.discard()}>Discard</button>
  </div>`;
}

function progressLine(): TemplateResult {
  const { progress, gesture } = model.guiding;
  if (gesture.value === null) return html`<p class="quiet">Pins and contacts that are on will hold.</p>`;
  const told = progress.value;
  if (!told) return html`<p class="quiet">Looking at the motion …</p>`;
  const [first, now] = [told.costs[0], told.costs[told.iterate]];
  return html`<p class="progress quiet">step ${told.iterate} of ${told.costs.length - 1} · cost ${Math.round((100 * now) / first)} % of the start's</p>`;
}

/** The roll-back slider: a stop for each iterate. */
function way(): TemplateResult | typeof nothing {
  const { guiding } = model;
  const told = guiding.progress.value;
  if (!told || guiding.isRunning || told.costs.length < 2) return nothing;
  return html`<div class="stiff">
    <span>Go back</span>
    <input
      class="way"
      type="range"
      min="0"
      step="1"
      max=${told.costs.length - 1}
      .value=${String(told.iterate)}
      aria-label="Iterate shown"
      title="Go back along the way that the run has come; steering goes on from there"
      @input=${(event: Event) => guiding.goTo(Number((event.target as HTMLInputElement).value))}
    />
  </div>`;
}

/** Terms that make sense in this scene. */
function terms(scene: Scene): TermName[] {
  const hasObstacles = scene.props.some((prop) => prop.role === "obstacle" && prop.joint === null);
  return (Object.keys(TERMS) as TermName[]).filter((term) => term !== "obstacles" || hasObstacles);
}

function jointLine(): TemplateResult {
  const joint = model.selection.activeJoint;
  if (!joint) return html`<p class="quiet">Select a joint to let it stay more than others.</p>`;
  const { guiding } = model;
  const help = `How much more the tangents of ${joint} stay as they are than others: 1 is alike, 100 hardly moves`;
  return line(joint, help, guiding.factor(joint), FACTOR, (to) => guiding.setFactor(joint, to));
}

/** Joints that stay more or less than others and are not selected now: nothing steers unseen. */
function weighedJoints(): TemplateResult {
  const { guiding, selection } = model;
  const others = [...guiding.factors.value].filter(([joint]) => joint !== selection.activeJoint);
  return html`<ul>
    ${others.map(
      ([joint, factor]) => html`<li>
        <span class="name">${joint} stays × ${factor < 10 ? factor.toFixed(1) : factor.toFixed(0)}</span>
        <button class="bare" title="Let ${joint} move as others" aria-label="Let ${joint} move as others" @click=${() => guiding.setFactor(joint, 1)}>${glyphs.bin}</button>
      </li>`,
    )}
  </ul>`;
}

function scope(): TemplateResult {
  const { selectedOnly } = model.guiding;
  return choice("What may change", selectedOnly, ["Whole body", "All channels may change"], ["Selected joints", "Only the channels of the selected joints may change"]);
}

function range(): TemplateResult {
  const { betweenKeys } = model.guiding;
  return choice("When it may change", betweenKeys, ["Whole clip", "All keys may change their tangents"], ["Selected keys", "Only keys from the first selected one to the last may change their tangents"]);
}

/** Two ways that exclude each other; a run under way keeps the one it began with. */
function choice(label: string, cell: Cell<boolean>, no: [string, string], yes: [string, string]): TemplateResult {
  const one = (value: boolean, [text, title]: [string, string]): TemplateResult =>
    html`<button role="radio" aria-checked=${cell.value === value} title=${title} ?disabled=${model.guiding.gesture.value !== null} @click=${() => (cell.value = value)}>${text}</button>`;
  return html`<div class="presets" role="radiogroup" aria-label=${label}>${one(false, no)} ${one(true, yes)}</div>`;
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

function kernels(): TemplateResult {
  const { guiding } = model;
  const items = guiding.kernels.value.map(
    (kernel, number) => html`<li>
      <span class="name">frame ${Math.round(model.frameLabel(model.frameOf(kernel.centre)))} ± ${(kernel.width * (model.clip.value?.rate ?? 1)).toFixed(1)}</span>
      <button class="bare" title="Take this kernel away" aria-label="Take kernel ${number + 1} away" @click=${() => guiding.setKernel(number, null)}>${glyphs.bin}</button>
    </li>`,
  );
  return html`<p class="quiet">${items.length > 0 ? "Costs count less around these; drag the bells in the graph." : "Where effort may be: a kernel lets costs count less around a frame."}</p>
    <ul>${items}</ul>
    <div class="makers"><button class="add-kernel" title="Let costs count less around the playhead" @click=${addKernel}>Add kernel here</button></div>`;
}

function addKernel(): void {
  const { guiding, clip, playback } = model;
  guiding.setKernel(guiding.kernels.value.length, { centre: model.timeOf(playback.frame.value), width: 3 / (clip.value?.rate ?? 24) });
}

function line(label: string, help: string, value: number, scale: Scale, set: (to: number) => void): TemplateResult {
  return html`<div class="stiff"><span title=${label}>${label}</span><ib-slider data-guidance=${label} .label=${label} .help=${help} .value=${value} .scale=${scale} .hold=${() => live(value, set)}></ib-slider></div>`;
}

/** Steers while the hand moves; Escape puts it back. */
function live(before: number, set: (to: number) => void): Holding {
  return { move: set, commit: () => undefined, cancel: () => set(before) };
}
