import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import type { Scene } from "../../protocol/messages";
import { live } from "../fields/holding";
import { sliderLine } from "../fields/lines";
import { REGULARISE } from "../fields/scales";
import { foldedSection, section } from "../inspector/section";
import { costMap } from "./cost_map";
import { kernelList } from "./kernels";
import { changingParts, whatMayChange } from "./scope";
import { capital, conventions, countingTerms, whatCounts } from "./terms";

/** Let tangents be led to less effort: run, steer, go back along the way, keep or discard. */
export function guidanceSection(studio: Studio, scene: Scene): TemplateResult {
  const { model } = studio;
  const { guiding } = model;
  const content = html`<div class="guidance">
    ${buttons(studio)} ${progressLine(studio)} ${way(studio)}
    ${guiding.summary.value ? html`<p role="status">${guiding.gesture.value === null ? `Last run: ${guiding.summary.value}` : capital(guiding.summary.value)}</p>` : nothing} ${keepToIt(studio)} ${conventions(studio)} ${costMap(studio)}
    ${foldedSection("What counts", whatCounts(studio, scene), countingTerms(studio))} ${foldedSection("What may change", whatMayChange(studio), changingParts(studio))}
    ${foldedSection("Kernels", kernelList(studio), guiding.kernels.value.length || "none")}
  </div>`;
  return section("Guidance", content, aside(studio));
}

function aside({ model }: Studio): string {
  return model.guiding.gesture.value === null ? "" : model.guiding.isRunning ? "running" : "resting";
}

/** The one number that every run is steered by. */
function keepToIt({ model }: Studio): TemplateResult {
  const { regularise } = model.guiding;
  const { value } = regularise;
  const help = "How much to stay with the motion as it is: not at all at the left end, high hardly changes it";
  return sliderLine({
    label: "Keep to it",
    help,
    value,
    text: value === 0 ? "naive" : "",
    scale: REGULARISE,
    hold: () => live(value, (to) => (regularise.value = to)),
  });
}

function buttons(studio: Studio): TemplateResult {
  const { model } = studio;
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
    ${guiding.isRunning ? nothing : compare(studio)}
  </div>`;
}

/** Before and after, by one click each. */
function compare({ model }: Studio): TemplateResult {
  const isBefore = model.guiding.progress.value?.before ?? false;
  const title = isBefore ? "Show again what the run has made of the motion" : "Show the motion as it was before the run";
  return html`<button class="compare" aria-pressed=${isBefore} title=${title} @click=${() => model.guiding.compare()}>Before</button>`;
}

function progressLine({ model }: Studio): TemplateResult {
  const { progress, gesture } = model.guiding;
  if (gesture.value === null) return html`<p class="quiet">Leads tangents to less effort. Keys stay, and pins and contacts that are on hold.</p>`;
  const told = progress.value;
  if (!told) return html`<p class="quiet">Looking at the motion …</p>`;
  const [first, now] = [told.costs[0], told.costs[told.iterate]];
  return html`<p class="progress quiet">step ${told.iterate} of ${told.costs.length - 1} · cost ${Math.round((100 * now) / first)} % of the start's</p>`;
}

/** The roll-back slider: a stop for each iterate. */
function way({ model }: Studio): TemplateResult | typeof nothing {
  const { guiding } = model;
  const told = guiding.progress.value;
  if (!told || guiding.isRunning || told.costs.length < 2) return nothing;
  return html`<div class="setting">
    <span>Go back</span>
    <span class="walk">
      <input
        class="way"
        type="range"
        min="0"
        step="1"
        max=${told.costs.length - 1}
        .value=${String(told.iterate)}
        style="--share:${(100 * told.iterate) / (told.costs.length - 1)}%"
        aria-label="Iterate shown"
        title="Go back along the way that the run has come; steering goes on from there"
        @input=${(event: Event) => guiding.goTo(Number((event.target as HTMLInputElement).value))}
      />
      <output>${told.iterate}</output>
    </span>
  </div>`;
}
