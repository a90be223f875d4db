import { css } from "lit";

/** How bars look that lie over the stage: a strip of small controls, through which a little of what is below is seen. */
export const stageBar = css`
  :host {
    position: absolute;
    inset: 6px 8px auto;
    margin-inline: auto;
    width: fit-content;
    padding: 3px 8px;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) + 3px);
    background: color-mix(in srgb, var(--panel) 92%, transparent);
    font-size: 12px;
    z-index: 2;
  }
  :host([hidden]) {
    display: none;
  }
  /* While a hand moves something, it may go where it likes. */
  :host([busy]) {
    pointer-events: none;
    opacity: 0.25;
  }
  button {
    min-height: 22px;
    padding: 1px 5px;
  }
`;
