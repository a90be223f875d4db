/** The path of a filled arrow head at (x, y) on a line from (fromX, fromY), in pixels. */
export function arrowHead(fromX: number, fromY: number, x: number, y: number): string {
  const long = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [(x - fromX) / long, (y - fromY) / long];
  const length = Math.min(12, 0.6 * long);
  const [backX, backY] = [x - length * dx, y - length * dy];
  const half = 0.4 * length;
  const corner = (side: number): string => `${(backX - side * half * dy).toFixed(1)} ${(backY + side * half * dx).toFixed(1)}`;
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${corner(1)}L${corner(-1)}Z`;
}
