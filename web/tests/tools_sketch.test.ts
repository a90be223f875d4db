import { PerspectiveCamera, Raycaster, Vector2, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { Sketching } from "../src/model/sketching";
import type { Bones } from "../src/protocol/messages";
import { boneUnder, middleOf, pathOf } from "../src/viewport/tools/bones";
import { type Eye, MOST_POINTS, SketchPlane, StrokePoints, tellsPressure, wayOf } from "../src/viewport/tools/sketch_plane";

const WIDE = 800;
const HIGH = 400;

function camera(eye: [number, number, number], target: [number, number, number], fov = 35): PerspectiveCamera {
  const made = new PerspectiveCamera(fov, WIDE / HIGH, 0.01, 1e4);
  made.position.set(...eye);
  made.lookAt(...target);
  made.updateMatrixWorld();
  return made;
}

function eyeOf(made: PerspectiveCamera): Eye {
  const [right, up] = [0, 1].map((column) => new Vector3().setFromMatrixColumn(made.matrixWorld, column));
  const ray = (x: number, y: number) => {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * x) / WIDE - 1, 1 - (2 * y) / HIGH), made);
    return caster.ray;
  };
  return { position: made.position.clone(), right, up, ray };
}

function toPixels(made: PerspectiveCamera) {
  return (position: Vector3, into: Vector3): Vector3 => {
    into.copy(position).project(made);
    return into.set((0.5 + 0.5 * into.x) * WIDE, (0.5 - 0.5 * into.y) * HIGH, into.z);
  };
}

const BONES: Bones = {
  type: "bones",
  time: 0,
  refines: null,
  items: [
    { joint: "tail_1", points: [0, 1, 0, 0.5, 1, 0, 1, 1, 0], end: [1, 0, 0], bent: false },
    { joint: "tail_2", points: [1, 1, 0, 1.5, 1.2, 0, 2, 1.4, 0], end: [1, 0, 0], bent: false },
  ],
};

describe("the plane that strokes are drawn in", () => {
  for (const [name, eye, fov] of [
    ["before the body", [0, 1, 6], 35],
    ["from the side and above", [5, 4, 3], 35],
    ["through a long lens", [0, 60, 900], 0.3],
  ] as [string, [number, number, number], number][]) {
    test(`a pixel's point is seen where the pixel is, ${name}`, () => {
      const made = camera(eye, [0.5, 1, 0], fov);
      const through = new Vector3(1, 1.1, 0.2);
      const plane = new SketchPlane(eyeOf(made), through);
      for (const [x, y] of [
        [400, 200],
        [130, 77],
        [790, 395],
      ]) {
        const point = plane.under(x, y);
        const seen = toPixels(made)(point, new Vector3());
        expect(seen.x).toBeCloseTo(x, 3);
        expect(seen.y).toBeCloseTo(y, 3);
        // What the server makes of the two numbers is the same point again.
        const [u, v] = plane.flat(point);
        const { origin, right, up } = plane.view;
        const again = origin.map((o, i) => o + u * right[i] + v * up[i]);
        again.forEach((each, i) => expect(each).toBeCloseTo(point.getComponent(i), 6));
      }
    });

    test(`it goes through what is drawn on, and the eye stands straight before its origin, ${name}`, () => {
      const made = camera(eye, [0.5, 1, 0], fov);
      const through = new Vector3(1, 1.1, 0.2);
      const { view } = new SketchPlane(eyeOf(made), through);
      const [right, up] = [new Vector3(...view.right), new Vector3(...view.up)];
      const towards = right.clone().cross(up);
      const origin = new Vector3(...view.origin);
      expect(through.clone().sub(origin).dot(towards)).toBeCloseTo(0, 5);
      expect(origin.addScaledVector(towards, view.distance).distanceTo(made.position)).toBeCloseTo(0, 5);
    });
  }

  test("a trembling hand makes no points, and a stroke has an end", () => {
    const stroke = new StrokePoints(new SketchPlane(eyeOf(camera([0, 1, 6], [0, 1, 0])), new Vector3()));
    expect(stroke.add(100, 100, 0.5)).toBe(true);
    expect(stroke.add(101, 100, 0.5)).toBe(false);
    expect(stroke.add(103, 100, 0.5)).toBe(true);
    expect(stroke.numbers.length).toBe(4);
    for (let i = 0; i < 3000; i++) stroke.add(103 + 3 * i, 100, 0.5);
    expect(stroke.points.length).toBe(MOST_POINTS);
  });

  test("a pen's way is told with how hard it pressed, a mouse's without", () => {
    const plane = new SketchPlane(eyeOf(camera([0, 1, 6], [0, 1, 0])), new Vector3());
    const event = (pointerType: string, clientX: number, pressure: number, way: PointerEvent[] = []): PointerEvent =>
      ({ pointerType, clientX, clientY: 50, pressure, getCoalescedEvents: () => way }) as unknown as PointerEvent;
    for (const pointerType of ["pen", "mouse", "touch"]) {
      const start = event(pointerType, 10, 0.1);
      const stroke = new StrokePoints(plane, tellsPressure(start));
      const quick = event(pointerType, 40, 0.9, [event(pointerType, 20, 0.3), event(pointerType, 40, 0.9)]);
      for (const each of [start, quick, event(pointerType, 60, 0.2)].flatMap(wayOf)) stroke.add(each.clientX, each.clientY, each.pressure);
      const xys = [10, 20, 40, 60].map((x) => plane.flat(plane.under(x, 50)));
      const pressures = pointerType === "pen" ? [[0.1], [0.3], [0.9], [0.2]] : [[], [], [], []];
      expect(stroke.numbers).toEqual(xys.flatMap((xy, i) => [...xy, ...pressures[i]]));
    }
  });
});

