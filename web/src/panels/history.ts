import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ContextMenu, menuItem } from "../elements/context_menu";
import { icon } from "../elements/icons";
import { glyphs } from "./glyphs";
import { inView } from "./outliner/tree";
import { Panel, panelStyle } from "./panel";

const LINE = 24;
let menu: ContextMenu | null = null;

/** All steps by name; a click goes there. */
export class History extends Panel {
  static override styles = [
    panelStyle,
    css`
      .bar {
        display: flex;
        gap: 4px;
        align-items: center;
        padding: 6px;
        flex: none;
      }
      .bar button {
        display: inline-flex;
        align-items: center;
        gap: 5px;
      }
      .bar .quiet {
        margin-left: auto;
      }
      .list {
        flex: 1;
        min-height: 0;
        overflow: hidden auto;
        position: relative;
      }
      button.step {
        position: absolute;
        left: 0;
        right: 0;
        height: 24px;
        padding: 0 8px;
        gap: 7px;
        justify-content: flex-start;
        color: var(--text);
        text-align: left;
        white-space: nowrap;
        border-radius: 0;
      }
      .step:hover {
        background: var(--raised);
      }
      .step span {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .step i {
        flex: none;
        width: 6px;
        height: 6px;
        border-radius: 50%;
        background: var(--line);
      }
      .step.now {
        background: color-mix(in srgb, var(--accent) 24%, transparent);
      }
      .step.now i {
        background: var(--accent);
      }
      .step.undone span {
        color: color-mix(in srgb, var(--quiet) 84%, var(--panel));
        font-style: italic;
      }
      .compare {
        position: absolute;
        right: 4px;
        height: 20px;
        padding: 0 5px;
        font-size: 11px;
        opacity: 0;
      }
      [role="listitem"]:hover .compare,
      .compare:focus-visible,
      .compare[aria-pressed="true"] {
        opacity: 1;
      }
      .step .saved {
        margin-left: auto;
        color: var(--quiet);
        flex: none;
      }
    `,
  ];
  private shown = -1;
  private readonly resizing = new ResizeObserver(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.resizing.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizing.disconnect();
  }

  /** For tests: the middle of a step in page pixels, once it is in view. */
  whereIs(step: number): { x: number; y: number } | null {
    const box = this.renderRoot.querySelector(`[data-step="${step}"]`)?.getBoundingClientRect();
    return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
  }

  protected override render(): TemplateResult {
    const { labels, at } = this.model.history.value;
    const list = this.list;
    const [first, last] = inView(list?.scrollTop ?? 0, list?.clientHeight ?? 0, LINE, labels.length);
    const [undone, next] = [at > 0 ? labels[at] : null, labels[at + 1] ?? null];
    return html`<div class="panel">
      <div class="bar">
        <button ?disabled=${undone === null} title=${undone === null ? "Nothing to undo" : `Undo ${undone} (Ctrl+Z)`} @click=${() => this.model.ask({ type: "undo" })}>
          ${icon("undo")}Undo
        </button>
        <button ?disabled=${next === null} title=${next === null ? "Nothing to redo" : `Redo ${next} (Ctrl+Shift+Z)`} @click=${() => this.model.ask({ type: "redo" })}>
          ${icon("redo")}Redo
        </button>
        <span class="quiet">${labels.length === 1 ? "no steps yet" : `${at} of ${labels.length - 1}`}</span>
      </div>
      <div class="list" role="list" aria-label="Steps" @scroll=${() => this.requestUpdate()}>
        <div style="height:${labels.length * LINE}px" role="presentation">
          ${labels.slice(first, last).map((label, i) => this.step(label, first + i))}
        </div>
      </div>
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { list } = this;
    const { at } = this.model.history.value;
    if (!list || list.clientHeight === 0 || this.shown === at) return;
    // Only when the step changed: whoever scrolls away to read may do so.
    this.shown = at;
    const [top, bottom] = [at * LINE, (at + 1) * LINE];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }

  private get list(): HTMLElement | null {
    return this.renderRoot?.querySelector<HTMLElement>(".list") ?? null;
  }

  private openMenu(event: MouseEvent, number: number): void {
    event.preventDefault();
    const { at } = this.model.history.value;
    const { comparing } = this.model;
    const compared = comparing.step.value === number;
    const here = number === at ? "We are here" : "";
    menu ??= document.body.appendChild(new ContextMenu());
    const choices = [
      menuItem(number > at ? "Redo up to this" : "Undo all after this", () => this.model.ask({ type: "jump-to", step: number }), here),
      menuItem(compared ? "Do not compare any more" : "Compare with this", () => comparing.choose(compared ? null : number), compared ? "" : here),
    ];
    void menu.open(choices, event.clientX, event.clientY);
  }

  private step(label: string, number: number): TemplateResult {
    const { at, saved } = this.model.history.value;
    const state = number === at ? "now" : number > at ? "undone" : "";
    const { comparing } = this.model;
    const compared = comparing.step.value === number;
    const help = number === at ? "We are here" : number < at ? "Undo all after this" : "Redo up to this";
    return html`<div role="listitem">
      <button
        class="bare step ${state}"
        style="top:${number * LINE}px"
        data-step=${number}
        title="${label}\n${help}"
        aria-current=${number === at ? "step" : nothing}
        @click=${() => number !== at && this.model.ask({ type: "jump-to", step: number })}
        @contextmenu=${(event: MouseEvent) => this.openMenu(event, number)}
      >
        <i></i><span>${label}</span>${number === saved ? html`<span class="saved" title="Saved to the disk" aria-label="saved">${glyphs.disk}</span>` : nothing}
      </button>
      ${
        number === at && !compared
          ? nothing
          : html`<button
            class="compare"
            style="top:${number * LINE + 2}px"
            aria-pressed=${compared}
            aria-label="Compare with ${label}"
            title=${compared ? "Do not compare any more" : "See this version as a ghost beside the shown one"}
            @click=${() => comparing.choose(compared ? null : number)}
          >
            compare
          </button>`
      }
    </div>`;
  }
}

customElements.define("ib-history", History);
