import type { Hand } from "../model/hand";

/** A slider in per cent that a gesture follows: begun by its first move, kept when it is let go, given up by Escape. */
export class HandSlider {
  private hand: Hand | null = null;

  constructor(
    private readonly take: () => Hand | null,
    /** Told where it stands; null where it rests. */
    private readonly stand: (amount: number | null) => void,
  ) {}

  holds(hand: Hand | null): boolean {
    return hand !== null && hand === this.hand;
  }

  readonly move = (event: Event): void => {
    const amount = (event.target as HTMLInputElement).valueAsNumber;
    this.stand(amount);
    if (!this.hand || this.hand.isOver) this.hand = this.take();
    this.hand?.move(amount / 100);
  };

  readonly letGo = (): void => {
    void this.hand?.commit();
    this.rest();
  };

  readonly cancel = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !this.hand) return;
    void this.hand.cancel();
    this.rest();
  };

  private rest(): void {
    this.hand = null;
    this.stand(null);
  }
}
