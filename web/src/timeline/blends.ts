import { css, html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { Studio } from "../commands/studio";
import { controls } from "../elements/controls";
import { SignalElement } from "../elements/signal_element";
import type { Hand } from "../model/hand";
import { selectedChannels } from "../model/posing";
import type { BlendPose } from "../protocol/messages";

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
];

/** The breakdown slider: drag, and the pose on this frame follows; of the selected joints, or of all. */
@customElement("ib-blends")
export class Blends extends SignalElement {
  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 4px;
        margin-left: 4px;
      }
      select {
        min-height: 22px;
        padding: 1px 2px;
      }
      input[type="range"] {
        width: 110px;
        accent-color: var(--accent);
      }
      output {
        min-width: 3.6em;
        color: var(--quiet);
        font: var(--mono);
      }
      @media (max-width: 1400px) {
        input[type="range"] {
          width: 80px;
        }
        output {
          display: none;
        }
      }
    `,
  ];
  @state() private way = WAYS[0];
  @state() private amount = WAYS[0].rests;
  private hand: Hand | null = null;

  constructor(private readonly studio: Studio) {
    super();
  }

  override render(): TemplateResult {
    const { way, amount } = this;
    return html`
      <select aria-label="What the pose slider does" title="What the slider beside it does" @change=${this.choose}>
        ${WAYS.map(({ how, label }) => html`<option value=${how} ?selected=${how === way.how}>${label}</option>`)}
      </select>
      <input
        type="range"
        aria-label=${way.label}
        title="${way.label}: the pose on this frame, ${way.does}; of what is selected, or of all"
        min=${way.least}
        max=${way.most}
        .value=${String(amount)}
        @input=${this.move}
        @change=${this.letGo}
        @keydown=${this.cancel}
      />
      <output>${amount} %</output>
    `;
  }

  private readonly choose = (event: Event): void => {
    this.way = WAYS.find(({ how }) => how === (event.target as HTMLSelectElement).value) ?? WAYS[0];
    this.amount = this.way.rests;
  };

  private readonly move = (event: Event): void => {
    const { model } = this.studio;
    this.amount = (event.target as HTMLInputElement).valueAsNumber;
    if (!this.hand || this.hand.isOver) {
      const time = model.timeOf(model.playback.frame.value);
      this.hand = model.take({ kind: "blend-pose", how: this.way.how, time, channels: selectedChannels(model) });
    }
    this.hand.move(this.amount / 100);
  };

  private readonly letGo = (): void => {
    void this.hand?.commit();
    this.rest();
  };

  private readonly cancel = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !this.hand) return;
    void this.hand.cancel();
    this.rest();
  };

  private rest(): void {
    this.hand = null;
    this.amount = this.way.rests;
  }
}
