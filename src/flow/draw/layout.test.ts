import { describe, expect, test } from "vitest";
import { buildPlan, samples, type Sketch } from "../../../test/golden/draw/plans.ts";
import type { Plan } from "../plan.ts";
import type { Size } from "./layers.ts";
import { layOut, type Layout, type Spacing } from "./layout.ts";
import { buildPicture } from "./picture.ts";
import { wiresFrom } from "./wires.ts";

const nodeSize: Size = { width: 100, height: 40 };

const spacing: Spacing = {
  margin: 10,
  head: 20,
  step: 20,
  line: 10,
  above: 15,
  below: 20,
  lane: 10,
  loop: 20,
  end: { width: 16, height: 16 },
  ofNode: () => nodeSize,
  ofLabels: (labels) => ({ width: labels.length === 0 ? 0 : 60, height: 12 * labels.length }),
};

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

function around(x: number, y: number, { width, height }: Size): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function boxesOf({ steps, ends, routes }: Layout): readonly Box[] {
  return [
    ...steps.map(({ x, y }) => around(x + nodeSize.width / 2, y + nodeSize.height / 2, nodeSize)),
    ...ends.map(({ x, y }) => around(x, y, spacing.end)),
    ...routes.flatMap(({ wire, label }) =>
      wire.labels.length === 0 ? [] : [around(label.x, label.y, spacing.ofLabels(wire.labels))],
    ),
  ];
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

const range = Array.from({ length: 60 }, (_, index) => index);

function plan(sketch: (index: number) => Sketch): Plan {
  return buildPlan("x", Object.fromEntries(range.map((index) => [`s${index}`, sketch(index)])));
}

const plans: { readonly [name: string]: Plan } = {
  ...samples,
  "ways anywhere": plan((index) => ({
    branch: [["a", `s${(index * 17 + 5) % 60}`]],
    else: `s${(index * 7 + 1) % 60}`,
    routes: { error: "s59", empty: "end" },
  })),
  "far ways ahead": plan((index) =>
    index === 59 ? {} : { branch: [["a", `s${index + 1 + ((index * 13) % (59 - index))}`]], else: `s${index + 1}` },
  ),
  "ways to itself": plan((index) => ({ branch: [["a", `s${index}`]], else: `s${Math.min(index + 1, 59)}` })),
  "many ways back": plan((index) =>
    index === 59 ? {} : { next: `s${index + 1}`, routes: { again: `s${index % 7}` } },
  ),
};

describe.each(Object.entries(plans))("%s", (_, drawn) => {
  const picture = buildPicture(drawn);
  const layout = layOut(picture, spacing);
  const boxes = boxesOf(layout);

  test("no two steps or labels cover one another, and all lie within the drawing", () => {
    for (const [at, one] of boxes.entries()) {
      expect(boxes.slice(at + 1).filter((other) => overlaps(one, other))).toEqual([]);
      expect(one.left).toBeGreaterThanOrEqual(0);
      expect(one.right).toBeLessThanOrEqual(layout.width);
      expect(one.bottom).toBeLessThanOrEqual(layout.height);
    }
  });

  test("what leads down runs down, what leads back runs beside the steps", () => {
    for (const { wire, curve, corners } of layout.routes) {
      expect(curve.map(({ y }) => y)).toEqual(curve.map(({ y }) => y).toSorted((one, other) => one - other));
      expect(corners.length > 0).toBe(wire.isBack);
      for (const [at, { x, y }] of corners.entries()) {
        const from = corners[at - 1];
        if (from === undefined || from.x !== x) continue;
        const line = { left: x, right: x, top: Math.min(y, from.y), bottom: Math.max(y, from.y) };
        expect(boxes.filter((box) => overlaps(line, box))).toEqual([]);
      }
    }
  });

  test("every line is there once", () => {
    const wires = picture.nodes.flatMap(wiresFrom).map(({ from, to, look }) => `${look} ${from.key} ${to?.key}`);
    const routed = layout.routes.map(({ wire: { from, to, look } }) => `${look} ${from.key} ${to?.key}`);
    expect(routed.toSorted()).toEqual(wires.toSorted());
  });
});

test("steps in sequence stand on one vertical", () => {
  const { steps } = layOut(buildPicture(plan((index) => (index === 59 ? {} : { next: `s${index + 1}` }))), spacing);
  expect(new Set(steps.map(({ x }) => x))).toEqual(new Set([spacing.margin]));
});

test("branches stand on one level, symmetrically below their fork", () => {
  const { steps } = layOut(buildPicture(samples["fork"] ?? buildPlan(null, {})), spacing);
  const at = new Map(steps.map(({ node, x, y }) => [node.key, { x, y }]));
  const [score, translate, summarize] = ["score", "translate", "summarize"].map((key) => at.get(key) ?? { x: 0, y: 0 });
  expect(translate?.y).toBe(summarize?.y);
  const middle = ((translate?.x ?? 0) + (summarize?.x ?? 0)) / 2;
  expect(Math.abs(middle - (score?.x ?? 0))).toBeLessThanOrEqual(1);
});

test("lines that would need too many bends run beside the steps", () => {
  const steps = Array.from({ length: 3000 }, (_, index): readonly [string, Sketch] => [
    `s${index}`,
    index === 2999 ? {} : { next: `s${index + 1}`, routes: { error: "s2999" } },
  ]);
  const { routes } = layOut(buildPicture(buildPlan("x", Object.fromEntries(steps))), spacing);
  const failures = routes.filter(({ wire }) => wire.look === "failure");
  // The last one goes to the next step, and needs no bend.
  expect(failures.filter(({ corners }) => corners.length > 0)).toHaveLength(2998);
});
