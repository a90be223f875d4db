import type { AnyGesture } from "../protocol/messages";
import type { Model } from "./model";

/** A gesture under way. Moves go out at most once a displayed frame, always the newest; one gesture, one undo. */
export class Hand {
  readonly number: number;
  private sequence = 0;
  private pending: readonly number[] | null = null;
  private scheduled = 0;
  private over = false;
  /** Numbers that end every move, such as how far in time it reaches. */
  private tail: readonly number[] = [];
  private last: readonly number[] | null = null;
  private readonly begun: Promise<unknown>;

  constructor(
    private readonly model: Model,
    readonly what: AnyGesture,
  ) {
    this.number = model.connection.nextGesture();
    this.begun = model.connection.ask({ type: "begin", gesture: this.number, what });
    // A gesture that may not begin is told once, and whatever follows on it is ignored.
    this.begun.catch((error: Error) => {
      if (!this.over) model.refuse(error);
      this.finish();
    });
    model.hand.value = this;
  }

  get isOver(): boolean {
    return this.over;
  }

  /** Where the hand is now, in the numbers that the gesture takes. */
  move(...values: number[]): void {
    if (this.over) return;
    this.last = values;
    this.pending = [...values, ...this.tail];
    if (this.scheduled === 0) this.scheduled = requestAnimationFrame(() => this.flush());
  }

  /** What every move ends with from now on; the last one is sent again with it. */
  endWith(...tail: number[]): void {
    this.tail = tail;
    if (this.last) this.move(...this.last);
  }

  /** Let go: what the hand held becomes a step of the history. */
  async commit(): Promise<void> {
    if (this.over) return;
    this.flush();
    this.finish();
    await this.end("commit");
  }

  /** Everything as it was before. */
  async cancel(): Promise<void> {
    if (this.over) return;
    this.finish();
    await this.end("cancel");
  }

  private async end(type: "commit" | "cancel"): Promise<void> {
    try {
      await this.begun;
    } catch {
      return; // told already, when it could not begin
    }
    await this.model.ask({ type, gesture: this.number });
  }

  private flush(): void {
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
    if (this.pending === null || this.over) return;
    this.model.connection.move(this.number, ++this.sequence, this.pending);
    this.pending = null;
  }

  private finish(): void {
    cancelAnimationFrame(this.scheduled);
    this.over = true;
    if (this.model.hand.value === this) this.model.hand.value = null;
  }
}
