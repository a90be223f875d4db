import { css } from "lit";

/** What Guidance looks like besides what it shares with Dynamics. */
export const guidanceStyle = css`
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
