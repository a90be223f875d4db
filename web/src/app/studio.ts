import { Commands } from "../commands/commands";
import type { Studio } from "../commands/studio";
import { Model } from "../model/model";
import { firstTool } from "../viewport/tools/registry";

/** The one model and the commands on it. Only the app knows them by name; all else is given what it works with. */
export const model = new Model(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`, firstTool);
export const commands = new Commands(model);
export const studio: Studio = { model, commands };
