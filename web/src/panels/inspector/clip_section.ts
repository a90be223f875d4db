import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { jerks } from "../../model/curves";
import { commonBeginning, shortened } from "../../model/names";
import type { Clip, LayerInfo } from "../../protocol/messages";
import { atTheEnd } from "../fields/holding";
import { section } from "./section";
import "../fields/slider";

/** The shown clip: range, rate, looping, layers. */
export function clipSection(studio: Studio, clip: Clip): TemplateResult {
  const { model } = studio;
  const [first, last] = [clip.start * clip.rate, clip.end * clip.rate];
  const setRange = (start: number, end: number): unknown => model.ask({ type: "set-clip-range", start: start / clip.rate, end: end / clip.rate });
  const numberField = (label: string, value: number, set: (to: number) => unknown): TemplateResult => html`<ib-number
    .value=${value}
    .quantity=${"number"}
    .label=${label}
    .set=${set}
  ></ib-number>`;
  const frameField = (label: string, value: number, set: (to: number) => unknown): TemplateResult => html`<ib-number
    .value=${value}
    .quantity=${"frames"}
    .label=${label}
    .set=${set}
  ></ib-number>`;
  const content = html`
    <dl>
      ${clips(studio, clip)}
      <dt>Frames</dt>
      <dd class="range">
        ${frameField("First frame of the clip", first, (to) => setRange(to, last))}<span>to</span>${frameField("Last frame of the clip", last, (to) => setRange(first, to))}
      </dd>
      <dt>Rate</dt>
      <dd class="range">
        ${numberField("Frames a second", clip.rate, (rate) => model.ask({ type: "set-clip-rate", rate }))}<span>frames/s, ${(clip.end - clip.start).toFixed(2)} s long</span>
      </dd>
      <dt>Loops</dt>
      <dd>
        <button
          class="switch"
          role="switch"
          aria-checked=${clip.loops}
          aria-label="The clip loops"
          title="Whether the end flows into the start"
          @click=${() => model.ask({ type: "set-clip-loops", loops: !clip.loops })}
        ></button>
      </dd>
      ${sound(studio, clip)} ${camera(studio)} ${picture(studio, clip)}
    </dl>
    ${clip.loops ? seam(studio, clip) : nothing}
    ${clip.layers.length > 0 ? html`<span class="quiet caption">Layers, added to the keys below them</span><div class="layers">${clip.layers.map((each) => layer(studio, each))}</div>` : nothing}
  `;
  return section("Clip", content, clip.name);
}

/** What is heard, and from which frame on. */
function sound({ model }: Studio, clip: Clip): TemplateResult | typeof nothing {
  const info = model.sound.info.value;
  if (!info) return nothing;
  const change = (what: { start?: number; muted?: boolean; remove?: boolean }): unknown => model.ask({ type: "change-sound", ...what });
  return html`<dt>Sound</dt>
    <dd class="range">
      <button
        class="switch"
        role="switch"
        aria-checked=${!info.muted}
        aria-label="The sound is heard"
        title=${info.muted ? `Hear ${info.name} again` : `Mute ${info.name}`}
        @click=${() => change({ muted: !info.muted })}
      ></button>
      <ib-number
        .value=${model.sound.start * clip.rate}
        .quantity=${"frames"}
        .label=${"Frame at which the sound begins"}
        .set=${(to: number) => change({ start: to / clip.rate })}
      ></ib-number>
      <button title=${`Remove ${info.name}`} aria-label="Remove the sound" @click=${() => change({ remove: true })}>✕</button>
    </dd>`;
}

/** The camera that it is seen by: pictures and movies look through it. */
function camera({ model, commands }: Studio): TemplateResult | typeof nothing {
  const keys = model.camera.value?.keys;
  if (!keys) return nothing;
  const through = model.throughCamera.value;
  const near = keys.map((time) => Math.round(model.frameOf(time)));
  const go = (frame: number | undefined): unknown => frame !== undefined && model.playback.go(frame);
  const now = model.playback.frame.value;
  return html`<dt>Camera</dt>
    <dd class="range">
      <button aria-pressed=${through} title=${commands.tooltip("camera-through")} @click=${() => commands.run("camera-through")}>Look through</button>
      <button title="To the camera key before" aria-label="To the camera key before" @click=${() => go(near.filter((frame) => frame < now).at(-1))}>‹</button>
      <span>${keys.length === 1 ? "1 key" : `${keys.length} keys`}</span>
      <button title="To the next camera key" aria-label="To the next camera key" @click=${() => go(near.find((frame) => frame > now))}>›</button>
    </dd>`;
}

