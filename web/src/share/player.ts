import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { follow } from "../elements/follow";
import { SignalElement } from "../elements/signal_element";
import type { Model } from "../model/model";
import { commonBeginning, shortened } from "../model/names";
import { placeName, type SelectedPoint } from "../model/selection";

/** Below the picture: play, go anywhere, choose clip and motion curves. */
@customElement("ib-player")
export class Player extends SignalElement {
  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 8px;
        padding: 8px 12px;
        background: var(--panel);
        border-top: 1px solid var(--line);
        white-space: nowrap;
      }
      .name {
        max-width: 30ch;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      input {
        flex: 1 1 160px;
        min-width: 80px;
        accent-color: var(--accent);
      }
      .time {
        font: var(--mono);
        color: var(--quiet);
        min-width: 9ch;
        text-align: right;
      }
      select {
        max-width: 24ch;
        min-height: 26px;
      }
      .play {
        min-width: 68px;
        justify-content: center;
      }
    `,
  ];

  constructor(
    private readonly model: Model,
    private readonly arcs: readonly SelectedPoint[],
  ) {
    super();
  }

  override render(): TemplateResult {
    const { playback, scene, clip } = this.model;
    const names = scene.value?.clips ?? [];
    const time = (): string => `${this.model.timeOf(playback.frame.value).toFixed(2)} s`;
    return html`
      <strong class="name" title=${scene.value?.name ?? ""}>${scene.value?.name}</strong>
      <button class="play" @click=${() => playback.toggle()}>${playback.playing.value ? "Pause" : "Play"}</button>
      <input
        type="range"
        aria-label="Frame"
        min="0"
        max=${playback.frames - 1}
        .value=${follow(() => String(playback.frame.value))}
        @input=${(event: Event) => this.go(Number((event.target as HTMLInputElement).value))}
      />
      <span class="time">${follow(time)}</span>
      ${
        names.length < 2
          ? nothing
          : html`<select aria-label="Clip" @change=${(event: Event) => this.show((event.target as HTMLSelectElement).value)}>
              ${names.map((name) => html`<option value=${name} ?selected=${name === clip.value?.name}>${shortened(name, commonBeginning(names))}</option>`)}
            </select>`
      }
      ${this.arcs.map((point) => this.toggle(point))}
    `;
  }

  private toggle(point: SelectedPoint): TemplateResult {
    const { points } = this.model.selection;
    const on = points.value.includes(point);
    const others = points.value.filter((each) => each !== point);
    return html`<button aria-pressed=${on} title="Motion curve of ${placeName(point.place)}" @click=${() => (points.value = on ? others : [...others, point])}>
      ${placeName(point.place)}
    </button>`;
  }

  private go(frame: number): void {
    this.model.playback.pause();
    this.model.playback.go(frame);
  }

  private show(clip: string): void {
    const playing = this.model.playback.playing.value;
    void this.model.ask({ type: "show-clip", clip }).then(() => playing && this.model.playback.play());
  }
}