describe("bones under the pointer", () => {
  const made = camera([1, 1, 6], [1, 1, 0]);
  const seen = (x: number, y: number): Vector3 => toPixels(made)(new Vector3(x, y, 0), new Vector3());

  test("the nearest bone is found, and where along it", () => {
    const at = seen(0.25, 1);
    expect(boneUnder(BONES, toPixels(made), at.x, at.y + 5, 10)).toMatchObject({ joint: "tail_1", place: expect.closeTo(0.25, 3) });
    const other = seen(1.75, 1.3);
    expect(boneUnder(BONES, toPixels(made), other.x, other.y, 10)).toMatchObject({ joint: "tail_2", place: expect.closeTo(0.75, 3) });
  });

  test("nothing is found beyond reach", () => {
    const at = seen(0.5, 1);
    expect(boneUnder(BONES, toPixels(made), at.x, at.y + 11, 10)).toBeNull();
  });

  test("the middle is that of the named bones, or of all", () => {
    expect(middleOf(BONES, ["tail_1"], new Vector3()).toArray()).toEqual([0.5, 1, 0]);
    expect(middleOf(BONES, [], new Vector3()).x).toBeCloseTo(1, 9);
  });

  test("a path leaves out what is behind the eye", () => {
    expect(pathOf([[0, 1, 0, 1, 1, 0]], toPixels(made)).match(/[ML]/g)).toEqual(["M", "L"]);
    expect(pathOf([[0, 1, 0, 1, 1, 9e5, 1, 1, 0]], toPixels(made)).match(/[ML]/g)).toEqual(["M", "M"]);
  });
});

describe("choosing bones", () => {
  test("a stroke replaces what was chosen, with Shift it adds", () => {
    const sketching = new Sketching();
    sketching.choose(["a", "b"]);
    sketching.choose(["c"]);
    expect(sketching.bones.value).toEqual(["c"]);
    sketching.adding = true;
    sketching.choose(["a", "c"]);
    expect(sketching.bones.value).toEqual(["c", "a"]);
    sketching.choose(["b"]);
    expect(sketching.bones.value).toEqual(["b"]);
  });

  test("a click chooses one, Shift-clicks add and take away", () => {
    const sketching = new Sketching();
    sketching.pick("a", false);
    sketching.pick("b", true);
    expect(sketching.bones.value).toEqual(["a", "b"]);
    sketching.pick("a", true);
    expect(sketching.bones.value).toEqual(["b"]);
  });

  test("another character keeps only the bones that it has", () => {
    const sketching = new Sketching();
    sketching.choose(["a", "b"]);
    sketching.keep(new Set(["b", "c"]));
    expect(sketching.bones.value).toEqual(["b"]);
  });
});
