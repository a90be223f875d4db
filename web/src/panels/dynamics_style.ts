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
  .dynamics .switches .stiff {
    grid-template-columns: auto 26px;
    gap: 6px;
  }
  .dynamics .bake {
    justify-self: end;
  }
  .dynamics .preset .stiff {
    grid-template-columns: minmax(0, 1fr);
  }
  /* As wide as the widest word, for a slider that changes its length runs from under the hand. */
  .dynamics .preset {
    --reading: 54px;
  }
  .dynamics .stiff {
    --reading: 46px;
  }
  .dynamics .preset .stiff {
    --reading: inherit;
  }
  .dynamics .preset .stiff > span {
    display: none;
  }
  .dynamics .stops {
    display: flex;
    justify-content: space-between;
    margin: -2px 60px 4px 0;
  }
  .dynamics .stops button {
    font-size: 11px;
  }
  .dynamics .stops button[aria-pressed="true"] {
    color: var(--text);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .dynamics .problem {
    color: var(--bad-text);
  }
  .dynamics .makers {
    margin: 4px 0;
    align-items: center;
  }
  .dynamics progress {
    width: 60px;
    height: 5px;
    accent-color: var(--accent);
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
    gap: 4px;
    overflow: visible;
  }
  .dynamics .caption {
    display: block;
    margin-top: 3px;
  }
  .dynamics .link {
    color: var(--text);
    text-decoration: underline;
  }
`;
