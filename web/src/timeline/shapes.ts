import type { Palette } from "../canvas/palette";

/** Add a diamond to the path. */
export function diamond(context: CanvasRenderingContext2D, x: number, y: number, half: number): void {
  context.moveTo(x, y - half);
  context.lineTo(x + half, y);
  context.lineTo(x, y + half);
  context.lineTo(x - half, y);
  context.closePath();
}

/** The mark of something that opens. */
export function triangle(context: CanvasRenderingContext2D, x: number, y: number, open: boolean, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  if (open) {
    context.moveTo(x - 4, y - 2);
    context.lineTo(x + 4, y - 2);
    context.lineTo(x, y + 3);
  } else {
    context.moveTo(x - 2, y - 4);
    context.lineTo(x + 3, y);
    context.lineTo(x - 2, y + 4);
  }
  context.fill();
}

/** A line of text, shortened by an ellipsis to the room there is. */
export function fitText(context: CanvasRenderingContext2D, text: string, x: number, y: number, room: number): void {
  if (room < 8) return;
  let shown = text;
  if (context.measureText(text).width > room) {
    let [fits, fails] = [0, text.length];
    while (fails - fits > 1) {
      const middle = (fits + fails) >> 1;
      if (context.measureText(`${text.slice(0, middle)}…`).width <= room) fits = middle;
      else fails = middle;
    }
    shown = fits > 0 ? `${text.slice(0, fits)}…` : "";
  }
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(shown, x, y + 0.5);
}

/** Draw within a rectangle alone. */
export function clip(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(x, y, Math.max(0, width), Math.max(0, height));
  context.clip();
  draw();
  context.restore();
}

/** A thin mark at the right that says how much there is above and below. */
export function scrollBar(
  context: CanvasRenderingContext2D,
  width: number,
  top: number,
  bottom: number,
  scroll: number,
  slack: number,
  palette: Palette,
): void {
  const room = bottom - top;
  if (slack <= 0 || room <= 0) return;
  const length = Math.max(12, (room * room) / (room + slack));
  const at = top + (room - length) * (Math.min(Math.max(0, scroll), slack) / slack);
  context.fillStyle = palette.faint;
  context.beginPath();
  context.roundRect(width - 5, at + 1, 4, length - 2, 2);
  context.fill();
}

export function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

export function ring(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}
