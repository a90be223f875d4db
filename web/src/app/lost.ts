import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { SignalElement } from "../elements/signal_element";
import { onChange } from "../model/changes";
import { keyed } from "../protocol/door";
import { commands, model } from "./studio";

/** While the server does not answer: a banner, and a page that can be seen but not used. */
@customElement("ib-lost")
export class Lost extends SignalElement {
  static override styles = [
    controls,
    css`
      div {
        position: fixed;
        z-index: 50;
        top: 48px;
        left: 50%;
        max-width: min(620px, calc(100vw - 32px));
        padding: 9px 16px;
        transform: translateX(-50%);
        border: 1px solid var(--warn);
        border-radius: var(--radius);
        background: var(--raised);
        box-shadow: 0 6px 24px rgb(0 0 0 / 50%);
      }
    `,
  ];

  @state() private shutOut = false;
  private speak: (() => void) | null = null;
  private probing = 0;
  private wasLost = false;

  constructor() {
    super();
    onChange(model.connection.state, (now) => (now === "lost" ? this.lose() : now === "open" ? this.find() : undefined));
    onChange(model.welcome, () => {
      if (this.wasLost) model.notices.add("info", "Reconnected");
      this.wasLost = false;
    });
  }

  override render(): TemplateResult | typeof nothing {
    if (model.connection.state.value !== "lost") return nothing;
    const text = this.shutOut
      ? "The Studio does not know this browser any more; your committed work is safe. Open the address that the terminal shows."
      : "The Studio's server is not running; your committed work is safe. Reconnecting…";
    return html`<div role="alert">${text}</div>`;
  }

  private lose(): void {
    this.wasLost = true;
    this.speak ??= commands.hush();
    void model.hand.value?.cancel();
    model.playback.playing.value = false;
    for (const part of this.parts()) part.inert = true;
    if (this.probing === 0) this.probing = window.setInterval(() => void this.probe(), 2000);
  }

  private find(): void {
    this.speak?.();
    this.speak = null;
    this.shutOut = false;
    clearInterval(this.probing);
    this.probing = 0;
    for (const part of this.parts()) part.inert = false;
  }

  /** A socket does not tell why it was refused; a plain request does. */
  private async probe(): Promise<void> {
    const answer = await fetch(keyed("/door"), { cache: "no-store" }).catch(() => null);
    this.shutOut = answer?.status === 403;
  }

  private parts(): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>("ib-bar, main")];
  }
}
