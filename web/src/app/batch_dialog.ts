import { signal } from "@preact/signals-core";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { styleMap } from "lit/directives/style-map.js";
import { icon } from "../elements/icons";
import { keyed } from "../protocol/door";
import type { Batch, BatchClip } from "../protocol/messages";
import { atFirst, columns, counts, FILTERS, type Filter, figures, type Looking, readableFigure, readableValue, rows } from "./batch_rows";
import { Dialog } from "./dialog";
import { openFile } from "./files";
import { model } from "./studio";

/** Rows that are put on the page at a time: more would make typing into the search field slow. */
const SOME = 200;

/** How the table was looked at last, so that it is as it was after a clip has been fixed; by the batch's folder. */
const looking = signal<(Looking & { folder: string }) | null>(null);

/** The clips of a batch: figures that sort, filters, pictures that play under the pointer; a click opens one. */
@customElement("ib-batch")
class BatchDialog extends Dialog<() => void> {
  static override styles = [
    ...Dialog.styles,
    css`
      :host {
        --dialog-width: 1180px;
      }
      .content {
        display: flex;
        flex-direction: column;
        gap: 10px;
        height: calc(100vh - 150px);
        padding-bottom: 0;
        overflow: hidden;
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px;
      }
      .bar input {
        width: 200px;
      }
      .bar label {
        display: flex;
        align-items: center;
        gap: 6px;
        margin-left: auto;
        color: var(--quiet);
      }
      .bar select {
        max-width: 220px;
      }
      .bar small {
        color: var(--quiet);
      }
      .about {
        margin: 0;
      }
      .table {
        flex: 1;
        min-height: 0;
        margin: 0 -16px;
        padding: 0 16px;
        overflow: auto;
      }
      table {
        width: 100%;
        border-collapse: collapse;
      }
      th {
        position: sticky;
        top: 0;
        z-index: 1;
        padding: 0;
        background: var(--panel);
        box-shadow: inset 0 -1px var(--line);
        color: var(--quiet);
        font-size: 12px;
        font-weight: 600;
      }
      th button {
        width: 100%;
        padding-inline: 8px;
        justify-content: flex-end;
        white-space: nowrap;
        font-weight: inherit;
      }
      th.name button {
        justify-content: flex-start;
      }
      td {
        padding: 4px 8px;
        border-bottom: 1px solid var(--raised);
        text-align: right;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      th.mark {
        padding-right: 8px;
      }
      td.picture {
        width: 64px;
        padding-left: 0;
      }
      td.name,
      th.name {
        text-align: left;
      }
      td.name {
        max-width: 0;
        width: 100%;
        white-space: normal;
      }
      td.name button {
        max-width: 100%;
        padding-inline: 0;
        font-weight: 600;
      }
      td.name button span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      td.name button:hover:not([aria-disabled="true"]) {
        background: none;
        text-decoration: underline;
      }
      td.name small {
        display: -webkit-box;
        overflow: hidden;
        color: var(--quiet);
        font-size: 12px;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
      }
      tr.failed td.name small {
        color: var(--bad-text);
      }
      tr.short td.name small {
        color: var(--warn);
      }
      tr.done {
        color: var(--dim);
      }
      tr[aria-current="true"] {
        background: color-mix(in srgb, var(--accent) 14%, var(--panel));
      }
      .still {
        width: 64px;
        height: 64px;
        overflow: hidden;
        border-radius: 4px;
        background: var(--ground);
      }
      .still img {
        display: block;
        width: calc(var(--moments) * 64px);
        height: 64px;
        object-fit: cover;
      }
      .still img.one {
        object-fit: contain;
      }
      tr:hover .still img:not(.one) {
        animation: play calc(var(--moments) * 125ms) steps(var(--moments), jump-none) infinite;
      }
      @keyframes play {
        to {
          transform: translateX(calc(64px - 100%));
        }
      }
      .more {
        padding: 10px 0 14px;
      }
    `,
  ];

  folder = "";
  @state() private shown = SOME;

  protected override get heading(): string {
    const batch = this.batch;
    return batch ? `Clips of ${batch.recipe}` : "Clips of a batch";
  }

  private get batch(): Batch | null {
    const batch = model.batch.value;
    return batch?.folder === this.folder ? batch : null;
  }

  private look(batch: Batch, change: Partial<Looking>): void {
    looking.value = { ...this.looking(batch), ...change, folder: batch.folder };
    this.shown = SOME;
  }

  private looking(batch: Batch): Looking {
    return looking.value?.folder === batch.folder ? looking.value : atFirst(batch);
  }

