import { signal } from "@preact/signals-core";
import { type BinaryMessage, decodeBinary, encodeMove } from "./binary";
import { keyed } from "./door";
import type { AnyMessage, AnyRequest, Refused } from "./messages";

/** A request without its id, which the connection gives. */
export type Wish = AnyRequest extends infer R ? (R extends AnyRequest ? Omit<R, "id"> : never) : never;

/** The server would not; `code` says whether asking the animator and trying again makes sense. */
export class RefusedError extends Error {
  readonly code: Refused["code"];

  constructor(refused: Refused) {
    super(refused.text);
    this.code = refused.code;
  }
}

/** What a connection needs of a WebSocket; a recording is one that answers by itself. */
export interface Socket {
  binaryType: string;
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(data: string | ArrayBuffer): void;
}

type ConnectionState = "connecting" | "open" | "lost";

interface Waiting {
  resolve: (text: string | null) => void;
  reject: (reason: Error) => void;
}

/** One WebSocket to the server, by its address, opened again whenever it is lost. */
export class Connection {
  readonly state = signal<ConnectionState>("connecting");
  private socket: Socket | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private lastGesture = 0;
  private attempts = 0;

  constructor(
    private readonly where: string | (() => Socket),
    private readonly receive: (message: AnyMessage | BinaryMessage) => void,
  ) {}

  open(): void {
    const { where } = this;
    const socket: Socket = typeof where === "string" ? new WebSocket(keyed(where)) : where();
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.state.value = "open";
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.received(event.data);
    socket.onclose = () => this.lost();
  }

  /** Ask the server; resolves with what it says when it is done, rejects with RefusedError when it would not. */
  ask(wish: Wish): Promise<string | null> {
    const id = ++this.lastId;
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Error("The Studio's server does not answer; waiting for it to come back."));
    }
    this.socket.send(JSON.stringify({ ...wish, id }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  /** A fresh number for a gesture. */
  nextGesture(): number {
    return ++this.lastGesture;
  }

  /** A gesture has this number already, though it was not given here. */
  reserveGesture(number: number): void {
    this.lastGesture = Math.max(this.lastGesture, number);
  }

  /** Where the hand is; nobody waits for an answer, and the server may skip all but the newest. */
  move(gesture: number, sequence: number, values: readonly number[]): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(encodeMove(gesture, sequence, values));
  }

  private received(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      this.receive(decodeBinary(data));
      return;
    }
    const message = JSON.parse(data) as AnyMessage;
    if (message.type === "done" || message.type === "refused") {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.type === "done") waiting?.resolve(message.text);
      else if (waiting) waiting.reject(new RefusedError(message));
      else this.receive(message);
      return;
    }
    this.receive(message);
  }

  private lost(): void {
    this.state.value = "lost";
    for (const { reject } of this.waiting.values()) reject(new Error("The connection to the Studio's server was lost."));
    this.waiting.clear();
    // Quickly at first, for a server that restarts; then every two seconds, for as long as the page is open.
    const pause = Math.min(2000, 200 * 2 ** this.attempts++);
    setTimeout(() => this.open(), pause);
  }
}
