import { expect, test } from "vitest";
import { fit, fitBelow, follow, freeCorner, pathBox, reachesBeyond, zoomLeast } from "./viewport.ts";

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

test("what is outside is brought into sight along that axis alone, without empty room beyond the ends", () => {
  const whole = { width: 780, height: 4054 };
  const view = { x: 10, y: 20, zoom: 1 };
  const bring = (sought: typeof box, from = view) =>
    follow(sought, { ...whole, nodes: [] }, { view: from, map: "bottom-right" }, seen).view;
  expect(bring(box)).toEqual({ x: 10, y: 600 - 20 - 4054, zoom: 1 });
  expect(bring({ ...box, y: 2000 })).toEqual({ x: 10, y: 300 - 2027, zoom: 1 });
  // What is seen already does not move.
  expect(bring({ ...box, y: 200 })).toEqual(view);
  // Back at the top, beside the buttons and below them.
  expect(bring({ ...box, y: 0 }, { ...view, y: -1000 }).y).toBe(20);
  expect(bring({ ...box, x: 580, y: 0 }, { ...view, y: -1000 }).y).toBe(44);
});

test("a graph with branches becomes as small as can be read where its whole width is seen then", () => {
  expect(fit({ width: 1200, height: 2000 }, seen, null).zoom).toBeCloseTo(zoomLeast.legible);
  expect(fit({ width: 1200, height: 850 }, seen, null).zoom).toBeCloseTo(760 / 1200);
  expect(fit({ width: 1400, height: 850 }, seen, null).zoom).toBe(zoomLeast.pleasant);
});

test("else it opens on the path that was taken", () => {
  const start = { x: 1000, y: 0, width: 200, height: 54 };
  const path = pathBox(start, [start, { ...start, x: 700, y: 100 }, { ...start, x: 500, y: 200 }]);
  expect(path).toEqual({ x: 500, y: 0, width: 700, height: 54 });
  const { x, zoom } = fit({ width: 2000, height: 900 }, seen, path);
  expect(x).toBeCloseTo(400 - 850 * zoom);
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
  const corner = (boxes: readonly (typeof right)[], sought = null as typeof right | null) =>
    freeCorner(view, { boxes, sought }, seen);
  expect(corner([])).toBe("bottom-right");
  expect(corner([right])).toBe("bottom-left");
  expect(corner([right, left])).toBe("top-left");
  // Rather many others than the one that is looked at.
  expect(corner([right, right, left], left)).toBe("top-left");
  expect(corner([right, left, left, { ...left, y: 0 }, { ...left, y: 60 }], { ...left, y: 0 })).toBe("bottom-right");
});

test("a map makes way for the step that is looked at, and else stays where it is", () => {
  const whole = { width: 780, height: 580, nodes: [] };
  const sight = { view: { x: 10, y: 10, zoom: 1 }, map: "bottom-right" } as const;
  expect(follow({ x: 580, y: 500, width: 200, height: 54 }, whole, sight, seen)).toEqual({
    ...sight,
    map: "bottom-left",
  });
  expect(follow({ x: 300, y: 500, width: 200, height: 54 }, whole, sight, seen)).toEqual(sight);
});
