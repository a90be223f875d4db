import { css, html, type TemplateResult } from "lit";
import { controls } from "../elements/controls";
import { icon } from "../elements/icons";
import { SignalElement } from "../elements/signal_element";
import { commands } from "./studio";

/** A modal dialog on the native one: Escape and the cross answer null, the focus goes back to where it was. */
export abstract class Dialog<Answer> extends SignalElement {
  static override styles = [
    controls,
    css`
      dialog {
        zoom: var(--scale);
        width: min(var(--dialog-width, 440px), calc((100vw - 32px) / var(--scale)));
        max-height: calc((100vh - 48px) / var(--scale));
        padding: 0;
        border: 1px solid var(--line);
        border-radius: 8px;
        background: var(--panel);
        color: var(--text);
        font: var(--font);
        box-shadow: 0 16px 60px rgb(0 0 0 / 55%);
        overflow: hidden;
      }
      dialog[open] {
        display: flex;
        flex-direction: column;
      }
      dialog::backdrop {
        background: rgb(8 9 12 / 60%);
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 12px;
        padding: 10px 10px 8px 16px;
        border-bottom: 1px solid var(--line);
      }
      h2 {
        margin: 0;
        font-size: 15px;
        font-weight: 600;
      }
      form {
        display: contents;
      }
      .content {
        min-height: 0;
        padding: 14px 16px;
        overflow-y: auto;
      }
      footer {
        display: flex;
        justify-content: flex-end;
        flex-wrap: wrap;
        gap: 8px;
        padding: 10px 16px 14px;
      }
      footer:empty {
        display: none;
      }
      p {
        margin: 0 0 10px;
      }
      .quiet {
        color: var(--quiet);
      }
    `,
  ];

  protected abstract readonly heading: string;
  private settle: (answer: Answer | null) => void = () => {};
  private listen: () => void = () => {};

  /** Show it and wait for the answer; null when it was closed without one. */
  async show(): Promise<Answer | null> {
    const before = deepFocus();
    document.body.append(this);
    await this.updateComplete;
    this.listen = commands.hush();
    this.native.showModal();
    return new Promise((resolve) => {
      this.settle = (answer) => {
        resolve(answer);
        before?.focus({ preventScroll: true });
      };
    });
  }

  /** Close it with an answer. */
  answer(answer: Answer | null): void {
    this.listen();
    this.native.close();
    this.remove();
    this.settle(answer);
  }

  protected abstract content(): TemplateResult;

  /** What its answer does, as its button says it; none where it has buttons of its own, or needs none. */
  protected readonly verb: string = "";

  protected buttons(): TemplateResult {
    if (!this.verb) return html``;
    return html`
      <button type="button" @click=${() => this.answer(null)}>Cancel</button>
      <button class="primary">${this.verb}</button>
    `;
  }

  private get native(): HTMLDialogElement {
    return this.renderRoot.querySelector("dialog") as HTMLDialogElement;
  }

  override render(): TemplateResult {
    const cancel = (event: Event): void => {
      event.preventDefault();
      this.answer(null);
    };
    const keydown = (event: KeyboardEvent): void => {
      event.stopPropagation();
      // A search field would keep the first Escape to empty itself.
      if (event.key === "Escape") cancel(event);
    };
    const submit = (event: Event): void => {
      event.preventDefault();
      this.submit();
    };
    return html`
      <dialog aria-labelledby="heading" @cancel=${cancel} @keydown=${keydown}>
        <header>
          <h2 id="heading">${this.heading}</h2>
          <button class="plain" aria-label="Close" title="Close (Esc)" @click=${cancel}>${icon("close")}</button>
        </header>
        <form method="dialog" @submit=${submit}>
          <div class="content">${this.content()}</div>
          <footer>${this.buttons()}</footer>
        </form>
      </dialog>
    `;
  }

  /** Enter in a field, or a button of type submit. */
  protected submit(): void {}
}

/** The focused element, looked for inside shadow roots as well. */
function deepFocus(): HTMLElement | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found instanceof HTMLElement && found !== document.body ? found : null;
}
