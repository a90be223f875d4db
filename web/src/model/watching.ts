import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Watchable } from "./cell";

/** Lets a lit component render anew when any of some cells changes, for as long as it is on the page. */
export class Watching implements ReactiveController {
  private readonly cells: Watchable[];
  private endings: (() => void)[] = [];

  constructor(
    private readonly host: ReactiveControllerHost,
    ...cells: Watchable[]
  ) {
    this.cells = cells;
    host.addController(this);
  }

  hostConnected(): void {
    this.endings = this.cells.map((cell) => cell.watch(() => this.host.requestUpdate()));
  }

  hostDisconnected(): void {
    for (const end of this.endings) end();
    this.endings = [];
  }
}
