/** Names of files, as the animator reads them and as the server takes them. */

/** What the Studio opens. */
export const OPENED = [".tween", ".glb", ".gltf", ".fbx", ".usdz", ".usda", ".usdc", ".usd", ".vrm", ".vrma", ".bvh", ".npz"] as const;
/** What is brought into the document that is open. */
export const HEARD = [".wav", ".mp3", ".ogg"] as const;
export const SEEN = [".png", ".jpg", ".jpeg", ".webp", ".mp4", ".webm"] as const;
/** What may come along with a .gltf. */
const ALONG = [".bin", ".png", ".jpg", ".jpeg", ".webp"];

/** ".bvh" of "Walk.BVH"; empty without one. */
export function suffix(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > name.lastIndexOf("/") + 1 ? name.slice(dot).toLowerCase() : "";
}

/** "flying-robot" of "robots/flying-robot.tween". */
export function stem(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const end = suffix(name);
  return end ? name.slice(0, -end.length) : name;
}

/** A path with a suffix, put on unless it is there already. */
export function withSuffix(path: string, wanted: string): string {
  return suffix(path) === wanted ? path : path + wanted;
}

/** A document's name as a file's: what no file system takes is left out. */
export function fileName(document: string): string {
  const plain = document
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are among what no file system takes
    .replace(/[<>:"|?*\\/\u0000-\u001f]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain.replace(/^\.+|[. ]+$/g, "") || "untitled";
}

/** What to do with dropped files, by their paths within what was dropped. */
interface DropPlan {
  /** The file to open; null when there is none that we know. */
  main: string | null;
  /** Files sent along, without the main one. */
  company: string[];
  /** Files that we have no use for. */
  left: string[];
}

/** One file is opened; a .gltf brings its buffers and pictures with it. The first of several that can be opened wins. */
export function planDrop(paths: readonly string[]): DropPlan {
  const main = paths.find((path) => (OPENED as readonly string[]).includes(suffix(path))) ?? null;
  const home = main?.slice(0, main.lastIndexOf("/") + 1) ?? "";
  const comes = (path: string): boolean => main !== null && suffix(main) === ".gltf" && path.startsWith(home) && ALONG.includes(suffix(path));
  return {
    main,
    company: paths.filter((path) => path !== main && comes(path)),
    left: paths.filter((path) => path !== main && !comes(path)),
  };
}

/** "12.3 MB". */
export function readableSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1e6).toFixed(bytes < 9.95e6 ? 1 : 0)} MB`;
}

/** "today 14:05", "yesterday", or "3 May 2026"; both in seconds since 1970. */
export function readableDate(seconds: number, now: number): string {
  const [then, today] = [new Date(seconds * 1000), new Date(now * 1000)];
  const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate());
  const pad = (value: number): string => String(value).padStart(2, "0");
  if (then >= midnight) return `today ${pad(then.getHours())}:${pad(then.getMinutes())}`;
  const before = new Date(midnight);
  before.setDate(before.getDate() - 1);
  if (then >= before) return "yesterday";
  return then.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}