  protected override content(): TemplateResult {
    const batch = this.batch;
    if (!batch) return html`<p class="quiet" role="status">Reading what the batch made…</p>`;
    const look = this.looking(batch);
    const found = rows(batch, look);
    const names = columns(batch, look);
    return html`
      ${batch.about ? html`<p class="quiet about">${batch.about}</p>` : nothing}
      <div class="bar">
        <input
          type="search"
          autofocus
          aria-label="Search clips"
          placeholder="Name or problem"
          .value=${look.text}
          @input=${(event: Event) => this.look(batch, { text: (event.target as HTMLInputElement).value })}
        />
        ${this.filters(batch, look)}
        <small role="status">${found.length.toLocaleString("en")} shown</small>
        <label
          >Sort by
          <select aria-label="Sort by" @change=${(event: Event) => this.look(batch, { by: (event.target as HTMLSelectElement).value, up: false })}>
            <option value="" ?selected=${look.by === ""}>name</option>
            ${figures(batch).map((name) => html`<option value=${name} ?selected=${name === look.by}>${readableFigure(name)}</option>`)}
          </select></label
        >
      </div>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th></th>
              ${this.head(batch, look, "")}
              ${names.map((name) => this.head(batch, look, name))}
              <th class="mark">Done</th>
            </tr>
          </thead>
          <tbody>
            ${found.slice(0, this.shown).map((clip) => this.row(clip, names))}
          </tbody>
        </table>
        ${
          found.length > this.shown
            ? html`<div class="more"><button type="button" @click=${() => (this.shown += SOME)}>Show ${Math.min(SOME, found.length - this.shown)} more of ${found.length - this.shown}</button></div>`
            : nothing
        }
      </div>
    `;
  }

  private filters(batch: Batch, look: Looking): TemplateResult {
    const many = counts(batch);
    const button = (name: Filter): TemplateResult => html`
      <button type="button" class="plain" role="radio" aria-checked=${look.filter === name} @click=${() => this.look(batch, { filter: name })}>
        ${FILTERS[name].label} ${many[name].toLocaleString("en")}
      </button>
    `;
    const shown = (Object.keys(FILTERS) as Filter[]).filter((name) => name === "all" || name === look.filter || many[name] > 0);
    return html`<div class="bar" role="radiogroup" aria-label="Which clips">${shown.map(button)}</div>`;
  }

  private head(batch: Batch, look: Looking, name: string): TemplateResult {
    const sorted = look.by === name;
    // What a table of figures is looked at for is the largest, what a list of names for is the first.
    const turn = (): void => this.look(batch, sorted ? { up: !look.up } : { by: name, up: false });
    const order = (name === "") === look.up ? "descending" : "ascending";
    return html`
      <th class=${name === "" ? "name" : nothing} aria-sort=${sorted ? order : nothing}>
        <button type="button" class="plain" @click=${turn}>
          ${name === "" ? "Clip" : readableFigure(name)}${sorted ? html`<span aria-hidden="true">${order === "descending" ? "↓" : "↑"}</span>` : nothing}
        </button>
      </th>
    `;
  }

  private row(clip: BatchClip, names: readonly string[]): TemplateResult {
    const { name, path, problem, done, failed, edited } = clip;
    const open = (): void => {
      if (path) this.answer(() => void openFile(path));
    };
    const current = model.files.value?.clip;
    const isOpen = current?.folder === this.folder && current.name === name;
    const kind = [done ? "done" : "", failed ? "failed" : problem ? "short" : ""].join(" ");
    const said = [problem, edited ? "edited by hand" : ""].filter(Boolean).join(" · ");
    return html`
      <tr class=${kind} aria-current=${isOpen}>
        <td class="picture">${this.still(clip)}</td>
        <td class="name">
          <button type="button" class="plain" aria-disabled=${!path} title=${path ? `Open ${name}` : "Nothing that opens was made of it"} @click=${open}>
            <span>${name}</span>
          </button>
          ${said ? html`<small title=${said}>${said}</small>` : nothing}
        </td>
        ${names.map((figure) => html`<td>${readableValue(clip.figures[figure])}</td>`)}
        <td>
          <button
            type="button"
            class="plain"
            aria-pressed=${done}
            aria-label="Done: ${name}"
            title=${done ? "Marked as done: the batch leaves it alone. Click to take the mark away" : "Mark as done"}
            @click=${() => void markClip(this.folder, name, !done)}
          >
            ${icon("tick")}
          </button>
        </td>
      </tr>
    `;
  }

  private still({ picture, moments }: BatchClip): TemplateResult {
    if (!picture) return html`<div class="still"></div>`;
    return html`
      <div class="still" style=${styleMap({ "--moments": String(moments) })}>
        <img class=${moments === 1 ? "one" : nothing} src=${keyed(picture)} alt="" loading="lazy" draggable="false" />
      </div>
    `;
  }
}

/** Show the clips of a batch, by its folder within the project's; what is chosen opens after the dialog has gone. */
export async function openBatch(folder: string): Promise<void> {
  const dialog = Object.assign(document.createElement("ib-batch") as BatchDialog, { folder });
  // Figures may be those of before: whoever runs the batch writes meanwhile.
  void model.ask({ type: "show-batch", folder });
  const act = await dialog.show();
  act?.();
}

/** Mark a clip as done, or not; what is open of it is kept with it. */
export async function markClip(folder: string, name: string, done: boolean): Promise<void> {
  if ((await model.ask({ type: "mark-clip", folder, name, done })) === undefined) return;
  const batch = model.batch.value;
  if (batch?.folder !== folder) return;
  model.batch.value = { ...batch, clips: batch.clips.map((clip) => (clip.name === name ? { ...clip, done } : clip)) };
}
