import { css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { Studio } from "../commands/studio";
import { controls } from "../elements/controls";
import { SignalElement } from "../elements/signal_element";
import type { ChangeLayer, LayerInfo } from "../protocol/messages";
import { sign } from "./transport_icons";

/** The layers of the shown clip, the topmost first, behind a button that names the chosen one: all tools write to that. */
@customElement("ib-layers")
class Layers extends SignalElement {
  static override styles = [
    controls,
    css`
      button {
        padding: 0 6px;
        min-height: 24px;
      }
      svg {
        stroke-width: 1.5;
      }
      [popover] {
        position: fixed;
        inset: auto;
        margin: 0;
        padding: 8px;
        width: 430px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--panel);
        color: var(--text);
        font: var(--font);
        box-shadow: 0 8px 28px rgb(0 0 0 / 50%);
      }
      .layer {
        display: grid;
        grid-template-columns: 24px 24px minmax(80px, 1fr) 74px 80px 44px 24px;
        align-items: center;
        gap: 4px;
        min-height: 30px;
        padding: 0 4px;
        border-left: 3px solid transparent;
        border-radius: 4px;
        cursor: pointer;
      }
      .layer:hover {
        background: color-mix(in srgb, var(--text) 6%, transparent);
      }
      .layer.chosen {
        border-left-color: var(--accent);
        background: color-mix(in srgb, var(--accent) 18%, transparent);
      }
      .layer.over {
        box-shadow: 0 -2px 0 var(--accent);
      }
      .layer button {
        padding: 0 4px;
      }
      .name {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .off .name {
        color: var(--quiet);
        text-decoration: line-through;
      }
      input[type="range"] {
        width: 100%;
        min-height: 0;
        padding: 0;
        accent-color: var(--accent);
      }
      .weight {
        color: var(--quiet);
        font: var(--mono);
        text-align: right;
      }
      .makers {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
        margin-top: 8px;
        padding-top: 8px;
        border-top: 1px solid var(--line);
      }
    `,
  ];

  private dragged: string | null = null;

  constructor(private readonly studio: Studio) {
    super();
  }

  private get chosen(): string | null {
    return this.studio.model.guiding.layer.value;
  }

  override render(): TemplateResult {
    const layers = this.studio.model.clip.value?.layers ?? [];
    const title = "Layers: tools write to the chosen one";
    return html`
      <button class="plain" title=${title} aria-label="Layers" aria-haspopup="dialog" @click=${this.open}>${sign("layers")} ${this.chosen ?? "base"}</button>
      <div popover="manual" role="dialog" aria-label="Layers">
        ${[...layers].reverse().map((layer) => this.layer(layer))}
        <div class="layer base ${this.chosen === null ? "chosen" : ""}" @click=${() => this.choose(null)}><span></span><span></span><span class="name">Base</span></div>
        ${this.makers(layers)}
      </div>
    `;
  }

  private layer(info: LayerInfo): TemplateResult {
    const { name, muted, solo, override, joints } = info;
    const keyed = info.weight_keys.length > 0;
    const weight = keyed ? (info.weight_frames[this.studio.model.playback.frame.value] ?? 1) : info.weight;
    const stop = (event: Event): void => event.stopPropagation();
    const masked = joints.length > 0 ? `, masked to ${joints.join(", ")}` : "";
    return html`
      <div
        class="layer ${muted ? "off" : ""} ${name === this.chosen ? "chosen" : ""}"
        draggable="true"
        aria-label="Layer ${name}"
        title="Click: tools write here. Double click: rename. Drag: reorder${masked}"
        @click=${() => this.choose(name)}
        @dblclick=${() => this.rename(name)}
        @dragstart=${() => (this.dragged = name)}
        @dragover=${(event: DragEvent) => this.over(event, true)}
        @dragleave=${(event: DragEvent) => this.over(event, false)}
        @drop=${(event: DragEvent) => this.drop(event, name)}
      >
        <button class="plain" aria-pressed=${!muted} aria-label="${name} is heard" title=${muted ? "Let it be heard" : "Mute it"} @click=${this.change(name, { muted: !muted })}>${muted ? "○" : "●"}</button>
        <button aria-pressed=${solo} aria-label="Solo ${name}" title="Hear it without layers that are not solo" @click=${this.change(name, { solo: !solo })}>S</button>
        <span class="name">${name}${masked ? " ◐" : ""}</span>
        <button aria-pressed=${override} aria-label="${name} overrides" title=${override ? "Takes the place of what lies below; add instead" : "Is added to what lies below; override instead"} @click=${this.change(name, { override: !override })}>
          ${override ? "override" : "add"}
        </button>
        <input type="range" min="0" max="1" step="0.01" .value=${String(weight)} aria-label="Weight of ${name}" draggable="true" @dragstart=${(event: Event) => event.preventDefault()} @click=${stop} @change=${(event: Event) => this.weigh(info, Number((event.target as HTMLInputElement).value))} />
        <span class="weight">${Math.round(100 * weight)} %</span>
        <button class="plain" aria-pressed=${keyed} aria-label="Key the weight of ${name}" title="Key its weight on this frame" @click=${this.change(name, { weight, time: this.time })}>${keyed ? "◆" : "◇"}</button>
      </div>
    `;
  }

  private makers(layers: readonly LayerInfo[]): TemplateResult {
    const { model } = this.studio;
    const { chosen } = this;
    const none = chosen === null ? "Choose a layer first" : "";
    const lowest = layers[0]?.name === chosen ? "There is no layer below it" : "";
    const joint = model.selection.activeJoint;
    return html`<div class="makers">
      <button title="A layer on top of the others" @click=${this.add}>Add layer</button>
      <button ?disabled=${none !== ""} title=${none || (joint ? `Let it move ${joint} alone` : "Let it move all joints")} @click=${this.change(chosen, { joints: joint === null ? [] : [joint] })}>${joint === null ? "No mask" : "Mask"}</button>
      <button ?disabled=${none !== "" || lowest !== ""} title=${none || lowest || "Work it into the layer below; the motion stays"} @click=${() => this.merge(true)}>Merge down</button>
      <button ?disabled=${none !== ""} title=${none || "Work it into the base; the motion stays"} @click=${() => this.merge(false)}>Merge into base</button>
      <button ?disabled=${none !== ""} title=${none || "Take it away"} @click=${this.change(chosen, { remove: true })}>Delete</button>
    </div>`;
  }

  private get time(): number {
    const { model } = this.studio;
    return model.timeOf(model.playback.frame.value);
  }

  private choose(name: string | null): void {
    this.studio.model.guiding.layer.value = name;
  }

  private change(layer: string | null, wish: Omit<ChangeLayer, "type" | "id" | "layer">): (event: Event) => void {
    return (event) => {
      event.stopPropagation();
      void this.studio.model.ask({ type: "change-layer", layer, ...wish });
    };
  }

  private weigh({ name, weight_keys }: LayerInfo, weight: number): void {
    const time = weight_keys.length > 0 ? this.time : null;
    void this.studio.model.ask({ type: "change-layer", layer: name, weight, time });
  }

  private readonly add = async (): Promise<void> => {
    const name = await this.studio.model.ask({ type: "change-layer" });
    if (name) this.choose(name);
  };

  private async rename(name: string): Promise<void> {
    const rename = window.prompt("Name of the layer", name)?.trim();
    if (!rename || rename === name) return;
    const done = await this.studio.model.ask({ type: "change-layer", layer: name, rename });
    if (done !== undefined) this.choose(rename);
  }

  private async merge(down: boolean): Promise<void> {
    const text = this.chosen && (await this.studio.model.ask({ type: "merge-layer", layer: this.chosen, down }));
    if (text) this.studio.model.notices.add("info", text);
  }

  private over(event: DragEvent, on: boolean): void {
    if (this.dragged === null) return;
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.toggle("over", on);
  }

  /** A layer that is dropped on another takes its place. */
  private drop(event: DragEvent, onto: string): void {
    this.over(event, false);
    const place = this.studio.model.clip.value?.layers.findIndex(({ name }) => name === onto) ?? -1;
    if (this.dragged !== null && this.dragged !== onto && place >= 0) void this.studio.model.ask({ type: "change-layer", layer: this.dragged, place });
    this.dragged = null;
  }

  private async open(event: Event): Promise<void> {
    const sheet = this.renderRoot.querySelector<HTMLElement>("[popover]");
    if (!sheet) return;
    const { right, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    sheet.togglePopover();
    const { width } = sheet.getBoundingClientRect();
    sheet.style.left = `${Math.max(4, right - width)}px`;
    sheet.style.bottom = `${window.innerHeight - top + 4}px`;
  }
}

export { Layers };
