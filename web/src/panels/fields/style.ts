import { css } from "lit";

/** What all sections are made of: buttons, switches, lines with a slider, dots. */
export const controlsStyle = css`
  .dot {
    flex: none;
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: currentColor;
    border: 1.5px solid currentColor;
  }
  .dot.pin,
  .dot.lock {
    color: var(--pin);
  }
  .dot.lock {
    border-radius: 2px;
  }
  .dot.contact {
    color: var(--contact);
  }
  li.off .dot,
  button.pin[aria-pressed="false"] .dot {
    background: none;
  }
  button.pin {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    margin-top: 5px;
  }
  button.pin[aria-pressed="true"] {
    border-color: var(--pin);
  }
  .makers {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px;
    margin: 4px 0;
  }
  .presets {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: 1fr;
    gap: 4px;
  }
  .presets button[aria-checked="true"] {
    border-color: var(--accent);
    background: color-mix(in srgb, var(--accent) 26%, var(--panel));
    color: var(--chosen-text);
  }
  .switch {
    flex: none;
    width: 26px;
    height: 14px;
    padding: 0;
    border-radius: 7px;
    position: relative;
    background: var(--ground);
    vertical-align: middle;
  }
  .switch::after {
    content: "";
    position: absolute;
    top: 1px;
    left: 1px;
    width: 10px;
    height: 10px;
    border-radius: 50%;
    background: var(--quiet);
  }
  .switch[aria-checked="true"] {
    background: var(--accent-strong);
    border-color: var(--accent-strong);
  }
  .switch[aria-checked="true"]::after {
    left: 13px;
    background: var(--text);
  }
  select {
    width: 100%;
    font: inherit;
    color: var(--text);
    background: var(--ground);
    border: 1px solid var(--line);
    border-radius: 3px;
  }
  .setting {
    display: grid;
    grid-template-columns: var(--label) minmax(0, 1fr);
    align-items: center;
    gap: 6px;
    height: 21px;
  }
  .setting > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .content .presets {
    margin: 4px 0;
  }
  /* A setting of the setting above it. */
  .under {
    margin-left: 10px;
    --label: 64px;
  }
  .setting > span:first-child {
    color: var(--quiet);
  }
  .setting.off > span:first-child {
    color: var(--dim);
  }
  .run {
    min-width: 56px;
    background: var(--accent-deep);
    border-color: var(--accent-strong);
    color: #fff;
  }
  .run:disabled {
    background: var(--raised);
    border-color: var(--line);
    color: var(--quiet);
  }
  .link {
    color: var(--text);
    text-decoration: underline;
  }
`;
