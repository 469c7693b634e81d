import { expect, test } from "vitest";
import { centre, fit, isSeen, zoomLeast, zoomPleasant } from "./viewport.ts";

const seen = { width: 800, height: 600 };
const box = { x: 100, y: 4000, width: 200, height: 54 };

test("a small graph stands in the middle, no larger than life", () => {
  expect(fit({ width: 200, height: 100 }, seen, null)).toEqual({ x: 300, y: 250, zoom: 1 });
});

test("a larger one is made smaller until it fits", () => {
  const { zoom, y } = fit({ width: 500, height: 650 }, seen, null);
  expect(zoom).toBeCloseTo(552 / 650);
  expect(y).toBeCloseTo(24);
});

test("what is too long stays pleasant to read and begins at its top, unless all of it is asked for", () => {
  expect(fit({ width: 400, height: 9000 }, seen, null)).toMatchObject({ y: 24, zoom: zoomPleasant });
  expect(fit({ width: 400, height: 800 }, seen, null, true).zoom).toBeCloseTo(552 / 800);
});

test("so does what is too wide", () => {
  expect(fit({ width: 1000, height: 700 }, seen, null, true).zoom).toBeCloseTo(752 / 1000);
  expect(fit({ width: 5000, height: 9000 }, seen, null).zoom).toBe(zoomPleasant);
  expect(fit({ width: 5000, height: 9000 }, seen, null, true).zoom).toBe(zoomLeast);
});

test("or at what is looked for, without empty room beyond the ends", () => {
  const { y, zoom } = fit({ width: 400, height: 9000 }, seen, box);
  expect(y).toBeCloseTo(300 - 4027 * zoom);
  expect(fit({ width: 400, height: 9000 }, seen, { ...box, y: 8940 }).y).toBeCloseTo(600 - 24 - 9000 * zoomPleasant);
  expect(fit({ width: 400, height: 9000 }, seen, { ...box, y: 0 }).y).toBe(24);
  // As long as the beginning and what is looked for are both in sight, it does not move.
  expect(fit({ width: 400, height: 9000 }, seen, { ...box, y: 600 }).y).toBe(24);
});

test("what is outside is not seen, and is brought to the middle", () => {
  expect(isSeen(box, { x: 0, y: 0, zoom: 1 }, seen)).toBe(false);
  const there = centre(box, seen, 0.8);
  expect(isSeen(box, there, seen)).toBe(true);
  expect(there.zoom).toBe(0.8);
});
