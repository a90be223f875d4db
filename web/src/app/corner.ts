import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { controls } from "../elements/controls";

/** The corner at the bottom right where notices and jobs stack up, above everything but dialogs. */
@customElement("ib-corner")
export class Corner extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        position: fixed;
        z-index: 40;
        right: 12px;
        bottom: 34px;
        display: flex;
        flex-direction: column;
        gap: 8px;
        width: min(370px, calc(100vw - 24px));
        pointer-events: none;
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<ib-jobs></ib-jobs><ib-notices></ib-notices>`;
  }
}

/** How cards in the corner look. */
export const card = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 8px;
  }
  .card {
    display: flex;
    align-items: flex-start;
    gap: 9px;
    padding: 9px 8px 9px 11px;
    border: 1px solid var(--line);
    border-left: 3px solid var(--colour, var(--faint));
    border-radius: var(--radius);
    background: var(--raised);
    box-shadow: 0 6px 22px rgb(0 0 0 / 45%);
    overflow-wrap: anywhere;
    user-select: text;
    pointer-events: auto;
  }
  .card > svg {
    margin-top: 1px;
    color: var(--colour, var(--quiet));
  }
  .text {
    flex: 1;
    min-width: 0;
  }
  .card button.plain {
    min-height: 20px;
    padding: 2px;
  }
`;
