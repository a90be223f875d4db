import type { SpringInfo } from "../../protocol/messages";
import type { Scale } from "../fields/slider";

/** One way from the tightest preset to the loosest: a stop for each, springs between them where the slider stands between. */
export class PresetScale implements Scale {
  constructor(private readonly presets: readonly SpringInfo[]) {}

  /** Where a spring of this frequency stands. */
  share(frequency: number): number {
    const { presets } = this;
    if (presets.length < 2) return 0;
    const next = presets.findIndex((each) => each.frequency <= frequency);
    if (next === 0) return 0;
    if (next < 0) return 1;
    const [above, below] = [presets[next - 1].frequency, presets[next].frequency];
    return (next - 1 + Math.log(above / frequency) / Math.log(above / below)) / (presets.length - 1);
  }

  value(share: number): number {
    return this.springAt(share)?.frequency ?? 1;
  }

  /** The spring at a share of the way; near a stop it is the stop's. */
  springAt(share: number): SpringInfo | null {
    const { presets } = this;
    if (presets.length === 0) return null;
    const at = Math.min(1, Math.max(0, share)) * (presets.length - 1);
    const stop = Math.round(at);
    if (Math.abs(at - stop) < STICKS) return presets[stop];
    const [a, b] = [presets[Math.floor(at)], presets[Math.ceil(at)]];
    const between = at - Math.floor(at);
    const damping = (1 - between) * (a.damping ?? 0.5) + between * (b.damping ?? 0.5);
    return { name: "", frequency: a.frequency * (b.frequency / a.frequency) ** between, damping };
  }

  /** What a spring is called: a preset's name, or "own". */
  nameOf(spring: SpringInfo): string {
    return this.presets.find((each) => sameSpring(each, spring))?.name ?? "own";
  }
}

/** So much of the way between two stops belongs to either. */
const STICKS = 0.16;

/** Whether two springs swing alike, whatever they are of. */
export function sameSpring(a: SpringInfo, b: SpringInfo): boolean {
  return near(a.frequency, b.frequency) && near(a.damping ?? 0.5, b.damping ?? 0.5);
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a));
}
