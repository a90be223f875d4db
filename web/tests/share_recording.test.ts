// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { Model } from "../src/model/model";
import { RecordedSocket, type Recording } from "../src/share/recording";
import { firstTool } from "../src/viewport/tools/registry";

function recorded(...names: string[]): Recording {
  const clip = (name: string): string => JSON.stringify({ type: "clip", name, frames: 2, rate: 24, start: 0, loops: false, layers: [] });
  return { name: "a document", clips: names.map((name) => ({ name, messages: [{ text: clip(name) }] })), files: {}, arcs: [] };
}

test("a recording tells its first clip, then the one that is asked for", async () => {
  const model = new Model(() => new RecordedSocket(recorded("walk", "run")), firstTool);
  model.connection.open();
  await Promise.resolve();
  expect(model.connection.state.value).toBe("open");
  expect(model.clip.value?.name).toBe("walk");
  await model.ask({ type: "show-clip", clip: "run" });
  expect(model.clip.value?.name).toBe("run");
});

test("what would change it is refused", async () => {
  const model = new Model(() => new RecordedSocket(recorded("walk")), firstTool);
  model.connection.open();
  await expect(model.connection.ask({ type: "undo" })).rejects.toThrow("only shows");
});
