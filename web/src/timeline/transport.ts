import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { frameFrom, momentText } from "../canvas/frames";
import type { Studio } from "../commands/studio";
import { controls } from "../elements/controls";
import { follow } from "../elements/follow";
import { SignalElement } from "../elements/signal_element";
import { commonBeginning, shortened } from "../model/names";
import { Layers } from "./layers";
import { type SignName, sign } from "./transport_icons";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

/** Play, step, and say where we are; which clip is shown, and its layers. */
@customElement("ib-transport")
export class Transport extends SignalElement {
  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 2px;
        flex-wrap: wrap;
        min-height: 30px;
        padding: 0 6px;
        border-bottom: 1px solid var(--line);
        color: var(--text);
        font: var(--font);
        white-space: nowrap;
        overflow: hidden;
      }
      button {
        justify-content: center;
        padding: 0 5px;
        min-width: 25px;
        min-height: 24px;
      }
      svg {
        fill: currentColor;
        stroke-width: 1;
      }
      svg .line {
        fill: none;
        stroke-width: 1.5;
      }
      input:not([type="radio"]) {
        width: 54px;
        min-height: 22px;
        padding: 1px 5px;
        font: var(--mono);
        text-align: right;
      }
      select {
        min-height: 22px;
        max-width: 130px;
        padding: 1px 4px;
      }
      .reading {
        color: var(--quiet);
        font: var(--mono);
        min-width: 3em;
        flex: none;
      }
      .clips,
      ib-layers {
        flex: none;
        margin-left: auto;
      }
      .speed {
        width: 58px;
        padding: 1px 2px;
      }
      .record svg {
        fill: none;
      }
      .record[aria-pressed="true"] {
        border-color: transparent;
        background: none;
        color: var(--record);
      }
      .record[aria-pressed="true"] svg {
        fill: currentColor;
      }
      .rate {
        margin-right: 8px;
      }
      /* What the inspector tells as well gives way to what is used. */
      @container timeline (max-width: 800px) {
        .rate,
        .other {
          display: none;
        }
      }
      @container timeline (max-width: 680px) {
        .unit {
          display: none;
        }
      }
      .gap {
        width: 6px;
        flex: none;
      }
      button + ib-layers {
        margin-left: 4px;
      }
    `,
  ];

  private readonly layers: Layers;

  constructor(private readonly studio: Studio) {
    super();
    this.layers = new Layers(studio);
  }

  override render(): TemplateResult {
    const { playback, timeInSeconds } = this.studio.model;
    const forward = playback.playing.value && !playback.backward.value;
    const backward = playback.playing.value && playback.backward.value;
    return html`
      ${this.button("to-start")} ${this.button("previous-key")} ${this.button("previous-frame")}
      ${this.button("play-backward", backward ? "pause" : "play-backward", backward)}
      ${this.button("play", forward ? "pause" : "play", forward)} ${this.button("next-frame")} ${this.button("next-key")}
      ${this.button("to-end")} ${this.button("loop", "loop", playback.looping.value)} ${this.button("to-and-fro", "to-and-fro", playback.toAndFro.value)}
      <select class="speed" aria-label="Playback speed" title="Playback speed" @change=${this.onSpeed}>
        ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === playback.speed.value}>${speed}×</option>`)}
      </select>
      <span class="gap"></span>
      ${this.reading()}
      <button
        class="plain unit"
        title=${timeInSeconds.value ? "Times are in seconds; show frames" : "Times are in frames; show seconds"}
        @click=${() => this.studio.commands.run("time-in-seconds")}
      >
        ${timeInSeconds.value ? "seconds" : "frames"}
      </button>
      <span class="reading rate" title="Frames a second">${+playback.rate.toFixed(2)} fps</span>
      ${this.autoKey()}
      ${this.clips()}
      ${this.layers}
    `;
  }

  /** Where we are: a field in the unit chosen, and the other beside it. */
  private reading(): TemplateResult {
    const { model } = this.studio;
    const { playback, timeInSeconds, clip } = model;
    const { frame, frames } = playback;
    const grid = clip.value;
    if (!grid) return html``;
    const inSeconds = timeInSeconds.value;
    const last = momentText(this.studio.model.timeOf(frames - 1), grid, inSeconds);
    const other = (): string => (inSeconds ? `frame ${model.frameLabel(frame.value)}` : `${model.timeOf(frame.value).toFixed(2)} s`);
    const label = inSeconds ? "Current time in seconds" : "Current frame";
    return html`
      <input
        aria-label=${label}
        title="${label}; type to go there"
        inputmode="decimal"
        .value=${follow(() => this.written())}
        @focus=${(event: FocusEvent) => (event.target as HTMLInputElement).select()}
        @keydown=${this.onKey}
        @change=${this.onTyped}
      />
      <span class="reading">/ ${last}</span>
      <span class="gap"></span>
      <span class="reading other" title=${inSeconds ? "Frame" : "Seconds"}>${follow(other)}</span>
    `;
  }

  /** Red while poses key themselves, as everywhere. */
  private autoKey(): TemplateResult {
    const on = this.studio.model.posing.autoKey.value;
    return html`<button
      class="plain record"
      aria-pressed=${on}
      aria-label="Auto-key"
      title=${on ? "Auto-key is on: what a hand poses is keyed on this frame (Shift+A)" : "Auto-key is off: poses change only where they are keyed (Shift+A)"}
      @click=${() => this.studio.commands.run("auto-key")}
    >
      ${sign("record")}
    </button>`;
  }

  private clips(): TemplateResult | typeof nothing {
    const names = this.studio.model.scene.value?.clips ?? [];
    if (names.length === 0) return nothing;
    const shown = this.studio.model.clip.value?.name;
    return html`
      <select class="clips" aria-label="Clip" title="Which clip is shown" .value=${shown ?? ""} @change=${this.onClip}>
        ${names.map((name) => html`<option value=${name} ?selected=${name === shown}>${shortened(name, commonBeginning(names))}</option>`)}
      </select>
      <button class="plain" aria-label="New clip" title=${this.studio.commands.tooltip("clip-new")} @click=${() => this.studio.commands.run("clip-new")}>+</button>
    `;
  }

  private button(id: string, shown: SignName = id as SignName, pressed: boolean | null = null): TemplateResult {
    return html`
      <button
        class="plain"
        title=${this.studio.commands.tooltip(id)}
        aria-label=${this.studio.commands.get(id).label}
        aria-pressed=${pressed === null ? nothing : pressed}
        aria-disabled=${!this.studio.commands.can(id)}
        @click=${() => this.studio.commands.run(id)}
      >
        ${sign(shown)}
      </button>
    `;
  }

  private readonly onSpeed = (event: Event): void => {
    this.studio.model.playback.pace(Number((event.target as HTMLSelectElement).value));
  };

  private readonly onClip = (event: Event): void => {
    this.studio.model.playback.pause();
    void this.studio.model.ask({ type: "show-clip", clip: (event.target as HTMLSelectElement).value });
  };

  private readonly onTyped = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    const frame = this.studio.model.clip.value && frameFrom(field.value, this.studio.model.clip.value, this.studio.model.timeInSeconds.value);
    if (frame !== null) {
      this.studio.model.playback.pause();
      this.studio.model.playback.go(frame);
    }
    // What is no number, or lies outside the clip, gives way to where we are.
    this.requestUpdate();
    void this.updateComplete.then(() => (field.value = this.written()));
  };

  private written(): string {
    const { frame } = this.studio.model.playback;
    return this.studio.model.timeInSeconds.value ? this.studio.model.timeOf(frame.value).toFixed(2) : String(this.studio.model.frameLabel(frame.value));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Enter" || event.key === "Escape") (event.target as HTMLInputElement).blur();
  }
}
