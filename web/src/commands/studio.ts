import type { Model } from "../model/model";
import type { Commands } from "./commands";

/** What the parts of the page are given to work with: all that is known, and all that can be done. */
export interface Studio {
  readonly model: Model;
  readonly commands: Commands;
}
