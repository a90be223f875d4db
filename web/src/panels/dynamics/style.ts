import { css } from "lit";

/** What Dynamics looks like besides what it has from Guidance. */
export const dynamicsStyle = css`
  .dot.target {
    color: var(--target);
    border-radius: 1px;
    transform: rotate(45deg) scale(0.85);
  }
  .hold svg {
    color: var(--target);
  }
  .dynamics .switches {
    display: grid;
    grid-template-columns: auto auto 1fr;
    gap: 10px;
    align-items: center;
    margin-bottom: 4px;
  }
  .dynamics .switches .setting {
    grid-template-columns: auto 26px;
    gap: 6px;
  }
  .dynamics .bake {
    justify-self: end;
  }
  .dynamics .preset .setting {
    grid-template-columns: minmax(0, 1fr);
  }
  /* As wide as the widest word, for a slider that changes its length runs from under the hand. */
  .dynamics .preset {
    --reading: 66px;
  }
  .dynamics .setting {
    --reading: 46px;
  }
  .dynamics .preset .setting {
    --reading: inherit;
  }
  .dynamics .preset .setting > span {
    display: none;
  }
  /* The thumb's middle goes from 6 px to 6 px before the end of the slider; the reading and a gap are beside it. */
  .dynamics .stops {
    position: relative;
    height: 17px;
    margin: -3px 78px 4px 6px;
  }
  .dynamics .stops button {
    position: absolute;
    left: calc(100% * var(--stop));
    transform: translateX(-50%);
    font-size: 11px;
  }
  .dynamics .stops button:first-child {
    transform: translateX(-6px);
  }
  .dynamics .stops button[aria-pressed="true"] {
    color: var(--text);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .dynamics .problem {
    color: var(--bad-text);
  }
  .dynamics .reads {
    font-variant-numeric: tabular-nums;
    color: var(--target);
    white-space: nowrap;
  }
  .dynamics .reads.hit {
    color: var(--good);
  }
  .dynamics .makers .reads {
    flex: 1;
  }
  .dynamics .triple {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    grid-auto-flow: column;
    grid-auto-columns: auto;
    gap: 4px;
    overflow: visible;
  }
  .dynamics .triple span {
    color: var(--quiet);
  }
  .dynamics svg.bell {
    display: block;
    width: 100%;
    height: 52px;
    margin: 2px 0 4px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--ground);
    cursor: crosshair;
    touch-action: none;
  }
  .dynamics svg.bell :is(line, path) {
    vector-effect: non-scaling-stroke;
    stroke: var(--line);
  }
  .dynamics svg.bell path {
    fill: color-mix(in srgb, var(--target) 22%, transparent);
    stroke: var(--target);
    stroke-width: 1.5;
  }
  .dynamics svg.bell circle {
    fill: var(--target);
  }
  .dynamics .gives {
    margin: 4px 0;
  }
  .dynamics .gives summary {
    cursor: pointer;
  }
  .dynamics :is(.gives ul, ul.pose) {
    max-height: 180px;
    overflow: hidden auto;
    margin: 4px 0;
    padding: 0;
    list-style: none;
  }
  .dynamics .gives li {
    display: grid;
    grid-template-columns: minmax(64px, 1fr) auto;
    gap: 4px;
  }
  .dynamics .gives label {
    display: inline-flex;
    align-items: center;
    gap: 3px;
    min-width: 0;
    overflow: hidden;
    white-space: nowrap;
  }
  .dynamics .gives input {
    flex: none;
    width: 12px;
    height: 12px;
    margin: 1px;
    accent-color: var(--accent);
  }
  .dynamics .gives .each {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0 6px;
    max-width: 150px;
    color: var(--quiet);
  }
  .dynamics ul.pose li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 72px auto;
    gap: 4px;
    align-items: center;
  }
  .dynamics ul.pose .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .dynamics .names {
    color: var(--text);
  }
  .dynamics .part {
    white-space: nowrap;
  }
`;
