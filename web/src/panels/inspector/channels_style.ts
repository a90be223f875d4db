import { css } from "lit";

/** Lines of channels: key mark, name, value, limits, stiffness. */
export const channelsStyle = css`
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
`;
