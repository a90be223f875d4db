import type { Command } from "../commands/commands";
import { onChange } from "../model/changes";
import { recallLook, rememberEyes, SCALES, scale, step, type Theme, theme, trackpad } from "../model/look";

function themeCommand(wanted: Theme, label: string): Command {
  return {
    id: `theme-${wanted}`,
    label,
    group: "Look",
    run: () => {
      theme.value = wanted;
    },
    checked: () => theme.value === wanted,
  };
}

/** The page dark or light, its words larger or smaller. */
export const lookCommands: readonly Command[] = [
  themeCommand("dark", "Dark theme"),
  themeCommand("light", "Light theme"),
  {
    id: "scale-up",
    label: "Larger words and buttons",
    group: "Look",
    keys: ["Ctrl+Alt+="],
    run: () => {
      scale.value = step(1);
    },
    enabled: () => scale.value < SCALES[SCALES.length - 1],
    why: () => "They are as large as they get",
  },
  {
    id: "scale-down",
    label: "Smaller words and buttons",
    group: "Look",
    keys: ["Ctrl+Alt+-"],
    run: () => {
      scale.value = step(-1);
    },
    enabled: () => scale.value > SCALES[0],
    why: () => "They are as small as they get",
  },
  {
    id: "scale-reset",
    label: "Words and buttons as they were made",
    group: "Look",
    keys: ["Ctrl+Alt+0"],
    run: () => {
      scale.value = 1;
    },
    enabled: () => scale.value !== 1,
    why: () => "They are",
  },
  {
    id: "trackpad",
    label: "Two fingers on a trackpad turn the camera",
    group: "Look",
    run: () => {
      trackpad.value = !trackpad.value;
    },
    checked: () => trackpad.value,
  },
];

/** Look as this browser remembers it, and go on remembering. */
export function applyLook(): void {
  recallLook(localStorage);
  const { documentElement } = document;
  const apply = (): void => {
    documentElement.dataset.theme = theme.value;
    documentElement.style.setProperty("--scale", String(scale.value));
  };
  apply();
  onChange(
    () => [theme.value, scale.value],
    () => {
      apply();
      rememberEyes(localStorage);
    },
  );
}
