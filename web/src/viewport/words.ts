import type { Signal } from "@preact/signals-core";
import { css, html, nothing } from "lit";
import type { Studio } from "../commands/studio";
import { SignalElement } from "../elements/signal_element";

const LENS_LABEL = "flat lens";

/** What the viewport says in words: the way of display where it is not the usual one, why nothing is drawn, and the way out of an empty scene. */
class Words extends SignalElement {
  static override readonly styles = css`
    :host {
      position: absolute;
      inset: 0;
      pointer-events: none;
      display: grid;
      place-items: center;
    }
    .mode {
      position: absolute;
      left: 10px;
      top: 8px;
      color: var(--quiet);
      font-size: 12px;
    }
    .empty {
      pointer-events: auto;
      text-align: center;
      max-width: 34ch;
      color: var(--text);
    }
    p {
      margin: 0 0 12px;
      color: var(--quiet);
    }
    h2 {
      margin: 0 0 6px;
      font-size: 15px;
      font-weight: 600;
    }
    button {
      font: inherit;
      color: var(--ground);
      background: var(--accent);
      border: 0;
      border-radius: var(--radius);
      padding: 6px 14px;
      cursor: pointer;
    }
    button:focus-visible {
      outline: 2px solid var(--text);
      outline-offset: 2px;
    }
  `;

  constructor(
    private readonly studio: Studio,
    /** Whether the lens is flat. */
    private readonly flat: Signal<boolean>,
    /** Whether nothing can be drawn for the moment. */
    private readonly lost: Signal<boolean>,
  ) {
    super();
  }

  protected override render(): unknown {
    const { model } = this.studio;
    if (this.lost.value) return this.gone();
    const scene = model.scene.value;
    if (scene && scene.joints.length + scene.meshes.length + scene.props.length === 0) return this.empty();
    const words = [model.display.value === "shaded" ? "" : model.display.value, this.flat.value ? LENS_LABEL : ""].filter(Boolean);
    if (model.throughCamera.value && model.camera.value) words.push("scene camera");
    const { comparing } = model;
    if (comparing.isBeside) words.push("now");
    else if (comparing.isOn) words.push(comparing.alone.value ? `this is ${comparing.name}` : `compared with ${comparing.name} – hold \` to see it alone`);
    return words.length > 0 ? html`<div class="mode">${words.join(" · ")}</div>` : nothing;
  }

  private gone(): unknown {
    return html`<div class="empty" role="status">
      <h2>The browser has lost the graphics card</h2>
      <p>Your work is safe, and the picture comes back by itself. If it does not, load the page again.</p>
    </div>`;
  }

  private empty(): unknown {
    return html`<div class="empty">
      <h2>Nothing to animate yet</h2>
      <p>Open an example or a file, or drop a .glb, .gltf, .fbx, .usdz, .bvh or .tween file onto the page.</p>
      <button @click=${() => this.studio.commands.run("open")}>Open…</button>
    </div>`;
  }
}
customElements.define("ib-viewport-words", Words);

export { Words };
