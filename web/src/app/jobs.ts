import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { controls } from "../elements/controls";
import { icon } from "../elements/icons";
import { SignalElement } from "../elements/signal_element";
import { sentence } from "../model/notices";
import { keyed } from "../protocol/door";
import type { Job } from "../protocol/messages";
import { card } from "./corner";
import { JobCards } from "./job_cards";
import { model } from "./studio";

/** Long work: how far it is, a way to stop it, and at its end a way to fetch what it wrote. */
@customElement("ib-jobs")
export class Jobs extends SignalElement {
  static override styles = [
    controls,
    card,
    css`
      .card {
        --colour: var(--accent);
      }
      .done {
        --colour: var(--good);
      }
      .short {
        --colour: var(--warn);
      }
      progress {
        display: block;
        width: 100%;
        height: 5px;
        margin-top: 7px;
        appearance: none;
        border: 0;
        border-radius: 3px;
        background: var(--line);
        overflow: hidden;
      }
      progress::-webkit-progress-bar {
        background: var(--line);
      }
      progress::-webkit-progress-value {
        background: var(--accent);
      }
      progress::-moz-progress-bar {
        background: var(--accent);
      }
      .button {
        min-height: 22px;
        padding: 1px 9px;
      }
    `,
  ];
  private readonly cards = new JobCards();
  private timer = 0;

  override render(): TemplateResult {
    const { shown, again } = this.cards.look(model.jobs.value, performance.now());
    clearTimeout(this.timer);
    if (again !== null) this.timer = window.setTimeout(() => this.requestUpdate(), again + 1);
    return html`${repeat(
      shown,
      (job) => job.job,
      (job) => this.card(job),
    )}`;
  }

  private card(job: Job): TemplateResult {
    const running = job.state === "running";
    const close = (): void => {
      this.cards.close(job.job);
      this.requestUpdate();
    };
    const cancel = (): void => void model.ask({ type: "cancel-job", job: job.job });
    return html`
      <div class="card ${job.short ? "short" : job.state}" role="status">
        ${running ? nothing : icon(job.short ? "warning" : "tick")}
        <span class="text">
          ${running ? job.label : sentence(job.text || job.label)}
          ${running ? html`<progress aria-label=${job.label} max="1" value=${job.progress ?? nothing}></progress>` : nothing}
        </span>
        ${job.url ? html`<a class="button" href=${keyed(job.url)} download title="Fetch ${job.path ?? "the file"}">Download</a>` : nothing}
        ${
          running
            ? html`<button title="Stop this" @click=${cancel}>Cancel</button>`
            : html`<button class="plain" aria-label="Close" title="Close" @click=${close}>${icon("close")}</button>`
        }
      </div>
    `;
  }
}
