import { css } from "lit";

/** What sliders look like; `--share` says how far along the thumb is. */
export const rangeStyle = css`
  input[type="range"] {
    flex: 1;
    min-width: 0;
    height: 18px;
    margin: 0;
    appearance: none;
    background: none;
    cursor: pointer;
  }
  input[type="range"]::-webkit-slider-runnable-track {
    height: 3px;
    border-radius: 2px;
    background: linear-gradient(to right, var(--accent) var(--share), var(--line) var(--share));
  }
  input[type="range"]::-webkit-slider-thumb {
    appearance: none;
    width: 12px;
    height: 12px;
    margin-top: -4.5px;
    border-radius: 50%;
    border: 2px solid var(--panel);
    background: var(--text);
  }
  input[type="range"]::-moz-range-track {
    height: 3px;
    border-radius: 2px;
    background: linear-gradient(to right, var(--accent) var(--share), var(--line) var(--share));
  }
  input[type="range"]::-moz-range-thumb {
    width: 9px;
    height: 9px;
    border-radius: 50%;
    border: 2px solid var(--panel);
    background: var(--text);
  }
  input[type="range"]:disabled {
    cursor: default;
    opacity: 0.45;
  }
  input[type="range"]:focus-visible {
    outline: var(--ring);
    border-radius: 3px;
  }
`;
