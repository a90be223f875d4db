import { css, html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { HandSlider } from "../../elements/hand_slider";
import { keepFocus, StageBar } from "../../elements/stage_bar";
import type { Hand } from "../../model/hand";
import { AXES, type Axes, selectedChannels } from "../../model/posing";
import type { BlendPose } from "../../protocol/messages";

type How = NonNullable<BlendPose["how"]>;

/** A way to mix the pose on this frame: in per cent, from where to where, and where its slider rests. */
interface Way {
  how: How;
  label: string;
  does: string;
  least: number;
  most: number;
  rests: number;
}

const WAYS: readonly Way[] = [
  { how: "tween", label: "Breakdown", does: "between the key before (0 %) and the key after (100 %), and beyond", least: -30, most: 130, rests: 50 },
  { how: "push", label: "Push / relax", does: "farther from the straight way between its neighbours, or nearer to it", least: -100, most: 100, rests: 0 },
  { how: "neighbour", label: "To neighbour", does: "towards the key before (left) or after (right)", least: -100, most: 100, rests: 0 },
  { how: "rest", label: "To rest", does: "towards the pose at rest", least: 0, most: 100, rests: 0 },
  { how: "clip", label: "To another clip", does: "towards the pose of the other clip, as long after its beginning", least: 0, most: 100, rests: 0 },
];

/** What the pose tool works by, at the top of the viewport while it is chosen; and the breakdown slider. */
export class PoseBar extends StageBar {
  static override readonly styles = [
    ...StageBar.styles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        align-items: center;
        gap: 2px 8px;
      }
      .group {
        display: flex;
        align-items: center;
        gap: 3px;
        white-space: nowrap;
      }
      select {
        min-height: 22px;
        padding: 1px 2px;
      }
      .record[aria-pressed="true"] {
        color: var(--record);
      }
      input[type="range"] {
        width: 120px;
        accent-color: var(--accent);
      }
      output {
        min-width: 3.2em;
        color: var(--quiet);
        font: var(--mono);
      }
    `,
  ];
  static override readonly properties = { way: { state: true }, amount: { state: true } };
  declare private way: Way;
  declare private amount: number;
  private chosenClip = "";
  private readonly slider = new HandSlider(
    () => this.take(),
    (amount) => {
      this.amount = amount ?? this.way.rests;
    },
  );

  constructor(
    private readonly studio: Studio,
    /** Whether the tool is chosen. */
    isOn: () => boolean,
  ) {
    super(studio.model, isOn);
    [this.way, this.amount] = [WAYS[0], WAYS[0].rests];
  }

  /** A hand on the stage may go where it likes; the slider's own stays. */
  protected override get isBusy(): boolean {
    return super.isBusy && !this.slider.holds(this.model.hand.value);
  }

  protected override content(): TemplateResult {
    const { model } = this;
    const { autoKey, planted, symmetric, axes } = model.posing;
    return html`
      <div class="group" role="group" aria-label="How poses are made">
        ${this.toggle("auto-key", html`● Auto-key`, autoKey.value, "record")} ${this.toggle("planted", html`Feet stay`, planted.value)}
        ${this.toggle("symmetric", html`Mirror`, symmetric.value)}
        <select aria-label="Axes of the rings" title="About which axes rings turn (Shift+E for the next)" .value=${axes.value} @change=${this.turnAbout}>
          ${AXES.map((each) => html`<option value=${each} ?selected=${each === axes.value}>${AXES_WORDS[each]}</option>`)}
        </select>
        ${this.stiffness(model.scene.value?.stiffness_presets ?? [])}
      </div>
      <div class="group" role="group" aria-label="Breakdown">${this.blend()}</div>
    `;
  }

  private toggle(id: string, label: TemplateResult, on: boolean, kind = ""): TemplateResult {
    const { commands } = this.studio;
    return html`<button class="plain ${kind}" aria-pressed=${on} title=${commands.tooltip(id)} @mousedown=${keepFocus} @click=${() => commands.run(id)}>${label}</button>`;
  }

  private stiffness(presets: readonly string[]): TemplateResult {
    const set = (event: Event): void => {
      const field = event.target as HTMLSelectElement;
      void this.studio.model.ask({ type: "stiffen-as", preset: field.value });
      field.value = "";
    };
    return html`<select aria-label="Stiffness of the body" title="How stiff the parts of a body are: what gives way when one is pulled" @change=${set}>
      <option value="" selected hidden>Stiffness</option>
      ${presets.map((preset) => html`<option value=${preset}>${preset[0].toUpperCase()}${preset.slice(1)}</option>`)}
    </select>`;
  }

  private blend(): TemplateResult {
    const { way, amount } = this;
    return html`
      <select aria-label="What the pose slider does" title="What the slider beside it does" @change=${this.choose}>
        ${WAYS.filter(({ how }) => how !== "clip" || this.others.length > 0).map(({ how, label }) => html`<option value=${how} ?selected=${how === way.how}>${label}</option>`)}
      </select>
      ${way.how === "clip" ? this.clips() : nothing}
      <input
        type="range"
        aria-label=${way.label}
        title="${way.label}: the pose on this frame, ${way.does}; of what is selected, or of all"
        min=${way.least}
        max=${way.most}
        .value=${String(amount)}
        @input=${this.slider.move}
        @change=${this.slider.letGo}
        @keydown=${this.slider.cancel}
      />
      <output>${amount} %</output>
    `;
  }

  /** The clips that a pose may be led to. */
  private get others(): string[] {
    const { scene, clip } = this.studio.model;
    return (scene.value?.clips ?? []).filter((name) => name !== clip.value?.name);
  }

  /** The one that it is led to: the chosen one, while it is there. */
  private get other(): string {
    return this.others.find((name) => name === this.chosenClip) ?? this.others[0] ?? "";
  }

  private clips(): TemplateResult {
    const choose = (event: Event): void => {
      this.chosenClip = (event.target as HTMLSelectElement).value;
    };
    return html`<select aria-label="The other clip" title="The clip whose pose it is led to" @change=${choose}>
      ${this.others.map((name) => html`<option value=${name} ?selected=${name === this.other}>${name}</option>`)}
    </select>`;
  }

  private readonly turnAbout = (event: Event): void => {
    this.studio.model.posing.axes.value = (event.target as HTMLSelectElement).value as Axes;
  };

  private readonly choose = (event: Event): void => {
    this.way = WAYS.find(({ how }) => how === (event.target as HTMLSelectElement).value) ?? WAYS[0];
    this.amount = this.way.rests;
  };

  private take(): Hand {
    const { model, way } = this;
    const time = model.timeOf(model.playback.frame.value);
    const other = way.how === "clip" ? this.other : null;
    return model.take({ kind: "blend-pose", how: way.how, time, channels: selectedChannels(model), other, planted: model.posing.planted.value });
  }
}

const AXES_WORDS: Record<Axes, string> = { world: "World axes", local: "Own axes", gimbal: "Gimbal axes" };

customElements.define("ib-pose-bar", PoseBar);
