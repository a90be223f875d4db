import { keyed } from "../protocol/door";
import type { Dropped } from "./dropped";
import { HEARD, OPENED, planDrop, SEEN, stem, suffix } from "./file_names";
import { openFile } from "./files";
import { model } from "./studio";

interface Kept {
  path: string;
  /** The folder that was made for files that belong together. */
  folder: string | null;
}

/** Put files into the project folder and open the one that can be opened. */
export const takeIn = (files: readonly Dropped[]): Promise<void> => take(files, "Opening", openFile);

/** Put files into the project folder and bring the clip of the one that can be opened to the character at hand. */
export const bringAlong = (files: readonly Dropped[]): Promise<void> =>
  take(files, "Bringing in", (source) => model.ask({ type: "bring-clip", source, travels: true }));

async function take(files: readonly Dropped[], doing: string, use: (path: string) => Promise<unknown>): Promise<void> {
  const { main, company, left } = planDrop(files.map((each) => each.path));
  const staged = files.find((each) => STAGED.includes(suffix(each.path)));
  if (main === null && staged) return bringIn(staged.file);
  if (main === null) {
    const names = files.length === 1 ? files[0].path : "None of these files";
    model.notices.add("warning", `${names} cannot be opened; drop one of ${[...OPENED, ...STAGED].join(" ")}`);
    return;
  }
  if (left.length > 0) {
    const others = left.length === 1 ? left[0] : `${left.length} other files`;
    model.notices.add("info", `${doing} ${main}; ${others} left out`);
  }
  try {
    await use(await keepAll(files, main, company));
  } catch (error) {
    model.notices.add("error", (error as Error).message);
  }
}

/** Send the main file and its company; returns where the main file is now. */
async function keepAll(files: readonly Dropped[], main: string, company: readonly string[]): Promise<string> {
  const file = (path: string): File => (files.find((each) => each.path === path) as Dropped).file;
  const home = main.slice(0, main.lastIndexOf("/") + 1);
  const name = main.slice(home.length);
  if (company.length === 0) return (await keepOne(file(main), { name })).path;
  const { path, folder } = await keepOne(file(main), { name, drop: stem(name) });
  if (folder === null) throw new Error(`The server made no folder for ${name} and what belongs to it`);
  for (const each of company) await keepOne(file(each), { name: each.slice(home.length), into: folder });
  return path;
}

/** Put a file into the project folder. */
async function keepOne(file: File, query: Record<string, string>): Promise<Kept> {
  let answer: Response;
  try {
    answer = await fetch(keyed(`/upload?${new URLSearchParams(query)}`), { method: "POST", body: file });
  } catch {
    throw new Error(`${query.name} could not be sent: the Studio's server does not answer, or the file is too large`);
  }
  const said = (await answer.json().catch(() => ({}))) as Partial<Kept> & { error?: string };
  if (!answer.ok || said.path === undefined) throw new Error(said.error ?? `${query.name} was not taken (${answer.status})`);
  return { path: said.path, folder: said.folder ?? null };
}

/** Let somebody choose a file of these kinds; null when they would not. */
export async function chooseFile(accept: readonly string[]): Promise<File | null> {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = accept.join(",");
  return new Promise((resolve) => {
    input.addEventListener("change", () => resolve(input.files?.[0] ?? null));
    input.addEventListener("cancel", () => resolve(null));
    input.click();
  });
}

const STAGED: readonly string[] = [...HEARD, ...SEEN];

/** Put a sound or a picture into the project folder, and into the shown clip. */
export async function bringIn(file: File): Promise<void> {
  try {
    const { path } = await keepOne(file, { name: file.name });
    const heard = (HEARD as readonly string[]).includes(suffix(file.name));
    await model.ask({ type: heard ? "change-sound" : "change-picture", path });
  } catch (error) {
    model.notices.add("error", (error as Error).message);
  }
}
