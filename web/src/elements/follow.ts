import { untracked } from "@preact/signals-core";
import { AsyncDirective } from "lit/async-directive.js";
import { directive, type Part } from "lit/directive.js";
import { track } from "../model/changes";

/** Where a template shows what changes with every frame: only that place is written anew, once a displayed frame. */
class Follow extends AsyncDirective {
  private read: () => unknown = () => undefined;
  private forget = (): void => undefined;
  private scheduled = 0;

  override render(read: () => unknown): unknown {
    return untracked(read);
  }

  override update(_: Part, [read]: [() => unknown]): unknown {
    this.read = read;
    return this.look();
  }

  protected override disconnected(): void {
    this.forget();
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
  }

  protected override reconnected(): void {
    this.setValue(this.look());
  }

  private look(): unknown {
    let value: unknown;
    this.forget();
    this.forget = track(
      () => {
        value = this.read();
      },
      () => this.outdate(),
    );
    return value;
  }

  private outdate(): void {
    if (this.scheduled !== 0) return;
    this.scheduled = requestAnimationFrame(() => {
      this.scheduled = 0;
      if (this.isConnected) this.setValue(this.look());
    });
  }
}

/** Shows what a function reads of signals, and follows them without the template around it being rendered anew. */
export const follow = directive(Follow);
