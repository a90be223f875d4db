import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Dialog } from "./dialog";
import { fileName, withSuffix } from "./file_names";
import { model } from "./studio";

interface Format {
  suffix: string;
  name: string;
  line: string;
  /** Whether it is drawn, so that its size can be chosen. */
  drawn?: boolean;
  /** Whether it can hold curves as well as a key on every frame. */
  curved?: boolean;
}

const FORMATS: readonly Format[] = [
  { suffix: ".glb", name: "glTF", line: "character, skin and motion, for engines and other tools", curved: true },
  { suffix: ".fbx", name: "FBX", line: "the same with its tangents, for film and game tools", curved: true },
  { suffix: ".usdz", name: "USD", line: "the same for film pipelines; opens here again as it was", curved: true },
  { suffix: ".vrm", name: "VRM", line: "the .vrm file that it was opened from, with its springs; motion as any glTF has it", curved: true },
  { suffix: ".vrma", name: "VRMA", line: "motion of a person, for any VRM character" },
  { suffix: ".bvh", name: "BVH", line: "skeleton and motion, one line a frame" },
  { suffix: ".npz", name: "NPZ", line: "joints and channels as arrays, for NumPy" },
  { suffix: ".csv", name: "CSV", line: "channels as a table, one row a frame" },
  { suffix: ".mp4", name: "MP4", line: "movie of the clip", drawn: true },
  { suffix: ".gif", name: "GIF", line: "looping picture of the clip", drawn: true },
  { suffix: ".html", name: "Page", line: "one file that plays in any browser" },
  { suffix: ".png", name: "PNG", line: "picture of this frame", drawn: true },
];
const SIZES = ["640×360", "1280×720", "1920×1080", "3840×2160"] as const;

interface Wanted {
  path: string;
  width?: number;
  height?: number;
  sampled?: boolean;
}

@customElement("ib-export")
class ExportDialog extends Dialog<Wanted> {
  static override styles = [
    ...Dialog.styles,
    css`
      :host {
        --dialog-width: 540px;
      }
      fieldset {
        display: grid;
        gap: 2px;
        margin: 0 0 12px;
        padding: 0;
        border: 0;
      }
      fieldset label {
        display: grid;
        grid-template-columns: 26px 52px 1fr;
        align-items: center;
        padding: 4px 6px;
        border-radius: var(--radius);
      }
      input[type="radio"] {
        justify-self: start;
        margin: 0 0 0 2px;
      }
      fieldset label:hover {
        background: var(--raised);
      }
      .fields {
        display: grid;
        grid-template-columns: 60px 1fr;
        align-items: center;
        align-content: start;
        gap: 8px;
        /* Two rows, whatever the format asks for: nothing jumps under the pointer. */
        min-height: 72px;
      }
      .named {
        display: flex;
        align-items: center;
        gap: 6px;
      }
      .named input {
        flex: 1;
        min-width: 0;
      }
    `,
  ];

  protected override readonly heading = "Export";
  protected override readonly verb = "Export";
  @state() private format = FORMATS[0];

  protected override content(): TemplateResult {
    return html`
      <fieldset>
        <legend hidden>Format</legend>
        ${FORMATS.map((format) => this.choice(format))}
      </fieldset>
      <div class="fields">
        <label for="name">Name</label>
        <span class="named">
          <input id="name" required maxlength="180" spellcheck="false" .value=${fileName(model.scene.value?.name ?? "")} />
          ${this.format.suffix}
        </span>
        ${
          this.format.drawn
            ? html`<label for="size">Size</label>
              <select id="size">
                ${SIZES.map((size) => html`<option ?selected=${size === "1280×720"}>${size}</option>`)}
              </select>`
            : nothing
        }
        ${
          this.format.curved
            ? html`<label for="keys">Keys</label>
              <select id="keys" title="Blender drops the slopes of curves: give it a key on every frame">
                <option value="sampled">one on every frame (Blender)</option>
                <option value="curves">curves with their slopes (engines)</option>
              </select>`
            : nothing
        }
      </div>
    `;
  }

  protected override submit(): void {
    const name = (this.renderRoot.querySelector("#name") as HTMLInputElement).value.trim();
    if (!name) return;
    const path = withSuffix(name, this.format.suffix);
    const size = this.renderRoot.querySelector<HTMLSelectElement>("#size")?.value.split("×").map(Number);
    const keys = this.renderRoot.querySelector<HTMLSelectElement>("#keys")?.value;
    this.answer({
      path,
      ...(size && { width: size[0], height: size[1] }),
      ...(keys && { sampled: keys === "sampled" }),
    });
  }

  private choice(format: Format): TemplateResult {
    const chosen = format === this.format;
    return html`
      <label>
        <input
          type="radio"
          name="format"
          .checked=${chosen}
          ?autofocus=${chosen}
          @change=${() => (this.format = format)}
        />
        <b>${format.name}</b><span class="quiet">${format.line}</span>
      </label>
    `;
  }
}

/** Ask what to write and write it; progress and the link come as a job. */
export async function openExport(): Promise<void> {
  const wanted = await (document.createElement("ib-export") as ExportDialog).show();
  if (wanted) await model.ask({ type: "export", ...wanted, time: model.timeOf(model.playback.frame.value), scene_camera: model.camera.value !== null });
}
