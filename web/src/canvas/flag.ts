/** The flag with the frame on it that the playhead carries on a ruler: from one pixel to another. */
export interface Flag {
  text: string;
  from: number;
  to: number;
}

/** A flag about a pixel, kept between two edges, for a text that is so wide. */
export function flagAt(x: number, text: string, wide: number, left: number, right: number): Flag {
  const half = Math.max(9, wide / 2 + 4);
  const middle = Math.max(left + half, Math.min(x, right - half));
  return { text, from: middle - half, to: middle + half };
}

/** Whether a number of the ruler must give way: half a number, cut by the edge or the flag, would be another number. */
export function givesWay(from: number, to: number, right: number, flag: Flag | null): boolean {
  return to > right || (flag !== null && from < flag.to && to > flag.from);
}
