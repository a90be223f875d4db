import type { ObstacleInfo } from "../protocol/messages";

/** "2 obstacles hit"; about as wide for any number, so that nothing beside it moves. */
export function obstacleLine(hit: number): string {
  return `${hit} obstacle${hit === 1 ? "" : "s"} hit`;
}

/** One line an obstacle: how far the body keeps from it at the least, or how deep it goes in. */
export function obstacleDetails(items: readonly ObstacleInfo[], frameLabel: (frame: number) => number): string {
  return items
    .map(({ name, clearance, frames }) => {
      if (frames.length === 0) return `${name}: ${centimetres(clearance)} clear`;
      const [first, last] = [frameLabel(frames[0]), frameLabel(frames[frames.length - 1])];
      const when = first === last ? `frame ${first}` : `frames ${first} to ${last}`;
      return `${name}: hit, ${centimetres(-clearance)} deep, ${when}`;
    })
    .join("\n");
}

export function hitCount(items: readonly ObstacleInfo[]): number {
  return items.filter((each) => each.frames.length > 0).length;
}

function centimetres(metres: number): string {
  const value = metres * 100;
  return `${value.toFixed(Math.abs(value) < 10 ? 1 : 0)} cm`;
}
