// The curves of arrows, as text for SVG. They leave a step below and arrive above; those that lead back run beside.

export type Point = { readonly x: number; readonly y: number };
export type Arrow = Point & { readonly towards: "down" | "up" | "left" | "right" };
type Box = Point & { readonly width: number; readonly height: number };

/** A stretch in which an arrow runs straight down between two steps. */
export type Lane = { readonly x: number; readonly top: number; readonly bottom: number };

export type Drawn = { readonly path: string; readonly arrow: Arrow };

/** How long an arrow's head is. */
const head = 7;

export function drawForward(from: Box, to: Box, lanes: readonly Lane[]): Drawn {
  const start = { x: from.x + from.width / 2, y: from.y + from.height };
  const tip = { x: to.x + to.width / 2, y: to.y };
  const path = [`M${at(start)}`];
  let last = start;
  for (const { x, top, bottom } of lanes) {
    path.push(bend(last, { x, y: top }), `L${at({ x, y: bottom })}`);
    last = { x, y: bottom };
  }
  path.push(bend(last, { x: tip.x, y: tip.y - head }));
  return { path: path.join(""), arrow: { ...tip, towards: "down" } };
}

/** The lanes in the order in which it passes them: upwards. `isFree` tells whether nothing stands between the side of a
 *  box and a lane. */
export function drawBack(
  from: Box,
  to: Box,
  lanes: readonly Lane[],
  isFree: (box: Box, lane: number) => boolean,
): Drawn {
  const first = lanes[0];
  const final = lanes.at(-1);
  if (first === undefined || final === undefined) return drawLoop(from);
  const start = leave(from, first.x, isFree(from, first.x));
  const tip = leave(to, final.x, isFree(to, final.x));
  const isBeside = tip.towards !== "up";
  const out = tip.towards === "right" ? 1 : -1;
  if (!isBeside) tip.y = to.y + to.height;
  const end = isBeside ? { x: tip.x + out * head, y: tip.y } : { x: tip.x, y: tip.y + head };
  const path = [
    `M${at(start)}`,
    start.towards === "up"
      ? bend(start, { x: first.x, y: first.bottom })
      : turn(start, { x: first.x, y: first.bottom }),
  ];
  let last: Point | null = null;
  for (const { x, top, bottom } of lanes) {
    if (last !== null) path.push(bend(last, { x, y: bottom }));
    path.push(`L${at({ x, y: top })}`);
    last = { x, y: top };
  }
  const above = { x: final.x, y: final.top };
  path.push(isBeside ? `Q${at({ x: above.x, y: end.y })} ${at(end)}` : bend(above, end));
  const towards = tip.towards === "right" ? "left" : tip.towards === "left" ? "right" : "up";
  return { path: path.join(""), arrow: { x: tip.x, y: tip.y, towards } };
}

/** From a step to itself, on its right. */
export function drawLoop({ x, y, width, height }: Box): Drawn & { readonly label: Point } {
  const right = x + width;
  const low = y + height / 2 + 12;
  const high = y + height / 2 - 12;
  const out = right + 36;
  const path = `M${at({ x: right, y: low })}C${at({ x: out, y: low + 8 })} ${at({ x: out, y: high - 8 })} ${at({ x: right + head, y: high })}`;
  return { path, arrow: { x: right, y: high, towards: "left" }, label: { x: out - 4, y: y + height / 2 } };
}

/** Beside the box when the lane lies there and nothing is in between, else from its top, towards the lane. */
function leave(
  { x, y, width, height }: Box,
  lane: number,
  isFree: boolean,
): { x: number; y: number; readonly towards: Arrow["towards"] } {
  const middle = y + height / 2;
  if (isFree && lane > x + width + head) return { x: x + width, y: middle, towards: "right" };
  if (isFree && lane < x - head) return { x, y: middle, towards: "left" };
  return { x: Math.min(x + width * 0.8, Math.max(x + width * 0.2, lane)), y, towards: "up" };
}

/** Leaves and arrives upright. */
function bend(from: Point, to: Point): string {
  if (Math.abs(from.x - to.x) < 0.5) return `L${at(to)}`;
  const middle = (from.y + to.y) / 2;
  return `C${at({ x: from.x, y: middle })} ${at({ x: to.x, y: middle })} ${at(to)}`;
}

/** Leaves sideways, arrives upright. */
function turn(from: Point, to: Point): string {
  return `Q${at({ x: to.x, y: from.y })} ${at(to)}`;
}

function at({ x, y }: Point): string {
  return `${round(x)},${round(y)}`;
}

function round(size: number): number {
  return Math.round(size * 10) / 10;
}
