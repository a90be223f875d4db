import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { Studio } from "../../commands/studio";
import type { AimInfo, ChannelInfo } from "../../protocol/messages";
import { glyphs } from "../glyphs";
import { shortName } from "../inspector/inspection";
import { fold, isFolded } from "../inspector/section";

const FOLD = "Gives way";

/** Which channels may give way for a point's target: ticks by joint, and by channel beside them. */
export function givesWay({ model }: Studio, { name, gives, could, target }: AimInfo): TemplateResult {
  const chosen = new Set(gives);
  const rows = byJoint(model.scene.value?.channels ?? [], could);
  const usual = target.kind === "point" && (target.channels ?? null) === null;
  const set = (names: readonly string[] | null): unknown => model.loosening.change(name, { channels: names === null ? null : [...names] });
  const toggle = (names: readonly string[], on: boolean): unknown => set(could.filter((each) => (names.includes(each) ? on : chosen.has(each))));
  const tick = (label: string, names: readonly string[], what: string): TemplateResult => {
    const on = names.filter((each) => chosen.has(each)).length;
    const isLast = on === names.length && on === gives.length;
    const title = isLast ? `${what} is the last that gives way` : `Let ${what} give way`;
    return html`<label title=${title}
      ><input
        type="checkbox"
        aria-label=${title}
        ?disabled=${isLast}
        .checked=${live(on > 0)}
        .indeterminate=${live(on > 0 && on < names.length)}
        @change=${() => toggle(names, on < names.length)}
      />${label}</label
    >`;
  };
  return html`<details class="gives" ?open=${!isFolded(FOLD, true)} @toggle=${(event: Event) => fold(FOLD, !(event.target as HTMLDetailsElement).open)}>
    <summary title="What a correction may change so that the target is hit">${glyphs.chevron}Gives way<small class="quiet"> ${usual ? "as usual" : "chosen"}, ${gives.length} of ${could.length}</small></summary>
    <ul aria-label="What gives way for ${name}">
      ${rows.map(({ joint, channels }) => {
        const names = channels.map((each) => each.name);
        return html`<li>${tick(joint, names, joint)}<span class="each">${channels.length > 1 ? channels.map((each) => tick(shortName(each), [each.name], each.name)) : ""}</span></li>`;
      })}
    </ul>
    <div class="makers"><button ?disabled=${usual} title="Turns and IK handles that move it; no root, nothing that pins and contacts hold" @click=${() => set(null)}>As usual</button></div>
  </details>`;
}

/** Channels under the joint that they move alone, or else under their own name. */
function byJoint(channels: readonly ChannelInfo[], names: readonly string[]): { joint: string; channels: ChannelInfo[] }[] {
  const wanted = new Set(names);
  const found = new Map<string, ChannelInfo[]>();
  for (const channel of channels) {
    if (!wanted.has(channel.name)) continue;
    const joint = channel.joints.length === 1 ? channel.joints[0] : channel.name;
    found.set(joint, [...(found.get(joint) ?? []), channel]);
  }
  return [...found].map(([joint, own]) => ({ joint, channels: own }));
}
