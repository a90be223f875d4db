import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { followPress } from "../../canvas/press";
import { inShownUnit, parse, type Quantity, withUnit } from "../../model/units";
import type { Holding } from "./holding";

/**
 * A number with its unit: drag sideways to scrub (Shift: ten times as fast, Ctrl: a tenth), click to type, Enter to set.
 * Without `hold` it is only typed, and `set` takes it; where it is `optional`, an empty field is null.
 */
class NumberField extends LitElement {
  static override properties = {
    value: { attribute: false },
    quantity: {},
    label: {},
    problem: {},
    step: { attribute: false },
    range: { attribute: false },
    optional: { type: Boolean },
  };

  value: number | null = null;
  quantity: Quantity = "number";
  label = "";
  /** Why the value is not as it should be; "" when it is. */
  problem = "";
  /** How much one pixel is, in the inner unit. */
  step = 0.01;
  /** Between which values the bar at the bottom runs; null: no bar. */
  range: [number, number] | null = null;
  optional = false;
  hold: (() => Holding) | null = null;
  set: ((value: number | null) => unknown) | null = null;
  private typing = false;
  private wrong = false;

  static override styles = css`
    :host {
      display: block;
      position: relative;
      min-width: 0;
    }
    input {
      box-sizing: border-box;
      width: 100%;
      height: 20px;
      padding: 0 4px;
      font: inherit;
      font-variant-numeric: tabular-nums;
      text-align: right;
      color: var(--text);
      background: var(--ground);
      border: 1px solid transparent;
      border-radius: 3px;
    }
    input:hover {
      border-color: var(--line);
    }
    input:focus {
      border-color: var(--accent);
      outline: none;
    }
    input::placeholder {
      color: var(--quiet);
    }
    input.scrubs:not(:focus) {
      cursor: ew-resize;
    }
    input.bad,
    input[aria-invalid="true"] {
      color: var(--bad);
    }
    .bar {
      position: absolute;
      left: 2px;
      right: 2px;
      bottom: 1px;
      height: 2px;
      border-radius: 1px;
      pointer-events: none;
      transform-origin: left;
      background: color-mix(in srgb, var(--accent) 70%, transparent);
    }
  `;

  protected override render(): TemplateResult {
    const unit = this.value === null ? "" : withUnit(this.value, this.quantity);
    const words = [this.label, unit].filter(Boolean).join(": ");
    const title = this.problem || (this.hold ? `${words}\nDrag sideways, or click to type` : words);
    const [low, high] = this.range ?? [0, 0];
    const share = this.range && this.value !== null ? Math.min(1, Math.max(0, (this.value - low) / (high - low))) : null;
    return html`
      <input
        type="text"
        inputmode="decimal"
        class="${this.hold ? "scrubs" : ""} ${this.problem ? "bad" : ""}"
        aria-label=${this.label}
        aria-invalid=${this.wrong}
        title=${title}
        placeholder=${this.optional ? "none" : nothing}
        @pointerdown=${this.onDown}
        @focus=${this.onFocus}
        @blur=${() => this.finish(true)}
        @input=${() => this.judge()}
        @keydown=${this.onKey}
      />
      ${share === null ? nothing : html`<div class="bar" style="transform:scaleX(${share.toFixed(4)})"></div>`}
    `;
  }

  // The text is set by hand: while somebody types, nothing may overwrite it.
  protected override updated(_changed: PropertyValues): void {
    const input = this.input;
    const text = this.shownText();
    if (!this.typing && input.value !== text) input.value = text;
  }

  private get input(): HTMLInputElement {
    return this.renderRoot.querySelector("input") as HTMLInputElement;
  }

  private shownText(): string {
    if (this.value === null) return "";
    const text = inShownUnit(this.value, this.quantity);
    // A limit is a round number that stays; a value that moves keeps its digits, or it would flicker.
    return this.optional && text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }

  private onFocus(): void {
    this.typing = true;
    this.input.select();
  }

  private judge(): void {
    const { value } = this.input;
    this.wrong = !(this.optional && value.trim() === "") && parse(value, this.quantity) === null;
    this.requestUpdate();
  }

  /** Stop typing; what was typed is set when it is a number and another one than was shown. */
  private finish(sets: boolean): void {
    if (!this.typing) return;
    const text = this.input.value;
    this.typing = this.wrong = false;
    if (sets && text !== this.shownText()) {
      const value = parse(text, this.quantity);
      if (value !== null) this.give(value);
      else if (this.optional && text.trim() === "") void this.set?.(null);
    }
    this.requestUpdate();
  }

  private give(value: number): void {
    if (!this.hold) return void this.set?.(value);
    const held = this.hold();
    held.move(value);
    void held.commit();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Escape") this.finish(false);
    else if (event.key === "Enter") this.finish(true);
    else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && this.value !== null && this.hold) {
      this.typing = false;
      const by = this.step * pace(event) * 4;
      this.give(this.value + (event.key === "ArrowUp" ? by : -by));
    } else return;
    event.preventDefault();
    if (event.key === "Escape" || event.key === "Enter") this.input.blur();
  }

  private onDown(event: PointerEvent): void {
    const from = this.value;
    if (event.button !== 0 || this.typing || !this.hold || from === null) return;
    // A press may become a scrub; only a click goes on to typing.
    event.preventDefault();
    const { input, hold } = this;
    followPress(input, event, {
      apart: (sideways) => Math.abs(sideways),
      begin: () => {
        const held = hold();
        let [x, value] = [event.clientX, from];
        const move = (now: PointerEvent): void => {
          value += (now.clientX - x) * this.step * pace(now);
          x = now.clientX;
          held.move(value);
        };
        return { move, commit: () => void held.commit(), cancel: () => void held.cancel() };
      },
      click: () => input.focus(),
    });
  }
}

function pace({ shiftKey, ctrlKey }: { shiftKey: boolean; ctrlKey: boolean }): number {
  return shiftKey ? 10 : ctrlKey ? 0.1 : 1;
}

customElements.define("ib-number", NumberField);
