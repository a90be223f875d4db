import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { Dialog } from "./dialog";

/** A way to answer a question; the primary one is what Enter does. */
interface Choice<Id extends string> {
  id: Id;
  label: string;
  primary?: boolean;
}

/** A question with a few answers. */
@customElement("ib-question")
class Question extends Dialog<string> {
  heading = "";
  text = "";
  more = "";
  choices: readonly Choice<string>[] = [];

  protected override content(): TemplateResult {
    return html`<p>${this.text}</p>
      ${this.more ? html`<p class="quiet">${this.more}</p>` : nothing}`;
  }

  protected override buttons(): TemplateResult {
    const button = ({ id, label, primary }: Choice<string>): TemplateResult => html`
      <button
        type="button"
        class=${primary ? "primary" : nothing}
        ?autofocus=${primary}
        @click=${() => this.answer(id)}
      >
        ${label}
      </button>
    `;
    return html`${this.choices.map(button)}`;
  }
}

/** Ask; null when the animator would rather not say (Escape), which every caller takes as "leave it". */
export function ask<Id extends string>(heading: string, text: string, choices: readonly Choice<Id>[], more = ""): Promise<Id | null> {
  const question = Object.assign(document.createElement("ib-question") as Question, { heading, text, more, choices });
  return question.show() as Promise<Id | null>;
}

/** A question for a name. */
@customElement("ib-name-question")
class NameQuestion extends Dialog<string> {
  static override styles = [
    ...Dialog.styles,
    css`
      label {
        display: grid;
        gap: 5px;
      }
    `,
  ];

  heading = "";
  label = "";
  name = "";
  more = "";
  override verb = "";

  protected override content(): TemplateResult {
    return html`
      <label>${this.label}<input autofocus required maxlength="180" spellcheck="false" .value=${this.name} /></label>
      ${this.more ? html`<p class="quiet"><br />${this.more}</p>` : nothing}
    `;
  }

  protected override submit(): void {
    const name = (this.renderRoot.querySelector("input") as HTMLInputElement).value.trim();
    if (name) this.answer(name);
  }
}

/** Ask for a name; null when there shall be none. */
export function askName(words: Pick<NameQuestion, "heading" | "label" | "name" | "more" | "verb">): Promise<string | null> {
  return Object.assign(document.createElement("ib-name-question") as NameQuestion, words).show();
}