/** The picture or video behind the clip: where it stands, how high and how clear it is. */
function picture({ model }: Studio, clip: Clip): TemplateResult | typeof nothing {
  const info = model.picture.value;
  if (!info) return nothing;
  const change = (what: { position?: [number, number, number]; height?: number; opacity?: number; start?: number; remove?: boolean }): unknown =>
    model.ask({ type: "change-picture", ...what });
  const length = (label: string, value: number, set: (to: number) => unknown): TemplateResult =>
    html`<ib-number .value=${value} .quantity=${"length"} .label=${label} .set=${set}></ib-number>`;
  const along = (axis: number, to: number): [number, number, number] => info.position.map((x, i) => (i === axis ? to : x)) as [number, number, number];
  return html`<dt title=${info.name}>${info.video ? "Video" : "Picture"}</dt>
    <dd class="range">
      ${["x", "y", "z"].map((axis, i) => length(`Picture along ${axis}`, info.position[i], (to) => change({ position: along(i, to) })))}
      <button title=${`Remove ${info.name}`} aria-label="Remove the picture" @click=${() => change({ remove: true })}>✕</button>
    </dd>
    <dt>Height</dt>
    <dd class="range">
      ${length("Height of the picture", info.height, (to) => change({ height: to }))}
      <ib-slider
        .value=${info.opacity}
        .label=${"How clear the picture is"}
        .text=${`${Math.round(100 * info.opacity)} %`}
        .hold=${() => atTheEnd((to) => change({ opacity: to }))}
      ></ib-slider>
    </dd>
    ${
      info.video
        ? html`<dt>From frame</dt>
            <dd class="range">
              <ib-number
                .value=${info.start * clip.rate}
                .quantity=${"frames"}
                .label=${"Frame at which the video begins"}
                .set=${(to: number) => change({ start: to / clip.rate })}
              ></ib-number>
            </dd>`
        : nothing
    }`;
}

/** Where a loop does not flow on, how to mend that. */
function seam({ model }: Studio, clip: Clip): TemplateResult | typeof nothing {
  const count = [...model.curves.all()].filter((curve) => jerks(curve, clip.start, clip.end)).length;
  if (count === 0) return nothing;
  return html`<div class="makers seam">
    <span class="quiet">${count === 1 ? "1 curve jerks" : `${count} curves jerk`} where the loop begins again</span>
    <button title="Give both ends of these curves one slope, the mean of what they have; no key moves" @click=${() => model.ask({ type: "smooth-seam" })}>Smooth</button>
  </div>`;
}

/** Which clip is shown, where there is a choice. */
function clips({ model }: Studio, clip: Clip): TemplateResult | typeof nothing {
  const names = model.scene.value?.clips ?? [];
  if (names.length < 2) return nothing;
  const show = (event: Event): unknown => model.ask({ type: "show-clip", clip: (event.target as HTMLSelectElement).value });
  return html`<dt>Clip</dt>
    <dd>
      <select aria-label="Shown clip" .value=${clip.name} @change=${show}>
        ${names.map((name) => html`<option value=${name} ?selected=${name === clip.name}>${shortened(name, commonBeginning(names))}</option>`)}
      </select>
    </dd>`;
}

function layer({ model }: Studio, { name, weight, muted }: LayerInfo): TemplateResult {
  return html`<div class="layer ${muted ? "off" : ""}">
    <button
      class="switch"
      role="switch"
      aria-checked=${!muted}
      aria-label="Layer ${name} counts"
      title=${muted ? `Let layer ${name} count again` : `Leave layer ${name} out`}
      @click=${() => model.ask({ type: "change-layer", layer: name, muted: !muted })}
    ></button>
    <span class="name" title=${name}>${name}</span>
    <ib-slider
      .value=${weight}
      .label=${`Weight of layer ${name}`}
      .text=${`${Math.round(100 * weight)} %`}
      .hold=${() => atTheEnd((to) => model.ask({ type: "change-layer", layer: name, weight: to }))}
    ></ib-slider>
  </div>`;
}
