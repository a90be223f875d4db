import { type Command, switching } from "../commands/commands";
import type { Display } from "../model/model";
import type { Preset } from "./framing";
import { viewOf } from "./scene_camera";
import type { Viewpoints } from "./viewpoints";

const DISPLAYS: Display[] = ["shaded", "x-ray", "skeleton", "weights"];
const LABELS: Record<Display, string> = { shaded: "Shaded", "x-ray": "X-ray", skeleton: "Skeleton", weights: "Weights of the selected joint" };

/** Commands on how the viewport looks at the character; without viewpoints, where nothing can be drawn, the camera's are off. */
export function viewCommands(looked: (() => Viewpoints) | null): Command[] {
  const camera = (id: string, label: string, keys: string[], run: (viewpoints: Viewpoints) => void, checked?: () => boolean): Command => ({
    id: `view.${id}`,
    label,
    group: "Camera",
    keys,
    run: () => looked && run(looked()),
    checked,
    enabled: () => looked !== null,
    why: () => "The viewport cannot draw in this browser",
  });
  const look = (preset: Preset, label: string, key: string): Command => camera(preset, label, [key], (views) => views.lookFrom(preset));
  return [
    camera("frame", "Frame selection", ["F", "."], (views) => views.frameSelection()),
    camera("frame-all", "Frame everything", ["A", "Home"], (views) => views.frameAll()),
    camera("document", "Look through the document's camera", ["0"], (views) => views.lookThroughDocument()),
    look("front", "Look from the front", "1"),
    look("side", "Look from the side", "3"),
    look("top", "Look from above", "7"),
    look("back", "Look from behind", "9"),
    look("three-quarter", "Look from three quarters", "4"),
    camera(
      "flat",
      "Flat lens, without perspective",
      ["5"],
      (views) => views.toggleFlat(),
      () => looked?.().orbit.flat.value ?? false,
    ),
    {
      id: "camera-key",
      label: "Key the scene camera from this view",
      group: "Camera",
      keys: ["Shift+0", ")"],
      run: (model) => looked && void model.ask({ type: "key-camera", time: model.timeOf(model.playback.frame.value), ...viewOf(looked().orbit.standpoint) }),
      enabled: (model) => looked !== null && model.clip.value !== null,
      why: () => "No document is open yet",
    },
    switching((model) => model.throughCamera, {
      id: "camera-through",
      label: "Look through the scene camera",
      group: "Camera",
      keys: ["C"],
      checked: (model) => model.throughCamera.value && model.camera.value !== null,
      enabled: (model) => model.camera.value !== null,
      why: () => "The clip has no scene camera; key one first",
    }),
    {
      id: "camera-unkey",
      label: "Remove the camera key here",
      group: "Camera",
      run: (model) => void model.ask({ type: "key-camera", time: model.timeOf(model.playback.frame.value), remove: true }),
      enabled: (model) => model.camera.value?.keys.some((time) => Math.abs(model.frameOf(time) - model.playback.frame.value) < 0.1) ?? false,
      why: () => "The scene camera has no key on this frame",
    },
    {
      id: "camera-remove",
      label: "Remove the scene camera",
      group: "Camera",
      run: (model) => void model.ask({ type: "key-camera", remove: true }),
      enabled: (model) => model.camera.value !== null,
      why: () => "The clip has none",
    },
    ...DISPLAYS.map(
      (display): Command => ({
        id: `view.${display}`,
        label: LABELS[display],
        group: "Show",
        run: (model) => (model.display.value = display),
        checked: (model) => model.display.value === display,
      }),
    ),
    {
      id: "view.display",
      label: "Shaded, x-ray, skeleton, weights in turn",
      group: "Show",
      keys: ["Z"],
      run: (model) => (model.display.value = DISPLAYS[(DISPLAYS.indexOf(model.display.value) + 1) % DISPLAYS.length]),
    },
    switching((model) => model.quad, {
      id: "view.quad",
      label: "Views from above, front and side",
      group: "Show",
      keys: ["Shift+V"],
      enabled: () => looked !== null,
      why: () => "The viewport cannot draw in this browser",
    }),
    switching((model) => model.onionSkins, {
      id: "view.onion",
      label: "Onion skins",
      group: "Show",
      keys: ["O"],
    }),
    {
      id: "view.compare",
      label: "Compare with the version before",
      group: "Show",
      keys: ["V"],
      checked: (model) => model.comparing.isOn,
      run: ({ comparing, history }) => comparing.choose(comparing.isOn ? null : history.value.at - 1),
      enabled: ({ comparing, history }) => comparing.isOn || history.value.at > 0,
      why: () => "There is no version before this one; any other can be chosen in the history",
    },
    {
      id: "view.compare-beside",
      label: "Compare side by side",
      group: "Show",
      keys: ["Alt+B"],
      checked: (model) => model.comparing.isBeside,
      run: ({ comparing, history, quad }) => {
        comparing.beside.value = !comparing.isBeside;
        if (!comparing.beside.value) return;
        quad.value = false;
        if (!comparing.isOn) comparing.choose(history.value.at - 1);
      },
      enabled: ({ comparing, history }) => comparing.isOn || history.value.at > 0,
      why: () => "There is no version before this one; any other can be chosen in the history",
    },
    {
      id: "view.compare-alone",
      label: "See the other version alone, while held",
      group: "Show",
      keys: ["`"],
      run: ({ comparing }) => {
        comparing.alone.value = true;
        const over = (event: Event): void => {
          if (event instanceof KeyboardEvent && event.key !== "`") return;
          comparing.alone.value = false;
          for (const type of ["keyup", "blur"]) window.removeEventListener(type, over, true);
        };
        for (const type of ["keyup", "blur"]) window.addEventListener(type, over, true);
      },
      enabled: (model) => model.comparing.isOn,
      why: () => "No version is compared with",
    },
    switching((model) => model.showMassCentre, {
      id: "view.mass-centre",
      label: "Centre of mass",
      group: "Show",
      keys: ["Shift+M"],
      enabled: (model) => (model.scene.value?.joints.length ?? 0) > 0,
      why: () => "There is no body that weighs anything",
    }),
  ];
}
