import { html, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { hitOrMiss, isHit } from "../../model/target_words";
import type { AimInfo } from "../../protocol/messages";
import { glyphs } from "../glyphs";

/** All targets with how far they are missed, what makes new ones, and Solve. */
export function targets(studio: Studio): TemplateResult {
  const { commands, model } = studio;
  const { loosening } = model;
  const aims = loosening.targets;
  return html`
    ${aims.length > 0 ? html`<ul class="targets" aria-label="Targets">${aims.map((each) => line(studio, each))}</ul>` : html`<p class="quiet">Where loose motion has to be at a time. X, then click an arc or the body.</p>`}
    <div class="makers">
      <button class="add-target" ?disabled=${!commands.can("target-add")} title=${commands.reason("target-add") || "The selected point shall be here now, where it is keyed (Shift+X)"} @click=${() => commands.run("target-add")}>Add here</button>
      <button class="add-pose" ?disabled=${!commands.can("target-pose")} title=${commands.reason("target-pose") || "The whole body shall be here now as it is keyed"} @click=${() => commands.run("target-pose")}>Add pose</button>
      ${solving(studio)}
    </div>
  `;
}

/** Solve, or how far it is and a way to stop it. */
export function solving({ commands, model }: Studio): TemplateResult {
  const job = model.runningJob("Solve for");
  if (job) {
    const percent = job.progress === null ? "" : ` ${Math.round(100 * job.progress)} %`;
    return html`<button class="run solve" title="Stop; nothing changes" @click=${() => model.ask({ type: "cancel-job", job: job.job })}>Stop${percent}</button>`;
  }
  const reason = commands.reason("targets-solve");
  return html`<button class="run solve" ?disabled=${reason !== ""} title=${reason || "Find the corrections with which all targets that are on are hit; each becomes a layer, no key changes (Ctrl+Enter)"} @click=${() => commands.run("targets-solve")}>Solve</button>`;
}

function line({ model }: Studio, { name, on, target }: AimInfo): TemplateResult {
  const { loosening } = model;
  const state = loosening.stateOf(name);
  const frame = Math.round(10 * model.frameLabel(model.frameOf(target.time))) / 10;
  const words = on ? hitOrMiss(state) : "off";
  return html`<li class="${on ? "" : "off"} ${loosening.chosen.value === name ? "chosen" : ""}">
    <i class="dot target" title="target"></i>
    <button class="bare name" title="Choose ${name}, and go to frame ${frame}" @click=${() => loosening.choose(name)}>
      <span>${name}</span><small class="quiet">${frame}</small>
    </button>
    <small class="reads ${isHit(state) ? "hit" : ""}" title=${words}>${shortly(words)}</small>
    <button class="switch" role="switch" aria-checked=${on} aria-label="${name} is on" title=${on ? `Do not solve for ${name}` : `Solve for ${name}`} @click=${() => model.ask({ type: "switch-target", name, on: !on })}></button>
    <button class="bare" title="Delete ${name} and its correction" aria-label="Delete ${name}" @click=${() => model.ask({ type: "remove-target", name })}>${glyphs.bin}</button>
  </li>`;
}

/** The first thing that is missed, short enough to stand beside a name; the chosen target tells all. */
function shortly(words: string): string {
  return words.replace("misses by ", "− ").split(", ")[0];
}
