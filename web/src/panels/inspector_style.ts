import { css } from "lit";

export const inspectorStyle = css`
  .all {
    height: 100%;
    overflow: hidden auto;
    scrollbar-gutter: stable;
  }
  details {
    border-bottom: 1px solid var(--ground);
  }
  summary {
    display: flex;
    align-items: center;
    gap: 4px;
    height: 26px;
    padding: 0 6px;
    list-style: none;
    cursor: pointer;
    color: var(--quiet);
  }
  summary .title {
    font-weight: 600;
    color: var(--text);
  }
  summary .aside {
    margin-left: auto;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  details[open] > summary svg {
    transform: rotate(90deg);
  }
  .content {
    padding: 2px 8px 9px;
  }
  p {
    margin: 2px 0 6px;
  }
  dl {
    display: grid;
    grid-template-columns: 68px minmax(0, 1fr);
    gap: 2px 6px;
    align-items: center;
    margin: 0;
  }
  dt {
    color: var(--quiet);
  }
  dd {
    margin: 0;
    min-height: 20px;
    line-height: 20px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  .position {
    display: grid;
    grid-template-columns: repeat(3, 1fr) auto;
    gap: 4px;
    text-align: right;
  }
  .range {
    display: grid;
    grid-template-columns: 1fr auto 1fr;
    gap: 6px;
    color: var(--quiet);
    overflow: visible;
  }
  ul {
    list-style: none;
    margin: 0 0 6px;
    padding: 0;
  }
  li {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 24px;
    padding: 0 4px;
    margin: 0 -4px;
    border-radius: 3px;
  }
  li:hover {
    background: var(--raised);
  }
  li.chosen,
  li.active {
    background: color-mix(in srgb, var(--accent) 16%, transparent);
  }
  li .name {
    flex: 1;
    min-width: 0;
    justify-content: space-between;
    gap: 6px;
    color: var(--text);
    overflow: hidden;
    white-space: nowrap;
  }
  li .name span {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  li.off .name span,
  .layer.off .name {
    color: var(--quiet);
  }
  small {
    flex: none;
    font-size: 11px;
  }
  .points {
    margin: 6px 0 0;
  }
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
    gap: 4px;
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
    color: #fff;
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
  .channels {
    display: grid;
    grid-template-columns: 14px minmax(0, 1fr) 60px 46px 46px;
    gap: 2px 4px;
    align-items: center;
    margin-top: 3px;
  }
  .channels.numbers {
    grid-template-columns: 14px minmax(0, 1fr) 52px 40px 40px;
  }
  .channels .heading {
    grid-column: 1 / 3;
    color: var(--quiet);
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .channels .column {
    text-align: right;
    font-size: 11px;
    color: var(--quiet);
    padding-right: 5px;
  }
  .channels .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .channels .problem {
    grid-column: 2 / -1;
    font-size: 11px;
    text-align: right;
  }
  ib-stiffness {
    margin: 2px 0 6px;
  }
  .key {
    width: 14px;
    height: 20px;
  }
  .key::before {
    content: "";
    width: 7px;
    height: 7px;
    transform: rotate(45deg);
    border-radius: 1px;
    border: 1.5px solid var(--key);
  }
  .key.here::before {
    background: var(--key);
  }
  .key.nowhere::before {
    border: none;
    width: 4px;
    height: 4px;
    border-radius: 50%;
    background: var(--faint);
  }
  .key:hover::before {
    border-color: var(--text);
  }
  .layer {
    display: grid;
    grid-template-columns: 26px 80px minmax(0, 1fr);
    gap: 6px;
    align-items: center;
    height: 22px;
  }
  .layer .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  select {
    width: 100%;
    font: inherit;
    color: var(--text);
    background: var(--ground);
    border: 1px solid var(--line);
    border-radius: 3px;
  }
  .empty {
    padding: 14px 10px 10px;
    margin: 0;
    color: var(--quiet);
    border-bottom: 1px solid var(--ground);
  }
  .weighs {
    margin-bottom: 6px;
  }
  :is(.guidance, .dynamics) .stiff {
    display: grid;
    grid-template-columns: 84px minmax(0, 1fr);
    align-items: center;
    gap: 4px;
    height: 21px;
  }
  :is(.guidance, .dynamics) .stiff > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  :is(.guidance, .dynamics) li .name {
    flex: 1;
  }
  :is(.guidance, .dynamics) .presets {
    margin: 4px 0;
  }
  :is(.guidance, .dynamics) .stiff.off > span {
    color: var(--quiet);
  }
  .guidance .heat {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px;
    margin-bottom: 6px;
  }
  .guidance .heat button {
    padding: 0 5px;
  }
  .guidance .heat button[aria-checked="true"],
  .guidance .compare[aria-pressed="true"] {
    border-color: var(--accent);
    background: color-mix(in srgb, var(--accent) 26%, var(--panel));
    color: #fff;
  }
  :is(.guidance, .dynamics) details {
    border-top: 1px solid var(--ground);
    border-bottom: 0;
    margin: 0 -8px;
  }
  :is(.guidance, .dynamics) details:last-child {
    margin-bottom: -9px;
  }
  :is(.guidance, .dynamics) summary .title {
    font-weight: 400;
  }
  :is(.guidance, .dynamics) .run {
    min-width: 56px;
    background: var(--accent-strong);
    border-color: var(--accent-strong);
    color: #fff;
  }
  .way {
    width: 100%;
    accent-color: var(--accent);
  }
`;
