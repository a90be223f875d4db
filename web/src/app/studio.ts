import { Model } from "../model/model";
import { firstTool } from "../viewport/tools/registry";
import { Commands } from "./commands";

/** The one model and the commands on it; panels take them from here. */
export const model = new Model(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`, firstTool);
export const commands = new Commands(model);
