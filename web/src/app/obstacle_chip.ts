import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { icon } from "../elements/icons";
import { SignalElement } from "../elements/signal_element";
import { hitCount, obstacleDetails, obstacleLine } from "./obstacle_text";
import { model } from "./studio";

/** How many obstacles the motion hits; green when none. Not there in a document without obstacles. */
@customElement("ib-obstacle-chip")
export class ObstacleChip extends SignalElement {
  static override styles = [
    controls,
    css`
      span {
        display: inline-flex;
        align-items: center;
        gap: 6px;
        padding: 3px 11px;
        border: 1px solid currentColor;
        border-radius: 99px;
        font-weight: 600;
        white-space: nowrap;
      }
      .hit {
        color: var(--bad-text);
        background: color-mix(in srgb, var(--bad) 16%, var(--panel));
      }
      .unknown {
        visibility: hidden;
      }
      .clear {
        color: var(--good);
        background: color-mix(in srgb, var(--good) 14%, var(--panel));
      }
    `,
  ];
  private lastHit = -1;

  override render(): TemplateResult | typeof nothing {
    const items = model.obstacles.value?.items ?? [];
    const some = model.scene.value?.props.some((prop) => prop.role === "obstacle") ?? false;
    if (!some) return nothing;
    const hit = hitCount(items);
    // Until they are counted it keeps its place: the bar must not take another row when the number comes.
    return html`<span
      class="${hit > 0 ? "hit" : "clear"} ${items.length === 0 ? "unknown" : ""}"
      role="status"
      title=${obstacleDetails(items, (frame) => model.frameLabel(frame))}
      >${icon(hit > 0 ? "warning" : "tick")}${obstacleLine(hit)}</span
    >`;
  }

  /** One pulse when the number changes, so that it is noticed in the corner of the eye; otherwise it keeps still. */
  override updated(): void {
    const hit = hitCount(model.obstacles.value?.items ?? []);
    const chip = this.renderRoot.querySelector("span");
    const changed = this.lastHit >= 0 && hit !== this.lastHit;
    this.lastHit = chip && !chip.classList.contains("unknown") ? hit : -1;
    if (!chip || !changed || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    chip.animate([{ boxShadow: "0 0 0 0 currentColor" }, { boxShadow: "0 0 0 9px transparent" }], { duration: 500 });
  }
}
