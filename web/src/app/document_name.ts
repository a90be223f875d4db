import { css, html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { SignalElement } from "../elements/signal_element";
import { isUnsaved } from "./document_state";
import { model } from "./studio";

/** The document's name, starred while it has changes that no file has; a double click renames it. */
@customElement("ib-document-name")
export class DocumentName extends SignalElement {
  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        padding-left: 12px;
        border-left: 1px solid var(--line);
      }
      .name {
        max-width: clamp(120px, 14vw, 420px);
        overflow: hidden;
        font-weight: 600;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .star {
        color: var(--warn);
      }
      input {
        width: 180px;
      }
      /* A longer name would push the end of the bar into a second row. */
      @media (max-width: 1400px) {
        :host {
          padding-left: 8px;
        }
        .name {
          max-width: 100px;
        }
        input {
          width: 100px;
        }
      }
    `,
  ];

  @state() private editing = false;

  override render(): TemplateResult {
    const name = model.scene.value?.name ?? "";
    if (this.editing) {
      return html`<input
        aria-label="Name of the document"
        maxlength="180"
        spellcheck="false"
        .value=${name}
        @keydown=${this.onKey}
        @blur=${() => (this.editing = false)}
      />`;
    }
    const unsaved = isUnsaved(model.history.value);
    const where = model.files.value?.path ?? "not saved as a file yet";
    const state = unsaved ? "Changes are kept on disk, but not in a file yet: Ctrl+S saves them. " : "";
    return html`<span
      class="name"
      title="${name}: ${where}. ${state}Double-click to rename"
      aria-label="${name}${unsaved ? ", not saved" : ""}"
      @dblclick=${this.edit}
      >${name}</span
    ><span class="star" aria-hidden="true">${unsaved ? "*" : ""}</span>`;
  }

  /** The browser's tab says the same. */
  override updated(): void {
    const name = model.scene.value?.name;
    document.title = name ? `${name}${isUnsaved(model.history.value) ? "*" : ""} · Inbetweener` : "Inbetweener";
  }

  private async edit(): Promise<void> {
    this.editing = true;
    await this.updateComplete;
    this.renderRoot.querySelector("input")?.select();
  }

  private onKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    const name = (event.target as HTMLInputElement).value.trim();
    this.editing = false;
    if (event.key === "Enter" && name && name !== model.scene.value?.name) void model.ask({ type: "rename-document", name });
  }
}
