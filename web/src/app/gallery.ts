import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { icon } from "../elements/icons";
import { keyed } from "../protocol/door";
import type { ExampleInfo, FileInfo, Files } from "../protocol/messages";
import { openBatch } from "./batch_dialog";
import { Dialog } from "./dialog";
import { OPENED, readableDate, readableSize } from "./file_names";
import { openExample, openFile } from "./files";
import { model } from "./studio";
import { takeIn } from "./upload";

/** Everything that can be opened: examples with their pictures, and the files of the project folder. */
@customElement("ib-gallery")
class Gallery extends Dialog<() => void> {
  static override styles = [
    ...Dialog.styles,
    css`
      :host {
        --dialog-width: 900px;
      }
      h3 {
        margin: 14px 0 8px;
        color: var(--quiet);
        font-size: 12px;
        font-weight: 600;
      }
      h3:first-child {
        margin-top: 0;
      }
      .examples {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(190px, 1fr));
        gap: 10px;
      }
      .example {
        display: flex;
        flex-direction: column;
        align-items: stretch;
        gap: 0;
        padding: 0;
        overflow: hidden;
        text-align: left;
      }
      .example img {
        display: block;
        width: 100%;
        aspect-ratio: 16 / 9;
        object-fit: cover;
        background: var(--ground);
      }
      .example span {
        padding: 6px 9px 7px;
      }
      b {
        font-weight: 600;
      }
      small {
        display: block;
        color: var(--quiet);
        font-size: 12px;
      }
      .files {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(270px, 1fr));
        gap: 4px 10px;
      }
      .file {
        min-width: 0;
        text-align: left;
      }
      .file span {
        flex: 1;
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .file small {
        white-space: nowrap;
      }
    `,
  ];

  protected override readonly heading = "Open";

  protected override content(): TemplateResult {
    const files = model.files.value;
    if (!files) return html`<p class="quiet">The server has not told what there is yet.</p>`;
    const recent = files.recent.map((path) => files.files.find((file) => file.path === path)).filter((file) => !!file);
    const others = files.files.filter((file) => !recent.includes(file));
    return html`
      ${files.batches.length > 0 ? html`<h3>Batches</h3>${this.batches(files)}` : nothing}
      ${recent.length > 0 ? html`<h3>Recent</h3>${this.list(recent)}` : nothing}
      <h3>Examples</h3>
      <div class="examples">${files.examples.map((each, i) => this.example(each, i === 0))}</div>
      <h3>${recent.length > 0 ? "Other files" : "Files"} in ${files.folder}</h3>
      ${
        others.length > 0
          ? this.list(others)
          : html`<p class="quiet">None${recent.length > 0 ? " besides" : " yet"}. Files dropped on the page are kept here.</p>`
      }
    `;
  }

  protected override buttons(): TemplateResult {
    const chosen = (event: Event): void => {
      const files = [...((event.target as HTMLInputElement).files ?? [])];
      if (files.length > 0) this.answer(() => void takeIn(files.map((file) => ({ path: file.name, file }))));
    };
    const browse = (): void => this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
    return html`
      <input type="file" hidden multiple accept="${OPENED.join(",")},.bin,.png,.jpg,.jpeg,.webp" @change=${chosen} />
      <button type="button" @click=${browse} title="A copy is kept in the project folder">From this computer…</button>
    `;
  }

  private batches({ batches, folder }: Files): TemplateResult {
    const button = (each: string): TemplateResult => html`
      <button type="button" class="file plain" title="All clips, with figures" @click=${() => this.answer(() => void openBatch(each))}>
        ${icon("file")}<span>${each || folder}</span><small>batch</small>
      </button>
    `;
    return html`<div class="files">${batches.map(button)}</div>`;
  }

  private list(files: readonly FileInfo[]): TemplateResult {
    const now = Date.now() / 1000;
    const button = (file: FileInfo): TemplateResult => html`
      <button
        type="button"
        class="file plain"
        title="${file.path}, ${readableSize(file.size)}"
        @click=${() => this.answer(() => void openFile(file.path))}
      >
        ${icon("file")}<span>${file.path}</span><small>${readableDate(file.modified, now)}</small>
      </button>
    `;
    return html`<div class="files">${files.map(button)}</div>`;
  }

  private example({ name, line, url }: ExampleInfo, first: boolean): TemplateResult {
    return html`
      <button type="button" class="example" ?autofocus=${first} @click=${() => this.answer(() => void openExample(name))}>
        <img src=${keyed(url)} alt="" loading="lazy" />
        <span><b>${name}</b><small>${line}</small></span>
      </button>
    `;
  }
}

/** Let the animator choose; what is chosen opens after the dialog has gone, because opening may ask a question. */
export async function openGallery(): Promise<void> {
  const act = await (document.createElement("ib-gallery") as Gallery).show();
  act?.();
}
