import { html, svg, type TemplateResult } from "lit";
import { followDrag } from "../../canvas/press";
import type { Studio } from "../../commands/studio";
import { BELL_DEFAULTS, bellHeight, drawnHeights, drawnOver } from "../../model/bell";
import type { AimInfo, BellInfo } from "../../protocol/messages";

/** Pixels of the pad, and how far from its upper edge the top of a bell is. */
const [WIDTH, HEIGHT, MARGIN] = [200, 52, 6];

/** The bell of a target, large enough to draw on: from where its correction begins to where it is over. */
export function bellPad({ model }: Studio, { name, target }: AimInfo): TemplateResult {
  const bell: Required<BellInfo> = { ...BELL_DEFAULTS, drawn: [], ...target.bell };
  const draw = (start: PointerEvent): void => {
    if (start.button !== 0) return;
    const pad = start.currentTarget as HTMLElement;
    const box = pad.getBoundingClientRect();
    const at = ({ clientX, clientY }: PointerEvent): [number, number] => [
      (2 * (clientX - box.left)) / box.width - 1,
      1 - ((clientY - box.top) / box.height - MARGIN / HEIGHT) / (1 - (2 * MARGIN) / HEIGHT),
    ];
    const hand = model.take({ kind: "shape-bell", target: name });
    let last = at(start);
    let heights = drawnOver(drawnHeights(bell), last, last);
    const send = (): void => hand.move(bell.before, bell.after, ...heights);
    send();
    followDrag(pad, start, {
      move(event) {
        const next = at(event);
        heights = drawnOver(heights, last, next);
        last = next;
        send();
      },
      commit: () => void hand.commit(),
      cancel: () => void hand.cancel(),
    });
  };
  const text = `How the correction of ${name} comes and goes: draw over it`;
  return html`<svg class="bell" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${text} @pointerdown=${draw}>
    ${svg`<title>${text}</title>
    <line x1=${WIDTH / 2} x2=${WIDTH / 2} y1="0" y2=${HEIGHT} />
    <path d=${outline(bell)} />
    ${bell.drawn.length > 0 ? drawnHeights(bell).map((height, i, all) => svg`<circle cx=${((i + 1) * WIDTH) / (all.length + 1)} cy=${y(height)} r="2" />`) : ""}`}
  </svg>`;
}

function outline(bell: Required<BellInfo>): string {
  const points = Array.from({ length: 81 }, (_, i) => {
    const place = i / 40 - 1;
    return `${((i * WIDTH) / 80).toFixed(1)},${y(bellHeight(bell, place * (place < 0 ? bell.before : bell.after))).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

function y(height: number): number {
  return HEIGHT - MARGIN - height * (HEIGHT - 2 * MARGIN);
}
