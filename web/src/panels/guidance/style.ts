import { css } from "lit";

/** What Guidance looks like besides what it shares with Dynamics. */
export const guidanceStyle = css`
  .guidance .switches {
    display: flex;
    gap: 14px;
  }
  .guidance .switches .setting {
    grid-template-columns: auto 26px;
    gap: 6px;
  }
  .guidance .costs {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 8px;
    margin-bottom: 6px;
  }
  .guidance .costs button {
    padding: 0 5px;
  }
  .guidance .costs .terms {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  .guidance .costs .scale {
    display: flex;
    align-items: center;
    gap: 6px;
  }
  .guidance .costs i {
    width: 64px;
    height: 6px;
    border-radius: 3px;
  }
  .guidance .costs button[aria-checked="true"],
  .guidance .compare[aria-pressed="true"] {
    border-color: var(--accent);
    background: color-mix(in srgb, var(--accent) 26%, var(--panel));
    color: var(--chosen-text);
  }
  .guidance .walk {
    display: flex;
    align-items: center;
    gap: 6px;
  }
  .guidance .walk output {
    min-width: 34px;
    text-align: right;
    color: var(--quiet);
  }
`;
