import { isArc } from "../protocol/binary";
import type { Socket } from "../protocol/connection";
import { keepHere } from "../protocol/door";
import type { Place } from "../protocol/messages";

/** What `studio/sharing.py` writes into a shared page. */
export interface Recording {
  name: string;
  /** What a server would have sent for each clip: lines as they are, numbers as base64. */
  clips: { name: string; messages: ({ text: string } | { data: string })[] }[];
  /** Base64 of what a server would have at an address. */
  files: Record<string, string>;
  /** The motion curves that are there, by number. */
  arcs: { arc: number; place: Place }[];
}

/** Read the recording out of the page: gzip, in base64. */
export async function readRecording(element: HTMLElement): Promise<Recording> {
  const packed = new Blob([bytes(element.textContent ?? "")]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(packed).json()) as Recording;
}

/** Lay what the page will fetch where it looks for it. */
export function layOutFiles(recording: Recording): void {
  for (const [url, data] of Object.entries(recording.files)) keepHere(url, URL.createObjectURL(new Blob([bytes(data)])));
}

/** A socket behind which there is no server: it tells what was recorded, and refuses all that would change it. */
export class RecordedSocket implements Socket {
  binaryType = "arraybuffer";
  readonly readyState = WebSocket.OPEN;
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;

  private shown: string;

  constructor(private readonly recording: Recording) {
    this.shown = recording.clips[0].name;
    queueMicrotask(() => {
      this.onopen?.(new Event("open"));
      this.play();
    });
  }

  send(data: string | ArrayBuffer): void {
    if (typeof data !== "string") return;
    const { id, type, clip } = JSON.parse(data) as { id: number; type: string; clip?: string };
    if (type === "show-clip" && clip !== undefined) {
      this.shown = clip;
      this.play();
    }
    if (type === "show-arcs") this.play(isArc);
    // Whatever it has, it has told; what somebody would change stays as it is.
    const known = type.startsWith("show-") || type.startsWith("fetch-");
    const answer = known ? { type: "done", id, text: null } : { type: "refused", id, text: "This page only shows.", code: "" };
    queueMicrotask(() => this.tell(JSON.stringify(answer)));
  }

  private play(chosen: (data: string | ArrayBuffer) => boolean = () => true): void {
    for (const message of this.recording.clips.find((each) => each.name === this.shown)?.messages ?? []) {
      const data = "text" in message ? message.text : bytes(message.data).buffer;
      if (chosen(data)) this.tell(data);
    }
  }

  private tell(data: string | ArrayBuffer): void {
    this.onmessage?.(new MessageEvent("message", { data }));
  }
}

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
