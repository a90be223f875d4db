import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { follow } from "../../elements/follow";
import type { ChannelInfo } from "../../protocol/messages";
import type { Holding } from "../fields/holding";
import { type ChannelGroup, keyAt, keyedAt, limitProblem, shortName } from "./inspection";
import "../fields/number_field";
import { section } from "./section";
import "../fields/stiffness";
import { quantityOf, unitName } from "../../model/units";

const MARKS = {
  here: "Key on this frame: click to delete it",
  elsewhere: "No key on this frame: click to add one; the curve keeps its shape",
  nowhere: "No keys: click to add one here",
};

/** Channels with their value on this frame, keys, limits and stiffness. */
export function channelsSection(studio: Studio, title: string, groups: readonly ChannelGroup[], aside: unknown = "", first: unknown = nothing): TemplateResult {
  return section(title, html`${first}${groups.map((each) => group(studio, each))}`, aside);
}

function group(studio: Studio, { title, channels }: ChannelGroup): TemplateResult {
  // Controls have long names and short numbers.
  const numbers = channels.every((channel) => quantityOf(channel.kind) === "number");
  const unit = ["value", unitName(quantityOf(channels[0].kind))].filter(Boolean).join(" ");
  return html`<div class="channels ${numbers ? "numbers" : ""}" role="group" aria-label=${title}>
    <span class="heading">${title}</span><span class="column">${unit}</span><span class="column" title="Lower limit">from</span><span class="column" title="Upper limit">to</span>
    ${channels.map((each) => line(studio, each))}
  </div>
  <ib-stiffness .channels=${channels} .label=${title} .hold=${(names: string[]) => studio.model.take({ kind: "set-stiffness", channels: names })}></ib-stiffness>
  ${lengthens(channels[0]) || channels.some((each) => !each.free) ? freedom(studio, title, channels) : nothing}`;
}

function lengthens({ kind }: ChannelInfo): boolean {
  return kind === "translation" || kind === "scale";
}

/** Whether drags and poses may use channels: the length of a bone is theirs only if somebody says so. */
function freedom({ model }: Studio, title: string, channels: readonly ChannelInfo[]): TemplateResult {
  const free = channels.every((each) => each.free);
  const change = () => model.ask({ type: "set-free", channels: channels.map((each) => each.name), free: !free });
  const help = free ? "Drags, poses and guidance may change it: click to hold it" : "Drags, poses and guidance leave it as it is keyed: click to free it";
  return html`<button class="bare" aria-pressed=${free} aria-label="${title}: free" title=${help} @click=${change}>${free ? "free" : "held"}</button>`;
}

function line(studio: Studio, channel: ChannelInfo): TemplateResult {
  const { model } = studio;
  const { name, lower, upper, kind } = channel;
  // Under a scaled armature a channel counts in its units; people read what is seen.
  const metres = channel.metres ?? 1;
  const quantity = quantityOf(kind);
  const at = model.channelIndex(name);
  const value = (): number | null => model.frames.channels(model.playback.frame.value)?.[at] ?? null;
  const shown = (): number | null => {
    const now = value();
    return now === null ? null : now * metres;
  };
  const state = (): keyof typeof MARKS => keyedAt(model.curves.get(at), model.timeOf(model.playback.frame.value), model.clip.value?.rate ?? 1);
  const problem = (): string => {
    const now = value();
    return now === null ? "" : limitProblem(channel, now);
  };
  const limit = (end: "lower" | "upper"): TemplateResult => html`<ib-number
    class="limit"
    .value=${inMetres(channel[end], metres)}
    .quantity=${quantity}
    .label=${`${name}: ${end} limit`}
    .set=${(to: number | null) => model.ask({ type: "set-limits", channel: name, lower, upper, [end]: inMetres(to, 1 / metres) })}
    optional
  ></ib-number>`;
  return html`
    <button
      class="bare key ${follow(state)}"
      title=${follow(() => MARKS[state()])}
      aria-label="${name}: ${follow(() => MARKS[state()])}"
      @click=${() => toggleKey(studio, channel)}
    ></button>
    <span class="name" title=${name}>${shortName(channel)}</span>
    <ib-number
      data-channel=${name}
      .value=${follow(shown)}
      .quantity=${quantity}
      .label=${name}
      .problem=${follow(() => problem() && `${name} is ${problem()}`)}
      .range=${rangeOf(channel)}
      .step=${stepOf(studio, kind)}
      .hold=${() => hold(studio, channel)}
    ></ib-number>
    ${limit("lower")} ${limit("upper")}
    ${follow(() => (isAtRest(studio) && problem() ? html`<span class="problem bad">${problem()}</span>` : nothing))}
  `;
}

function inMetres(value: number | null, metres: number): number | null {
  return value === null ? null : value * metres;
}

/** Lines that come and go would make everything below them jump while things move; the red number is enough then. */
function isAtRest({ model }: Studio): boolean {
  return !model.playback.playing.value && model.hand.value === null;
}

/** Take hold of a channel's value on the current frame; whoever wants more than its limits allow is told at the end. */
function hold({ model }: Studio, channel: ChannelInfo): Holding {
  model.playback.playing.value = false;
  const hand = model.take({ kind: "set-value", channel: channel.name, time: model.timeOf(model.playback.frame.value) });
  let problem = "";
  return {
    move: (shown) => {
      const value = shown / (channel.metres ?? 1);
      problem = limitProblem(channel, value);
      hand.move(value);
    },
    commit: async () => {
      await hand.commit();
      const answer = model.answer.value;
      const stopped = answer?.gesture === hand.number && !answer.reached;
      if (stopped && problem) model.notices.add("info", `${channel.name} stops at its limit: you asked for ${problem}`);
    },
    cancel: () => hand.cancel(),
  };
}

function toggleKey({ model }: Studio, { name }: ChannelInfo): void {
  const time = model.timeOf(model.playback.frame.value);
  const layer = model.guiding.layer.value;
  const number = (model.clip.value?.layers.findIndex((each) => each.name === layer) ?? -1) + 1;
  const key = keyAt(model.curves.get(model.channelIndex(name), number), time, model.clip.value?.rate ?? 1);
  void model.ask(key < 0 ? { type: "insert-keys", channels: [name], time, layer } : { type: "delete-keys", keys: [{ channel: name, key, layer }] });
}

/** Between which values a bar behind the number runs: the limits or, of a sketch, none of it to half more than drawn. */
function rangeOf({ lower, upper, kind, metres = 1 }: ChannelInfo): [number, number] | null {
  if (lower !== null && upper !== null && upper > lower) return [lower * metres, upper * metres];
  return kind === "bend" ? [0, 1.5] : null;
}

/** What a pixel of a scrub is: half a degree, a 500th of the character, a 200th of a weight. */
function stepOf({ model }: Studio, kind: ChannelInfo["kind"]): number {
  if (kind === "rotation") return Math.PI / 360;
  return kind === "translation" ? (model.scene.value?.height ?? 1) / 500 : 0.005;
}
