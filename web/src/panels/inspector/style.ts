import { css } from "lit";

/** How the inspector is laid out: sections, lists, what is read in pairs. */
export const inspectorStyle = css`
  .all {
    /* How wide the names before values are, all down the panel. */
    --label: 74px;
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
    flex: none;
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
    grid-template-columns: var(--label) minmax(0, 1fr);
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
  .range,
  .sides {
    display: grid;
    grid-template-columns: 1fr auto 1fr;
    gap: 6px;
    color: var(--quiet);
    overflow: visible;
  }
  .sides {
    grid-template-columns: 1fr auto 1fr auto;
  }
  .caption {
    display: block;
    margin: 3px 0 2px;
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
  li.fold {
    display: block;
  }
  li.fold:hover {
    background: none;
  }
  .fold summary {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 24px;
    cursor: default;
  }
  .fold summary::before {
    content: "›";
    color: var(--quiet);
  }
  .fold [open] > summary::before {
    transform: rotate(90deg);
  }
  .fold summary.chosen {
    background: color-mix(in srgb, var(--accent) 16%, transparent);
  }
  .fold summary span {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .fold ul {
    padding-left: 12px;
  }
  .filter {
    display: flex;
    align-items: center;
    gap: 6px;
    margin-bottom: 4px;
  }
  .filter input {
    width: 52px;
    border: 1px solid var(--line);
    border-radius: 3px;
    background: var(--raised);
    color: var(--text);
    text-align: right;
  }
  li.apart {
    padding-left: 18px;
    justify-content: space-between;
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
  .layer {
    display: grid;
    grid-template-columns: 26px minmax(0, 6fr) minmax(0, 5fr);
    gap: 6px;
    align-items: center;
    height: 22px;
  }
  .layer .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
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
`;
