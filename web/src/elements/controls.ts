import { css } from "lit";

/** Buttons, fields and the ring of the focus, for every component of the shell (a shadow root sees no style sheet). */
export const controls = css`
  *,
  :host {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  :focus-visible {
    outline: var(--ring);
    outline-offset: 1px;
  }
  /* Who types wants to see where, whichever hand went there. */
  input:not([type="radio"]):focus-visible {
    outline: 2px solid var(--accent);
  }
  button,
  .button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    padding: 3px 10px;
    min-height: 26px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--raised);
    color: var(--text);
    font: inherit;
    text-decoration: none;
    cursor: pointer;
  }
  button:hover:not([aria-disabled="true"]),
  .button:hover {
    border-color: var(--faint);
    background: var(--line);
  }
  button[aria-disabled="true"] {
    color: var(--dim);
    cursor: default;
  }
  button.plain {
    border-color: transparent;
    background: transparent;
  }
  button.plain:hover:not([aria-disabled="true"]) {
    background: var(--raised);
  }
  button.primary {
    border-color: var(--accent-strong);
    background: var(--accent-deep);
    color: #fff;
  }
  button.primary:hover:not([aria-disabled="true"]) {
    border-color: var(--text);
    background: var(--accent-deep);
  }
  button:is([aria-pressed="true"], [aria-checked="true"]) {
    border-color: var(--accent);
    background: color-mix(in srgb, var(--accent) 26%, var(--panel));
    color: var(--chosen-text);
  }
  /* As weighty as hovering a plain button, or what is chosen would look unchosen under the pointer. */
  button:is([aria-pressed="true"], [aria-checked="true"]):hover:not([aria-disabled="true"]) {
    border-color: var(--accent);
    background: color-mix(in srgb, var(--accent) 36%, var(--panel));
  }
  input:not([type="radio"]),
  select {
    padding: 4px 8px;
    min-height: 28px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--ground);
    color: var(--text);
    font: inherit;
  }
  input[type="radio"] {
    accent-color: var(--accent-strong);
  }
  ::placeholder {
    color: var(--dim);
  }
  kbd {
    padding: 1px 5px;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--ground);
    color: var(--quiet);
    font: var(--mono);
    white-space: nowrap;
  }
  svg {
    display: block;
    width: 16px;
    height: 16px;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
`;
