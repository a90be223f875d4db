import { css } from "lit";

export const outlinerStyle = css`
  .search {
    display: flex;
    align-items: center;
    gap: 6px;
    margin: 6px;
    padding: 0 6px;
    height: 24px;
    flex: none;
    background: var(--ground);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    color: var(--quiet);
  }
  .search:focus-within {
    border-color: var(--accent);
  }
  .search input {
    flex: 1;
    min-width: 0;
    font: inherit;
    color: var(--text);
    background: none;
    border: none;
    outline: none;
  }
  .search input::placeholder {
    color: var(--quiet);
  }
  .list {
    flex: 1;
    min-height: 0;
    overflow: hidden auto;
    position: relative;
  }
  .list:focus-visible {
    outline: none;
  }
  .lines {
    position: relative;
  }
  .line {
    position: absolute;
    left: 0;
    right: 0;
    height: 22px;
    display: flex;
    align-items: center;
    gap: 3px;
    padding-right: 6px;
    cursor: default;
    white-space: nowrap;
  }
  .line:hover,
  .line.cursor:not(.section, .chosen, .part),
  .line.lit {
    background: var(--raised);
  }
  .line.part {
    background: color-mix(in srgb, var(--accent) 13%, transparent);
  }
  .line.chosen {
    background: color-mix(in srgb, var(--accent) 30%, transparent);
  }
  .list:focus-visible .line.cursor {
    outline: 1px solid var(--accent);
    outline-offset: -1px;
  }
  .line.section {
    font-weight: 600;
    font-size: 11px;
    letter-spacing: 0.02em;
    color: var(--quiet);
  }
  .twist {
    flex: none;
    width: 14px;
    height: 22px;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    color: var(--quiet);
  }
  .twist.open svg {
    transform: rotate(90deg);
  }
  .name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: pre;
  }
  .name:has(.start) {
    display: flex;
  }
  .start {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .end {
    flex: none;
  }
  .point .name {
    color: var(--quiet);
    font-style: italic;
  }
  .spot {
    flex: none;
    width: 5px;
    height: 5px;
    margin-right: 3px;
    border: 1px solid var(--quiet);
    border-radius: 50%;
  }
  mark {
    color: inherit;
    background: color-mix(in srgb, var(--target) 40%, transparent);
    border-radius: 2px;
  }
  .mark {
    flex: none;
    width: 7px;
    height: 7px;
    border-radius: 50%;
    margin-left: 2px;
    border: 1.5px solid currentColor;
    background: currentColor;
  }
  .mark.hollow {
    background: none;
  }
  .mark.pinned {
    color: var(--pin);
  }
  .mark.planted {
    color: var(--contact);
  }
  .mark.keyed {
    color: var(--key);
    border-radius: 1px;
    width: 6px;
    height: 6px;
    transform: rotate(45deg);
    margin-right: 1px;
  }
  .mark.keyed.hollow {
    opacity: 0.75;
  }
  .wave {
    flex: none;
    color: var(--accent);
  }
  .wave svg {
    width: 11px;
    height: 11px;
  }
  .wave.faint {
    opacity: 0.6;
  }
  .eye {
    width: 20px;
    height: 20px;
  }
  .mesh:has(.eye.off) .name {
    color: var(--quiet);
    text-decoration: line-through;
  }
  .clearance {
    font-variant-numeric: tabular-nums;
    font-size: 11px;
  }
  .empty {
    margin: 12px;
  }
`;
