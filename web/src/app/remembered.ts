import { onChange } from "../model/changes";
import type { SelectedPoint } from "../model/selection";
import type { Place } from "../protocol/messages";
import { tools } from "../viewport/tools/registry";
import { model } from "./studio";

const PLACE = "inbetweener.look";

/** How this tab looked at a document. */
interface Look {
  document: string;
  clip: string;
  frame: number;
  places: Place[];
  tool: string;
}

/** A page that is loaded again looks at the same frame, with the same selection and tool; another tab begins anew. */
export function rememberLook(): void {
  const kept = read();
  if (kept) restore(kept);
  onChange(
    () => [model.scene.value?.name, model.clip.value?.name, model.playback.frame.value, model.selection.points.value, model.tool.value] as const,
    ([document, clip, frame, points, tool]) => {
      if (document === undefined || clip === undefined || model.playback.playing.value) return;
      const places = points.map(({ place }: SelectedPoint) => place);
      sessionStorage.setItem(PLACE, JSON.stringify({ document, clip, frame, places, tool: tool.name } satisfies Look));
    },
  );
}

function restore(kept: Look): void {
  model.tool.value = tools.find(({ name }) => name === kept.tool) ?? model.tool.value;
  const wait = onChange(
    () => [model.scene.value, model.clip.value, model.playback.frames] as const,
    ([scene, clip, frames]) => {
      // Frames are counted a moment after the clip is told.
      if (!scene || !clip || frames !== clip.frames) return;
      wait();
      if (scene.name !== kept.document) return;
      if (clip.name !== kept.clip && scene.clips.includes(kept.clip))
        void model.ask({ type: "show-clip", clip: kept.clip }).then(() => model.playback.go(kept.frame));
      const joints = new Set(scene.joints.map(({ name }) => name));
      for (const place of kept.places.filter(({ parts }) => parts.every(({ joint }) => joints.has(joint)))) model.selection.pick(place, true);
      model.playback.go(kept.frame);
    },
  );
}

function read(): Look | null {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? "null") as Look | null;
  } catch {
    return null; // written by another version, say
  }
}
