import { expect, test } from "vitest";
import { centre, fit, isSeen, zoomLeast } from "./viewport.ts";

const seen = { width: 800, height: 600 };
const box = { x: 100, y: 4000, width: 200, height: 54 };

test("a small graph stands in the middle, no larger than life", () => {
  expect(fit({ width: 200, height: 100 }, seen, null)).toEqual({ x: 300, y: 250, zoom: 1 });
});

test("a larger one is made smaller until it fits", () => {
  const { zoom, y } = fit({ width: 500, height: 700 }, seen, null);
  expect(zoom).toBeCloseTo(552 / 700);
  expect(y).toBeCloseTo(24);
});

test("letters stay legible: what is too long begins at its top", () => {
  expect(fit({ width: 400, height: 9000 }, seen, null)).toMatchObject({ y: 24, zoom: zoomLeast });
});

test("or at what is looked for, without empty room beyond the ends", () => {
  const { y, zoom } = fit({ width: 400, height: 9000 }, seen, box);
  expect(y).toBeCloseTo(300 - 4027 * zoom);
  expect(fit({ width: 400, height: 9000 }, seen, { ...box, y: 8940 }).y).toBeCloseTo(600 - 24 - 9000 * zoomLeast);
  expect(fit({ width: 400, height: 9000 }, seen, { ...box, y: 0 }).y).toBe(24);
});

test("what is outside is not seen, and is brought to the middle", () => {
  expect(isSeen(box, { x: 0, y: 0, zoom: 1 }, seen)).toBe(false);
  const there = centre(box, seen, 0.8);
  expect(isSeen(box, there, seen)).toBe(true);
  expect(there.zoom).toBe(0.8);
});
