import { css, html, nothing, type TemplateResult } from "lit";
import { keepFocus, StageBar } from "../../elements/stage_bar";
import type { SketchOptions } from "../../model/sketching";

const SELECTING: readonly [SketchOptions["selecting"], string, string][] = [
  ["chain", "Chain", "A stroke chooses the one run of bones that it follows best"],
  ["connected", "Connected", "A stroke chooses all bones that it meets, and those between them"],
  ["all", "All", "Choose all bones, for a line of action through the whole body"],
];
const DRAWING: readonly [SketchOptions["drawing"], string, string][] = [
  ["auto", "Auto", "A chain takes the stroke's shape; all else follows it as a line of action"],
  ["direct", "Direct", "The chain of bones takes the shape of the stroke"],
  ["line-of-action", "Line of action", "The chosen bones follow the stroke as a whole, each at its own distance"],
  ["outline", "Outline", "The edge of the skin follows the stroke, on the side of the chain where that begins"],
];

/** The options of the sketch tool, at the top of the viewport while it is chosen. */
class SketchBar extends StageBar {
  static override readonly styles = [
    ...StageBar.styles,
    css`
      :host {
        display: grid;
        justify-items: center;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        gap: 2px 8px;
      }
      .group {
        display: flex;
        align-items: center;
        gap: 2px;
        white-space: nowrap;
      }
      .name {
        margin-right: 3px;
        color: var(--quiet);
      }
      .hint {
        color: var(--quiet);
      }
      .bones {
        color: var(--bone);
      }
    `,
  ];

  protected override content(): TemplateResult {
    const { model } = this;
    const { options, bones, shapes } = model.sketching;
    const refines = shapes.value?.refines ?? null;
    return html`<div class="row">
      <div class="group" role="radiogroup" aria-label="Choosing bones">
        <span class="name">Bones</span>
        ${SELECTING.map(([way, name, does]) => this.choice(name, does, options.value.selecting === way, () => this.select(way)))}
      </div>
      <div class="group" role="radiogroup" aria-label="What a stroke means">
        <span class="name">Stroke</span>
        ${DRAWING.map(([way, name, does]) => this.choice(name, does, !options.value.twisting && options.value.drawing === way, () => model.sketching.set({ drawing: way, twisting: false })))}
        ${this.choice("Twist", "Press on a chosen bone and drag sideways: a degree a pixel, up to there", options.value.twisting, () => model.sketching.set({ twisting: true }))}
      </div>
      <div class="group" role="group" aria-label="Options">
        ${this.toggle("Stretch", "Bones take the length of the stroke, too", options.value.stretch, () => model.sketching.set({ stretch: !options.value.stretch }))}
        ${this.toggle("Carry", "What hangs on the chosen bones turns with them; off, it keeps its orientation", options.value.carry, () => model.sketching.set({ carry: !options.value.carry }))}
        ${this.fromPose(options.value)}
        ${
          refines === null
            ? nothing
            : html`<button class="plain" title="Take away ${refines}, the sketch on this frame, with all its keys" @mousedown=${keepFocus} @click=${() => model.ask({ type: "remove-bend", bend: refines })}>
              Remove
            </button>`
        }
      </div>
      </div>
      <div class="hint" aria-live="polite">${this.hint(bones.value, refines)}</div>
    `;
  }

  private hint(bones: readonly string[], refines: string | null): TemplateResult {
    if (bones.length === 0) return html`Draw over the bones you mean, or click one`;
    const what = bones.length === 1 ? bones[0] : `${bones.length} bones`;
    const wish = this.model.sketching.options.value.twisting ? "drag sideways on one to twist" : refines ? "redraw to refine" : "now draw the wish";
    return html`<span class="bones">${what}</span> · ${wish} · Shift adds bones · Esc lets go`;
  }

  private select(way: SketchOptions["selecting"]): void {
    const { sketching, scene } = this.model;
    sketching.set({ selecting: way });
    if (way === "all") sketching.bones.value = scene.value?.joints.map((joint) => joint.name) ?? [];
  }

  /** Only lines of action lie on a support line. */
  private fromPose({ support, drawing, twisting }: SketchOptions): TemplateResult {
    const on = support === "pose";
    const does = "A line of action bends the pose as it is; off, it starts from the rest pose, and undoes turns that are seen from here";
    const set = () => this.model.sketching.set({ support: on ? "rest" : "pose" });
    return this.toggle("From pose", does, on, set, twisting || drawing === "direct" || drawing === "outline" ? "Only a line of action starts from a pose" : "");
  }

  private choice(name: string, does: string, chosen: boolean, choose: () => void): TemplateResult {
    return html`<button class="plain" role="radio" aria-checked=${chosen} title=${does} @mousedown=${keepFocus} @click=${choose}>${name}</button>`;
  }

  private toggle(name: string, does: string, on: boolean, toggle: () => void, why = ""): TemplateResult {
    return html`<button class="plain" ?disabled=${why !== ""} aria-pressed=${on} title=${why || does} @mousedown=${keepFocus} @click=${toggle}>${name}</button>`;
  }
}

customElements.define("ib-sketch-bar", SketchBar);

export { SketchBar };
