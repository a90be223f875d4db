import { css } from "lit";
import type { Studio } from "../commands/studio";
import { SignalElement } from "../elements/signal_element";
import type { Model } from "../model/model";

/** A component that renders at most once a displayed frame, however often what it shows changes. */
export abstract class Panel extends SignalElement {
  constructor(protected readonly studio: Studio) {
    super();
  }

  protected get model(): Model {
    return this.studio.model;
  }

  protected override async scheduleUpdate(): Promise<void> {
    await new Promise(requestAnimationFrame);
    await super.scheduleUpdate();
  }
}

/** What all panels look like. */
export const panelStyle = css`
  :host {
    height: 100%;
    background: var(--panel);
    color: var(--text);
    font: var(--font);
    font-size: 12px;
  }
  /* The layout styles the panel's element itself; what divides its height is inside. */
  .panel {
    display: flex;
    flex-direction: column;
    height: 100%;
    min-height: 0;
  }
  * {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: var(--ring);
    outline-offset: -1px;
  }
  button {
    font: inherit;
    color: var(--text);
    background: var(--raised);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: 2px 8px;
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    border-color: var(--quiet);
  }
  button:disabled {
    color: var(--quiet);
    opacity: 0.6;
    cursor: default;
  }
  button.bare {
    background: none;
    border: none;
    padding: 0;
    color: var(--quiet);
    display: inline-flex;
    align-items: center;
    justify-content: center;
    border-radius: 3px;
  }
  button.bare:hover:not(:disabled) {
    color: var(--text);
  }
  svg {
    display: block;
    width: 14px;
    height: 14px;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .quiet {
    color: var(--quiet);
  }
  .bad {
    color: var(--bad);
  }
  ::-webkit-scrollbar {
    width: 9px;
    height: 9px;
  }
  ::-webkit-scrollbar-thumb {
    background: var(--line);
    border-radius: 5px;
    border: 2px solid var(--panel);
  }
`;
