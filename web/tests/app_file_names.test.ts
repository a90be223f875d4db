import { describe, expect, it } from "vitest";
import { fileName, planDrop, readableDate, readableSize, stem, suffix, withSuffix } from "../src/app/file_names";

describe("names", () => {
  it.each([
    ["Walk.BVH", ".bvh", "Walk"],
    ["robots/flying.robot.tween", ".tween", "flying.robot"],
    ["some.folder/plain", "", "plain"],
    [".hidden", "", ".hidden"],
  ])("take %s apart", (path, end, name) => {
    expect(suffix(path)).toBe(end);
    expect(stem(path)).toBe(name);
  });

  it("put a suffix on once", () => {
    expect(withSuffix("walk", ".glb")).toBe("walk.glb");
    expect(withSuffix("walk.GLB", ".glb")).toBe("walk.GLB");
    expect(withSuffix("walk.bvh", ".glb")).toBe("walk.bvh.glb");
  });

  it.each([
    ["flying-robot", "flying-robot"],
    ["a/b: c?", "a b c"],
    ["...", "untitled"],
    ["", "untitled"],
    ["  the end. ", "the end"],
  ])("make a file's name of %j", (document, name) => expect(fileName(document)).toBe(name));
});

describe("planDrop", () => {
  it("opens the one file", () => {
    expect(planDrop(["walk.bvh"])).toEqual({ main: "walk.bvh", company: [], left: [] });
  });

  it("brings along what belongs to a .gltf, whatever the order", () => {
    const plan = planDrop(["skin.png", "model.bin", "model.gltf", "notes.txt"]);
    expect(plan).toEqual({ main: "model.gltf", company: ["skin.png", "model.bin"], left: ["notes.txt"] });
  });

  it("keeps a dropped folder together, and leaves out what lies beside it", () => {
    const plan = planDrop(["fox/model.gltf", "fox/textures/skin.png", "other.png"]);
    expect(plan).toEqual({ main: "fox/model.gltf", company: ["fox/textures/skin.png"], left: ["other.png"] });
  });

  it("takes no company along with a .glb, which has everything inside", () => {
    expect(planDrop(["a.glb", "a.png"])).toEqual({ main: "a.glb", company: [], left: ["a.png"] });
  });

  it("knows when there is nothing to open", () => {
    expect(planDrop(["photo.png"])).toEqual({ main: null, company: [], left: ["photo.png"] });
  });
});

describe("readable", () => {
  it.each([
    [512, "512 B"],
    [12_400, "12 KB"],
    [999_700, "1.0 MB"],
    [12_345_678, "12 MB"],
  ])("%d bytes", (bytes, text) => expect(readableSize(bytes)).toBe(text));

  it("dates", () => {
    const now = new Date(2026, 4, 4, 15, 0).getTime() / 1000;
    expect(readableDate(new Date(2026, 4, 4, 9, 5).getTime() / 1000, now)).toBe("today 09:05");
    expect(readableDate(new Date(2026, 4, 3, 23, 59).getTime() / 1000, now)).toBe("yesterday");
    expect(readableDate(new Date(2026, 4, 2, 23, 59).getTime() / 1000, now)).toBe("2 May 2026");
  });
});
