import { LitElement } from "lit";
import { track } from "../model/changes";

/** A lit component that renders anew when any signal that its last rendering read has changed, while it is on the page. */
export abstract class SignalElement extends LitElement {
  private forget = (): void => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    // Off the page it heard nothing: what it shows may be old.
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
  }

  protected override performUpdate(): void {
    if (!this.isUpdatePending) return;
    this.forget();
    this.forget = track(
      () => super.performUpdate(),
      () => this.requestUpdate(),
    );
  }
}
