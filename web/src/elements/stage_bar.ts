import { css, nothing, type TemplateResult } from "lit";
import type { Model } from "../model/model";
import { controls } from "./controls";
import { SignalElement } from "./signal_element";

/** A strip of small controls over the stage, through which a little of what is below is seen; there while it is on. */
export abstract class StageBar extends SignalElement {
  static override styles = [
    controls,
    css`
      :host {
        position: absolute;
        inset: 6px 8px auto;
        margin-inline: auto;
        width: fit-content;
        padding: 3px 8px;
        border: 1px solid var(--line);
        border-radius: calc(var(--radius) + 3px);
        background: color-mix(in srgb, var(--panel) 92%, transparent);
        font-size: 12px;
        z-index: 2;
      }
      :host([hidden]) {
        display: none;
      }
      /* While a hand moves something, it may go where it likes. */
      :host([busy]) {
        pointer-events: none;
        opacity: 0.25;
      }
      button {
        min-height: 22px;
        padding: 1px 5px;
      }
    `,
  ];

  constructor(
    protected readonly model: Model,
    private readonly isOn: () => boolean,
  ) {
    super();
    for (const type of ["pointerdown", "wheel"]) this.addEventListener(type, (event) => event.stopPropagation());
  }

  /** Whether a hand moves something, which may go where it likes. */
  protected get isBusy(): boolean {
    return this.model.hand.value !== null;
  }

  protected abstract content(): TemplateResult;

  protected override render(): unknown {
    this.hidden = !this.isOn();
    this.toggleAttribute("busy", this.isBusy);
    return this.hidden ? nothing : this.content();
  }
}

/** A click must not take the keyboard away from the viewport. */
export function keepFocus(event: Event): void {
  event.preventDefault();
}
