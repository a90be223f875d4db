import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { icon } from "../elements/icons";
import { droppedFiles } from "./dropped";
import { commands, model } from "./studio";
import { bringAlong, takeIn } from "./upload";

/** From this share of the page's height on a dropped file is not opened: its clip comes to the character at hand. */
const BROUGHT_FROM = 0.6;

/** Files may be dropped anywhere on the page; while they hover, it says what becomes of them. */
@customElement("ib-drop-target")
export class DropTarget extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        position: fixed;
        z-index: 60;
        inset: 10px;
        display: flex;
        flex-direction: column;
        gap: 10px;
        pointer-events: none;
      }
      div {
        flex: 6;
        display: grid;
        place-content: center;
        justify-items: center;
        gap: 10px;
        border: 2px dashed var(--line);
        border-radius: 10px;
        background: color-mix(in srgb, var(--ground) 86%, transparent);
        font-size: 16px;
      }
      div.chosen {
        border-color: var(--accent);
      }
      div.brought {
        flex: 4;
      }
      svg {
        width: 40px;
        height: 40px;
        color: var(--accent);
      }
      small {
        color: var(--quiet);
      }
    `,
  ];

  @state() private hovering = false;
  /** Whether what hovers would be brought in rather than opened. */
  @state() private brings = false;
  /** Enter and leave are told for every element on the way; we are over when as many have left as were entered. */
  private depth = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    // In the capture phase, so that no panel has to know about files.
    window.addEventListener("dragenter", this.onEnter, true);
    window.addEventListener("dragover", this.onOver, true);
    window.addEventListener("dragleave", this.onLeave, true);
    window.addEventListener("drop", this.onDrop, true);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("dragenter", this.onEnter, true);
    window.removeEventListener("dragover", this.onOver, true);
    window.removeEventListener("dragleave", this.onLeave, true);
    window.removeEventListener("drop", this.onDrop, true);
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.hovering) return nothing;
    const opens = html`<div class=${this.brings ? "" : "chosen"}>${icon("drop")}Drop to open<small>.glb · .gltf with its files · .fbx · .usdz · .vrm · .bvh · .tween · sound: .wav · .mp3 · .ogg · picture: .png · .jpg · .webp</small></div>`;
    if (model.scene.value === null) return opens;
    return html`${opens}
      <div class="brought ${this.brings ? "chosen" : ""}">${icon("drop")}Drop to bring its clip to this character<small>from another body, by what joints are</small></div>`;
  }

  private readonly onEnter = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    this.depth++;
    this.hovering = !commands.isHushed;
  };

  private readonly onOver = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.dataTransfer) event.dataTransfer.dropEffect = this.hovering ? "copy" : "none";
    this.brings = model.scene.value !== null && event.clientY > BROUGHT_FROM * window.innerHeight;
  };

  private readonly onLeave = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    this.depth = Math.max(0, this.depth - 1);
    if (this.depth === 0) this.hovering = false;
  };

  private readonly onDrop = (event: DragEvent): void => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    // Whatever becomes of it, the browser must not leave the page to show the file.
    event.preventDefault();
    event.stopPropagation();
    this.depth = 0;
    this.hovering = false;
    if (commands.isHushed) return; // a dialog wants an answer first
    void droppedFiles(event.dataTransfer).then(this.brings ? bringAlong : takeIn);
  };
}

/** Files from outside; panels being moved around are dragged as well. */
function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
