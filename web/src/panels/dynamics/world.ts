import { html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import { centimetres } from "../../model/units";
import type { LoosenessSettings } from "../../protocol/messages";
import { choiceLine, selectLine, sliderLine, switchLine } from "../fields/lines";
import { DRAG, ERROR, GRAVITY, WINDOW } from "../fields/scales";

type Masses = NonNullable<LoosenessSettings["masses"]>;

const WAYS = [["boxes", "boxes"] as const, ["human", "a person"] as const, ["mesh", "its mesh"] as const];

type Part = "gravity" | "drag" | "window" | "error";

/** The world that springs swing in. */
export function world(studio: Studio, settings: LoosenessSettings): TemplateResult {
  const { model } = studio;
  const { gravity = 0, drag = 1, masses = "boxes", collide = false } = settings;
  const { loosening } = model;
  const unbumped = loosening.told.value?.unbumped || "";
  return html`
    ${slider(studio, "Gravity", "How much of the earth's gravity pulls at what is loose", "gravity", gravity, `${Math.round(100 * gravity)} %`, GRAVITY)}
    ${slider(studio, "Drag", "At 100 % damping holds against any movement; at 0 % only against leaving the keyed motion", "drag", drag, `${Math.round(100 * drag)} %`, DRAG)}
    ${selectLine<Masses>("Weighed", "How parts are weighed, for what swings and for guidance: by boxes along bones, as a person's, or by what the mesh encloses", masses, WAYS, (to) => loosening.set({ masses: to }))}
    ${switchLine("Bumps", "Whether the ground and props stop what is loose", collide, (on) => loosening.set({ collide: on }), collide ? "" : unbumped)}
  `;
}

/** The same in a few words, for the heading of a folded section. */
export function worldText({ gravity = 0, drag = 1, collide = false }: LoosenessSettings): string {
  const parts = [gravity === 0 ? "no gravity" : `gravity ${Math.round(100 * gravity)} %`];
  if (drag < 1) parts.push(`drag ${Math.round(100 * drag)} %`);
  if (collide) parts.push("bumps");
  return parts.join(", ");
}

export function windowText({ model }: Studio, { window = "auto" }: LoosenessSettings): string {
  const longest = model.loosening.state.value?.longest ?? 0;
  return [typeof window === "number" ? "manual" : window, longest > 0 ? seconds(longest) : ""].filter(Boolean).join(", ");
}

/** How far back the simulation of every moment begins. */
export function windows(studio: Studio, { window = "auto", error = 0.001 }: LoosenessSettings): TemplateResult {
  const { model } = studio;
  const { loosening } = model;
  const way = typeof window === "number" ? "manual" : window;
  const state = loosening.state.value;
  const ways = [
    ["auto", "Auto", "One length for the whole clip, long enough for the error below"],
    ["adaptive", "Adaptive", "A length for every moment, as short as the error below allows"],
    ["manual", "Manual", "A length of your own"],
  ] as const;
  const choose = (to: "auto" | "adaptive" | "manual"): void => {
    if (to !== way) void loosening.set({ window: to === "manual" ? Number((state?.longest || 0.5).toFixed(2)) : to });
  };
  return html`
    <p class="quiet">How long before each moment its simulation begins.</p>
    ${choiceLine("How long windows are", way, ways, choose)}
    ${
      typeof window === "number"
        ? slider(studio, "Length", "How many seconds before each moment its simulation begins", "window", window, seconds(window), WINDOW)
        : slider(
            studio,
            "Error",
            "How far windows may leave anything from a simulation of the whole clip",
            "error",
            error,
            centimetres(error, error < 0.001 ? 3 : 2),
            ERROR,
          )
    }
    <p class="quiet lengths">${lengthText(state?.shortest ?? 0, state?.longest ?? 0)}</p>
    ${comparison(studio)}
  `;
}

function slider({ model }: Studio, label: string, help: string, part: Part, value: number, text: string, scale: typeof GRAVITY): TemplateResult {
  return sliderLine({ label, help, value, text, scale, hold: () => model.take({ kind: "set-looseness", part }) });
}

/** Against one simulation of the whole clip. */
function comparison({ model }: Studio): TemplateResult {
  const { loosening } = model;
  const measured = loosening.windows.value;
  const reason = loosening.isLoose ? "" : "Nothing is loose";
  const busy = model.runningJob("Measure windows") !== null;
  const most = measured ? Math.max(0, ...measured.errors) : 0;
  const at = measured ? measured.errors.indexOf(most) : 0;
  return html`<div class="makers">
      <button class="measure" ?disabled=${reason !== "" || busy} title=${reason || "Simulate the whole clip once, and tell how far the windows are from that"} @click=${() => model.ask({ type: "measure-windows" })}>Compare with full simulation</button>
    </div>
    ${
      measured
        ? html`<p class="measured" role="status">
          off by ${centimetres(most, most < 0.001 ? 3 : 2)} at most, on
          <button class="bare link" title="Go to that frame" @click=${() => model.playback.go(at)}>frame ${model.frameLabel(at)}</button>
        </p>`
        : nothing
    }`;
}

function lengthText(shortest: number, longest: number): string {
  if (longest <= 0) return "No window: nothing is loose.";
  return longest - shortest < 0.005 ? `Windows of ${seconds(longest)}` : `Windows of ${seconds(shortest)} to ${seconds(longest)}`;
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}
