import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ContextMenu, menuItem } from "../elements/context_menu";
import { HandSlider } from "../elements/hand_slider";
import type { Hand } from "../model/hand";
import { applyPose, poseTarget } from "../model/pose_library";
import { keyed } from "../protocol/door";
import type { PoseInfo } from "../protocol/messages";
import { Panel, panelStyle } from "./panel";

/** The poses that the project keeps, as pictures: a double click applies one, a slider leads there. */
export class Poses extends Panel {
  static override styles = [
    panelStyle,
    css`
      .bar {
        display: flex;
        gap: 4px;
        padding: 6px;
        flex: none;
      }
      input[type="search"] {
        flex: 1;
        min-width: 0;
        padding: 2px 6px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--ground);
        color: var(--text);
        font: inherit;
      }
      .grid {
        flex: 1;
        min-height: 0;
        overflow: hidden auto;
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(84px, 1fr));
        align-content: start;
        gap: 6px;
        padding: 2px 6px 6px;
      }
      button.card {
        display: flex;
        flex-direction: column;
        align-items: stretch;
        justify-content: flex-start;
        gap: 2px;
        padding: 3px;
        border: 1px solid transparent;
        border-radius: var(--radius);
        color: var(--text);
        text-align: center;
      }
      button.card:hover {
        background: var(--raised);
      }
      button.card[aria-selected="true"] {
        border-color: var(--accent);
        background: color-mix(in srgb, var(--accent) 20%, var(--panel));
      }
      .card :is(img, .blank) {
        width: 100%;
        aspect-ratio: 1;
        border-radius: 3px;
        object-fit: cover;
        background: var(--ground);
      }
      .card span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .empty {
        padding: 4px 10px;
        line-height: 1.5;
      }
      footer {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px;
        padding: 6px;
        border-top: 1px solid var(--line);
        flex: none;
      }
      footer input {
        flex: 1 1 80px;
        min-width: 60px;
        accent-color: var(--accent);
      }
      footer output {
        min-width: 3.2em;
        color: var(--quiet);
        font: var(--mono);
      }
    `,
  ];
  static override readonly properties = { amount: { state: true } };
  declare private amount: number;
  private readonly slider = new HandSlider(
    () => this.take(),
    (amount) => {
      this.amount = amount ?? 0;
    },
  );

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    this.amount = 0;
  }

  protected override render(): TemplateResult {
    const { commands, model } = this.studio;
    const { items, found, search, chosen } = model.poses;
    return html`<div class="panel">
      <div class="bar">
        <input
          type="search"
          placeholder="Search poses"
          aria-label="Search poses"
          .value=${search.value}
          @input=${(event: Event) => (search.value = (event.target as HTMLInputElement).value)}
        />
        <button title=${commands.tooltip("save-pose")} ?disabled=${!commands.can("save-pose")} @click=${() => commands.run("save-pose")}>Save pose…</button>
      </div>
      ${found.value.length === 0 ? this.empty(items.value.length > 0) : nothing}
      <div class="grid" role="listbox" aria-label="Poses" @keydown=${this.onKey}>${found.value.map((pose) => this.card(pose, pose.name === chosen.value))}</div>
      ${chosen.value === null ? nothing : this.foot(chosen.value)}
    </div>`;
  }

  private empty(some: boolean): TemplateResult {
    return html`<p class="quiet empty">
      ${some ? "No pose is called that." : "Poses that you save are kept in the project folder, for this character and others like it."}
    </p>`;
  }

  private card({ name, picture }: PoseInfo, chosen: boolean): TemplateResult {
    const { model } = this.studio;
    return html`<button
      class="bare card"
      role="option"
      aria-selected=${chosen}
      title="${name}\nDouble click: apply it on this frame, to what is selected or to all"
      @click=${() => model.poses.choose(name)}
      @dblclick=${() => void applyPose(model, name, false)}
      @contextmenu=${(event: MouseEvent) => this.openMenu(event, name)}
    >
      ${picture ? html`<img src=${keyed(picture)} alt="" loading="lazy" draggable="false" />` : html`<div class="blank"></div>`}
      <span>${name}</span>
    </button>`;
  }

  private foot(name: string): TemplateResult {
    const { commands } = this.studio;
    const button = (id: string, label: string): TemplateResult =>
      html`<button title=${commands.tooltip(id)} @click=${() => commands.run(id)}>${label}</button>`;
    return html`<footer>
      ${button("apply-pose", "Apply")}${button("apply-pose-mirrored", "Mirrored")}
      <input
        type="range"
        min="0"
        max="100"
        aria-label="Blend to ${name}"
        title="Lead the pose on this frame to ${name}"
        .value=${String(this.amount ?? 0)}
        @input=${this.slider.move}
        @change=${this.slider.letGo}
        @keydown=${this.slider.cancel}
      />
      <output>${this.amount ?? 0} %</output>
    </footer>`;
  }

  private openMenu(event: MouseEvent, name: string): void {
    event.preventDefault();
    const { commands, model } = this.studio;
    model.poses.choose(name);
    const items = ["apply-pose", "apply-pose-mirrored", "rename-pose", "replace-pose", "delete-pose"].map((id, i) => ({
      ...commands.item(id),
      parted: i === 2,
    }));
    const show = menuItem("Read the folder again", () => model.ask({ type: "show-poses" }));
    menu ??= document.body.appendChild(new ContextMenu());
    void menu.open([...items, { ...show, parted: true }], event.clientX, event.clientY);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === "Delete") {
      event.stopPropagation();
      this.studio.commands.run("delete-pose");
    } else if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      this.studio.commands.run("apply-pose");
    }
  };

  private take(): Hand | null {
    const { model } = this.studio;
    const pose = model.poses.chosen.peek();
    return pose === null ? null : model.take({ kind: "reach-pose", pose, ...poseTarget(model, false) });
  }
}

let menu: ContextMenu | null = null;

customElements.define("ib-poses", Poses);
