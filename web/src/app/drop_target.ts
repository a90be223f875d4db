import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { icon } from "../elements/icons";
import { droppedFiles } from "./dropped";
import { commands } from "./studio";
import { takeIn } from "./upload";

/** Files may be dropped anywhere on the page; while they hover, it says so. */
@customElement("ib-drop-target")
export class DropTarget extends LitElement {
  static override styles = [
    controls,
    css`
      div {
        position: fixed;
        z-index: 60;
        inset: 10px;
        display: grid;
        place-content: center;
        justify-items: center;
        gap: 10px;
        border: 2px dashed var(--accent);
        border-radius: 10px;
        background: color-mix(in srgb, var(--ground) 86%, transparent);
        font-size: 16px;
        pointer-events: none;
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
    return html`<div>${icon("drop")}Drop to open<small>.glb · .gltf with its files · .fbx · .usdz · .vrm · .bvh · .tween · sound: .wav · .mp3 · .ogg · picture: .png · .jpg · .webp</small></div>`;
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
    void droppedFiles(event.dataTransfer).then(takeIn);
  };
}

/** Files from outside; panels being moved around are dragged as well. */
function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
