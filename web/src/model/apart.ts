import type { ConstraintInfo } from "../protocol/messages";
import { degrees } from "./units";

type Contact = Pick<ConstraintInfo, "apart" | "turned_apart">;

/** Whether the key poses of a contact put its point in different places, or turn it differently, by as much as is worth a word. */
export function isApart({ apart = 0, turned_apart: turned = 0 }: Contact): boolean {
  return apart > 0 || turned > 0;
}

/** "1.3 mm", "12 mm and 3.0°": by how much. */
export function apartBy({ apart = 0, turned_apart: turned = 0 }: Contact): string {
  const millimetres = apart > 0 ? `${(1000 * apart).toFixed(apart < 0.01 ? 1 : 0)} mm` : "";
  return [millimetres, turned > 0 ? degrees(turned) : ""].filter((each) => each).join(" and ");
}
