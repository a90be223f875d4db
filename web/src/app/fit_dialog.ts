import { css, html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { FitKeys } from "../protocol/messages";
import { Dialog } from "./dialog";
import { model } from "./studio";

type Wanted = Pick<FitKeys, "tolerance" | "poses" | "align">;
type Align = NonNullable<FitKeys["align"]>;

const ALIGNS: readonly { align: Align; line: string }[] = [
  { align: "channel", line: "every channel by itself: fewest keys" },
  { align: "joint", line: "the channels of a joint together" },
  { align: "body", line: "all channels together, as poses" },
];

/** How few keys dense motion gets: by how far joints may move, or by how many poses; with a count before it is done. */
@customElement("ib-fit")
class FitDialog extends Dialog<Wanted> {
  static override styles = [
    ...Dialog.styles,
    css`
      :host {
        --dialog-width: 480px;
      }
      .fields {
        display: grid;
        grid-template-columns: 90px 1fr;
        align-items: center;
        gap: 8px 10px;
      }
      input[type="number"] {
        width: 80px;
      }
      label {
        display: flex;
        align-items: center;
        gap: 7px;
      }
      .count {
        min-height: 2.6em;
        margin: 12px 0 0;
      }
    `,
  ];

  protected override readonly heading = "Fit keys to dense motion";
  @state() private byPoses = false;
  @state() private align: Align = "channel";
  @state() private counted = "";

  protected override content(): TemplateResult {
    return html`
      <div class="fields">
        <label><input type="radio" name="how" ?checked=${!this.byPoses} @change=${() => this.choose(false)} />Within</label>
        <label><input id="tolerance" autofocus type="number" min="0.01" max="100" step="any" value="0.5" ?disabled=${this.byPoses} @input=${this.outdate} />cm of where every joint is</label>
        <label><input type="radio" name="how" ?checked=${this.byPoses} @change=${() => this.choose(true)} />About</label>
        <label><input id="poses" type="number" min="2" max="10000" value="12" ?disabled=${!this.byPoses} @input=${this.outdate} />poses, as near as they lead</label>
        <span>Aligned</span>
        <select id="align" .value=${this.align} @change=${this.realign}>
          ${ALIGNS.map(({ align, line }) => html`<option value=${align} ?selected=${align === this.align}>${line}</option>`)}
        </select>
      </div>
      <p class="quiet count" role="status">${this.counted || "What contacts hold stays planted."}</p>
    `;
  }

  protected override buttons(): TemplateResult {
    const busy = model.runningJob("Count keys") !== null;
    return html`
      <button type="button" @click=${() => this.answer(null)}>Cancel</button>
      <button type="button" ?disabled=${busy} title="Say how many keys that would be; nothing is changed" @click=${this.count}>${busy ? "Counting…" : "Count keys"}</button>
      <button class="primary">Fit</button>
    `;
  }

  protected override submit(): void {
    const wanted = this.wanted();
    if (wanted) this.answer(wanted);
  }

  private choose(byPoses: boolean): void {
    this.byPoses = byPoses;
    this.align = byPoses ? "body" : "channel";
    this.outdate();
  }

  private readonly realign = (event: Event): void => {
    this.align = (event.target as HTMLSelectElement).value as Align;
    this.outdate();
  };

  private readonly outdate = (): void => {
    this.counted = "";
  };

  private readonly count = async (): Promise<void> => {
    const wanted = this.wanted();
    if (!wanted) return;
    this.counted = "Counting…";
    this.counted = (await model.ask({ type: "fit-keys", ...wanted, keep: false })) ?? "";
  };

  /** Null where a field holds no number that will do, which it says itself. */
  private wanted(): Wanted | null {
    const field = this.renderRoot.querySelector(this.byPoses ? "#poses" : "#tolerance") as HTMLInputElement;
    if (!field.reportValidity()) return null;
    return this.byPoses ? { poses: Math.round(field.valueAsNumber), align: this.align } : { tolerance: field.valueAsNumber / 100, align: this.align };
  }
}

/** Ask how few keys it shall be, and fit them. */
export async function openFit(): Promise<void> {
  const wanted = await (document.createElement("ib-fit") as FitDialog).show();
  if (!wanted) return;
  model.selection.keys.value = [];
  await model.ask({ type: "fit-keys", ...wanted });
}
