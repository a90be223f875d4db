import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { drawing, icon } from "../elements/icons";
import { SignalElement } from "../elements/signal_element";
import type { Display } from "../model/model";
import type { Tool } from "../model/tool";
import { tools } from "../viewport/tools/registry";
import { redoable, undoable } from "./document_state";
import type { Menu } from "./menu";
import { MENUS } from "./menus";
import { commands, model } from "./studio";

const DISPLAYS: readonly { display: Display; name: string }[] = [
  { display: "shaded", name: "Shaded" },
  { display: "x-ray", name: "X-ray" },
  { display: "skeleton", name: "Skeleton" },
  { display: "weights", name: "Weights of the selected joint" },
];

/** The bar at the top: menus, the document, undo, tools, how the character is shown, and the obstacles. */
@customElement("ib-bar")
export class Bar extends SignalElement {
  static override styles = [
    controls,
    css`
      :host {
        position: relative;
        z-index: 20;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
        padding: 4px 10px;
        background: var(--panel);
        border-bottom: 1px solid var(--ground);
      }
      .group {
        display: flex;
        align-items: center;
        gap: 2px;
      }
      .tools button,
      .icons button {
        padding-inline: 8px;
      }
      .tools kbd {
        padding: 0 3px;
        font-size: 10px;
      }
      /* Tooltips tell the keys as well, and a second row would cost more than they do. */
      @media (max-width: 1500px) {
        :host {
          gap: 4px 8px;
          padding-inline: 6px;
        }
        .tools button {
          padding-inline: 6px;
        }
        .tools kbd {
          display: none;
        }
      }
      /* Names say more than pictures, and a bar that wraps under a hand moves the whole stage. */
      @media (max-width: 1400px) {
        .tools svg {
          display: none;
        }
        .tools button {
          padding-inline: 5px;
        }
        .icons button {
          padding-inline: 6px;
        }
      }
      .space {
        flex: 1;
      }
    `,
  ];

  override focus(): void {
    this.menus()[0]?.focus();
  }

  override render(): TemplateResult {
    return html`
      <nav class="group" aria-label="Menus" @pointerover=${this.slide}>
        ${MENUS.map((plan) => html`<ib-menu .plan=${plan} @step=${this.step}></ib-menu>`)}
      </nav>
      <ib-document-name></ib-document-name>
      ${model.files.value?.clip ? html`<ib-batch-chip></ib-batch-chip>` : nothing}
      <div class="group icons" role="group" aria-label="History">
        ${this.button("undo", `Undo ${undoable(model.history.value) ?? ""}`.trim())}
        ${this.button("redo", `Redo ${redoable(model.history.value) ?? ""}`.trim())}
      </div>
      <div class="group tools" role="radiogroup" aria-label="Tool">${tools.map((each) => this.tool(each))}</div>
      <div class="group icons" role="group" aria-label="Display">
        <div class="group" role="radiogroup" aria-label="Character shown">
          ${DISPLAYS.map((each) => this.display(each))}
        </div>
        <button
          class="plain"
          aria-label="Onion skins"
          aria-pressed=${model.onionSkins.value}
          title="Onion skins (O): pale bodies before and after this frame"
          @mousedown=${keepFocus}
          @click=${() => (model.onionSkins.value = !model.onionSkins.value)}
        >
          ${icon("onion")}
        </button>
      </div>
      <span class="space"></span>
      <ib-obstacle-chip></ib-obstacle-chip>
    `;
  }

  private button(id: "undo" | "redo", name: string): TemplateResult {
    const can = commands.can(id);
    const title = can ? commands.tooltip(id).replace(commands.get(id).label, name) : commands.tooltip(id);
    return html`
      <button
        class="plain"
        aria-label=${name}
        aria-disabled=${!can}
        title=${title}
        @mousedown=${keepFocus}
        @click=${() => commands.run(id)}
      >
        ${icon(id)}
      </button>
    `;
  }

  private tool(tool: Tool): TemplateResult {
    const { label, does } = tool;
    const [key] = commands.keysOf(`tool-${tool.name}`);
    return html`
      <button
        class="plain"
        role="radio"
        aria-checked=${model.tool.value === tool}
        title="${label}${key ? ` (${key})` : ""}: ${does}"
        @mousedown=${keepFocus}
        @click=${() => (model.tool.value = tool)}
      >
        ${drawing(tool.icon)}${label}${key ? html`<kbd>${key}</kbd>` : nothing}
      </button>
    `;
  }

  private display({ display, name }: (typeof DISPLAYS)[number]): TemplateResult {
    return html`
      <button
        class="plain"
        role="radio"
        aria-checked=${model.display.value === display}
        aria-label=${name}
        title="${name} (Z for the next)"
        @mousedown=${keepFocus}
        @click=${() => (model.display.value = display)}
      >
        ${icon(display)}
      </button>
    `;
  }

  private menus(): Menu[] {
    return [...this.renderRoot.querySelectorAll<Menu>("ib-menu")];
  }

  /** Arrow keys lead from menu to menu. */
  private step(event: CustomEvent<{ by: number; open: boolean }>): void {
    const menus = this.menus();
    const from = menus.indexOf(event.target as Menu);
    const to = menus[(from + event.detail.by + menus.length) % menus.length];
    menus[from].hide();
    if (event.detail.open) void to.show("first");
    else to.focus();
  }

  /** With one menu open, the pointer opens its neighbours by going there. */
  private slide(event: PointerEvent): void {
    const menus = this.menus();
    const [open, over] = [menus.find((menu) => menu.isOpen), menus.find((menu) => event.composedPath().includes(menu))];
    if (!open || !over || open === over) return;
    open.hide();
    void over.show();
  }
}

/** A click on a button of the bar must not take the keyboard away from where the animator works. */
function keepFocus(event: Event): void {
  event.preventDefault();
}
