// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { Commands } from "../src/commands/commands";
import { tangentCommands } from "../src/graph/commands";
import { Model } from "../src/model/model";
import { jointPlace } from "../src/model/selection";
import { loosenessCommands } from "../src/panels/dynamics/commands";
import { Inspector } from "../src/panels/inspector/inspector";
import type { Clip, ConstraintInfo } from "../src/protocol/messages";
import { pointCommands } from "../src/viewport/tools/commands";
import { move } from "../src/viewport/tools/move";
import { viewCommands } from "../src/viewport/view_commands";
import { channel, joint, sceneOf } from "./scenes";

const FRAMES = 24;
const SCENE = sceneOf([joint("body", -1), joint("hand", 0)], [channel("hand.tx", "translation", ["hand"])]);
const CLIP: Clip = {
  type: "clip",
  name: "clip",
  start: 0,
  end: (FRAMES - 1) / 24,
  rate: 24,
  frames: FRAMES,
  dense: false,
  loops: false,
  layers: [],
  kernels: [],
};

const displayed = (): Promise<unknown> => new Promise(requestAnimationFrame);
let [model, inspector]: [Model, Inspector] = [null as never, null as never];
const render = vi.spyOn(Inspector.prototype as unknown as { render(): unknown }, "render");

/** The hand goes a centimetre a frame along x, and its channel with it. */
function tell(): void {
  const world = Float32Array.from({ length: FRAMES * 24 }, (_, i) => {
    const [frame, joint, part] = [Math.floor(i / 24), Math.floor((i % 24) / 12), i % 12];
    return part === 0 || part === 5 || part === 10 ? 1 : joint === 1 && part === 3 ? frame / 100 : 0;
  });
  const channels = Float32Array.from({ length: FRAMES }, (_, frame) => frame / 100);
  model.scene.value = SCENE;
  model.clip.value = CLIP;
  model.playback.resize(FRAMES, 24);
  model.frames.reset(FRAMES, 2, 1);
  model.frames.put({ type: "poses", revision: 1, keyed: false, compared: false, first: 0, frames: FRAMES, joints: 2, channelCount: 1, world, channels });
}

/** Where the point is said to be, and the value of its channel. */
function words(): string {
  const root = inspector.renderRoot;
  const position = [...root.querySelectorAll(".position span")].slice(0, 3).map((each) => each.textContent);
  const number = root.querySelector<HTMLElement & { value: number | null }>("ib-number[data-channel]");
  return `${position.join(" ")} | ${number?.value?.toFixed(2)}`;
}

async function play(): Promise<string[]> {
  const read: string[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    model.playback.go(frame);
    await displayed();
    await displayed();
    read.push(words());
  }
  return read;
}

beforeEach(async () => {
  model = new Model("ws://nowhere", move);
  const commands = new Commands(model);
  commands.add(...tangentCommands, ...loosenessCommands, ...pointCommands, ...viewCommands(null));
  inspector = new Inspector({ model, commands });
  document.body.replaceChildren(inspector);
  tell();
  await displayed();
  await inspector.updateComplete;
  render.mockClear();
});

test("while frames play with nothing selected, the inspector is not rendered at all", async () => {
  await play();
  expect(render).not.toHaveBeenCalled();
});

test("with a point selected, its numbers follow every frame, and still nothing else is rendered", async () => {
  model.selection.pick(jointPlace("hand"));
  await inspector.updateComplete;
  render.mockClear();
  const read = await play();
  expect(render).not.toHaveBeenCalled();
  expect(read).toEqual(Array.from({ length: FRAMES }, (_, frame) => `${frame}.0 0.0 0.0 | ${(frame / 100).toFixed(2)}`));
});

test("what it shows otherwise is rendered when it changes: once, however many changes come before the next picture", async () => {
  model.selection.pick(jointPlace("hand"));
  model.selection.pick(jointPlace("body"), true);
  model.clip.value = { ...CLIP, loops: true };
  await inspector.updateComplete;
  expect(render).toHaveBeenCalledTimes(1);
  expect(inspector.renderRoot.querySelector(".points")?.textContent).toContain("hand");
});

test("many contacts of one point are folded under its name, and short ones left out on request", async () => {
  const contact = (joint: string, first: number, last: number): ConstraintInfo => ({
    name: `${joint} ${first}`,
    kind: "contact",
    colour: "contact",
    stands: true,
    planted: true,
    momentary: false,
    to: "",
    place: jointPlace(joint),
    wanted: "position",
    start: first / 24,
    end: last / 24,
    on: true,
  });
  model.constraints.value = [...[0, 5, 10, 15].map((first) => contact("hand", first, first + (first === 10 ? 1 : 3))), contact("body", 0, 1)];
  await inspector.updateComplete;
  const names = (selector: string): string[] => [...inspector.renderRoot.querySelectorAll(selector)].map((each) => each.textContent?.trim() ?? "");
  expect(names(".fold summary span")).toEqual(["hand"]);
  expect(names(".fold summary small")).toEqual(["4"]);
  expect(names(".fold li .name span")).toHaveLength(4);
  expect(names(".constraints .name span")).toContain("body 0");
  const field = inspector.renderRoot.querySelector<HTMLInputElement>(".filter input");
  if (!field) throw new Error("no filter");
  field.value = "3";
  field.dispatchEvent(new Event("change"));
  await inspector.updateComplete;
  expect(names(".fold summary small")).toEqual(["3 of 4"]);
  expect(names(".fold li .name span")).toEqual(["hand 0", "hand 5", "hand 15"]);
  expect(names(".filter")[0]).toContain("(2 hidden)");
});
