import { expect, test } from "vitest";
import { centre, fit, fitBelow, freeCorner, reachesBeyond, isSeen, zoomLeast } from "./viewport.ts";

const seen = { width: 800, height: 600 };
const box = { x: 100, y: 4000, width: 200, height: 54 };

test("a small graph stands in the middle, no larger than life", () => {
  expect(fit({ width: 200, height: 100 }, seen, null)).toEqual({ x: 300, y: 250, zoom: 1 });
});

test("a larger one is made smaller until it fits", () => {
  const { zoom, y } = fit({ width: 500, height: 600 }, seen, null);
  expect(zoom).toBeCloseTo(560 / 600);
  expect(y).toBeCloseTo(20);
});

test("what is too long stays pleasant to read and begins at its top, unless all of it is asked for", () => {
  expect(fit({ width: 400, height: 9000 }, seen, null)).toMatchObject({ y: 20, zoom: zoomLeast.pleasant });
  expect(fit({ width: 400, height: 800 }, seen, null, "least").zoom).toBeCloseTo(560 / 800);
});

test("what is a little too large is made a little smaller, so that all of it is seen", () => {
  expect(fit({ width: 400, height: 740 }, seen, null).zoom).toBeCloseTo(560 / 740);
});

test("so does what is too wide", () => {
  expect(fit({ width: 1000, height: 700 }, seen, null, "legible").zoom).toBeCloseTo(760 / 1000);
  expect(fit({ width: 5000, height: 9000 }, seen, null).zoom).toBe(zoomLeast.pleasant);
  expect(fit({ width: 5000, height: 9000 }, seen, null, "legible").zoom).toBe(zoomLeast.legible);
  expect(fit({ width: 2200, height: 700 }, seen, null, "least").zoom).toBeCloseTo(760 / 2200);
  expect(fit({ width: 5000, height: 9000 }, seen, null, "least").zoom).toBe(zoomLeast.least);
});

test("or at what is looked for, without empty room beyond the ends", () => {
  const { y, zoom } = fit({ width: 400, height: 9000 }, seen, box);
  expect(y).toBeCloseTo(300 - 4027 * zoom);
  expect(fit({ width: 400, height: 9000 }, seen, { ...box, y: 8940 }).y).toBeCloseTo(
    600 - 20 - 9000 * zoomLeast.pleasant,
  );
  expect(fit({ width: 400, height: 9000 }, seen, { ...box, y: 0 }).y).toBe(20);
  // As long as the beginning and what is looked for are both in sight, it does not move.
  expect(fit({ width: 400, height: 9000 }, seen, { ...box, y: 550 }).y).toBe(20);
});

test("what is outside is not seen, and is brought to the middle", () => {
  expect(isSeen(box, { x: 0, y: 0, zoom: 1 }, seen)).toBe(false);
  const there = centre(box, seen, 0.8);
  expect(isSeen(box, there, seen)).toBe(true);
  expect(there.zoom).toBe(0.8);
});

test("a step at the top right makes way for the buttons that stand there, one beside them does not", () => {
  const step = { key: "a", isDot: false, y: 0, width: 200, height: 54 };
  const under = { width: 700, height: 560, nodes: [{ ...step, x: 500 }] };
  expect(fitBelow(under, seen, null, "pleasant").y).toBeCloseTo(44);
  // What is below it stays in sight.
  expect(reachesBeyond(under, fitBelow(under, seen, null, "pleasant"), seen)).toBe(false);
  const beside = { ...under, nodes: [{ ...step, x: 300 }] };
  expect(fitBelow(beside, seen, null, "pleasant")).toEqual(fit(beside, seen, null));
});

test("a graph is cut off when something of it lies outside of what is seen", () => {
  const whole = { width: 780, height: 580 };
  expect(reachesBeyond(whole, { x: 10, y: 10, zoom: 1 }, seen)).toBe(false);
  expect(reachesBeyond(whole, { x: 30, y: 10, zoom: 1 }, seen)).toBe(true);
  expect(reachesBeyond(whole, { x: -1, y: 10, zoom: 0.5 }, seen)).toBe(true);
});

test("a map stands where it hides the fewest steps", () => {
  const view = { x: 0, y: 0, zoom: 1 };
  const right = { x: 700, y: 540, width: 90, height: 54 };
  const left = { ...right, x: 10 };
  expect(freeCorner(view, [], seen)).toBe("bottom-right");
  expect(freeCorner(view, [right], seen)).toBe("bottom-left");
  expect(freeCorner(view, [right, left], seen)).toBe("top-left");
});
