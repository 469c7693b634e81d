import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildPlan, samples, type PlanSketch, type Sketch } from "../../../test/golden/draw/plans.ts";
import { allEdges } from "../edges.ts";
import { objectFrom } from "../json.ts";
import type { Plan } from "../plan.ts";
import { drawAscii } from "./ascii.ts";
import { drawMermaid } from "./mermaid.ts";
import { outlinePicture, type Row } from "./outline.ts";
import { buildPicture, type Link, type Picture, type PictureNode } from "./picture.ts";
import { drawSvg } from "./svg.ts";

const golden = (name: string): string => new URL(`../../../test/golden/draw/${name}`, import.meta.url).pathname;

describe("the samples are drawn as they were", () => {
  test.each(Object.entries(samples))("%s", async (name, plan) => {
    await expect(drawAscii(plan, { width: 80 })).toMatchFileSnapshot(golden(`${name}.txt`));
    await expect(drawAscii(plan, { width: 80, unicode: false })).toMatchFileSnapshot(golden(`${name}.ascii.txt`));
    await expect(drawMermaid(plan)).toMatchFileSnapshot(golden(`${name}.mmd`));
    await expect(drawSvg(plan)).toMatchFileSnapshot(golden(`${name}.svg`));
  });
});

const stepCount = 9;
const keys = [...Array.from({ length: stepCount }, (_, index) => `s${index}`), "lost"];
const steps = fc.constantFrom(...keys);
const targets = fc.constantFrom(...keys, "end");
const someSteps = fc.uniqueArray(steps, { minLength: 1, maxLength: 4 });
const cases = fc.array(fc.tuple(fc.constantFrom("a > 1", "b", ""), targets), { maxLength: 3 });
const outcomes = fc.constantFrom("items", "empty", "error", "rejected", "default");
const transitionNames = fc.constantFrom("go", "back");

const sketches: fc.Arbitrary<Sketch> = fc.oneof(
  fc.record({ next: targets }),
  fc.record({ branch: cases, else: targets }, { requiredKeys: ["branch"] }),
  fc.record({ parallel: someSteps, join: steps, arrive: fc.boolean() }, { requiredKeys: ["parallel"] }),
  fc.record({ join: steps, routes: fc.dictionary(outcomes, targets) }, { requiredKeys: ["join"] }),
  fc.record({ routes: fc.dictionary(outcomes, targets) }),
  fc.record({ gate: fc.record({ escalateTo: steps }), next: targets }),
  fc.record({ next: targets, cleanup: steps }),
  fc.record({ done: fc.constantFrom("success", "failure", "cancel") }),
  fc.record({ terminal: fc.constantFrom("success", "failure", "cancel") }),
  fc.record({
    transitions: fc.array(
      fc.record({ name: transitionNames, to: steps, action: steps }, { requiredKeys: ["name", "to"] }),
      {
        maxLength: 3,
      },
    ),
  }),
);

const plans: fc.Arbitrary<Plan> = fc
  .array(sketches, { minLength: 1, maxLength: stepCount })
  .map((list) => buildPlan("random", Object.fromEntries(list.map((sketch, index) => [`s${index}`, sketch])), "s0"));

/** Every step once, every arrow once. */
type Shown = { readonly steps: readonly string[]; readonly arrows: readonly string[] };
type Drawings = {
  readonly outline: Shown;
  readonly terminal: readonly string[];
  readonly mermaid: Shown;
  readonly svg: object;
};

function mustShow(plan: Plan): Drawings {
  const { nodes } = buildPicture(plan);
  const links = nodes.flatMap((node) => node.links);
  const all = { steps: nodes.map(({ key }) => key).toSorted(), arrows: links.map(arrowText).toSorted() };
  const names = nodes.map(({ label }) => label).toSorted();
  const labels = links.filter(({ label }) => label !== "").length;
  return { outline: all, terminal: names, mermaid: all, svg: { names, labels } };
}

function shows(plan: Plan): Drawings {
  const picture = buildPicture(plan);
  const svg = drawSvg(plan);
  const boxes = [...svg.matchAll(/<g class="step [^>]*><title>([^<:]*)/g)].map(([, name = ""]) => name);
  return {
    outline: shownInOutline(picture),
    terminal: namesInTerminal(drawAscii(plan)),
    mermaid: shownInMermaid(picture, drawMermaid(plan)),
    svg: { names: boxes.toSorted(), labels: [...svg.matchAll(/<text class="label"/g)].length },
  };
}

function arrowText({ from, to, label }: Pick<Link, "from" | "to" | "label">): string {
  return `${from.key} ${label} ${to === null ? "(end)" : to.key}`;
}

/** The glyph of a step stands before its name only where it is drawn; elsewhere an arrow does. */
function namesInTerminal(text: string): readonly string[] {
  const names = [...text.matchAll(/(?:^| )[●◆◷▣≔○?✔✘⊘] (?![═─╌])(.+?)(?: {2}|$)/gmu)].map(([, name = ""]) => name);
  return names.filter((name) => name !== "end").toSorted();
}

function shownInOutline(picture: Picture): Shown {
  const rows = outlinePicture(picture).flatMap((column) => column.flatMap(rowsIn));
  return {
    steps: rows.map(({ node }) => node.key).toSorted(),
    arrows: rows
      .flatMap(({ exits, rail }) => [...exits.map(({ link }) => link), ...(rail.kind === "link" ? [rail.link] : [])])
      .map(arrowText)
      .toSorted(),
  };
}

function rowsIn(row: Row): readonly Row[] {
  return [row, ...row.exits.flatMap((exit) => (exit.kind === "column" ? exit.rows.flatMap(rowsIn) : []))];
}

function shownInMermaid(picture: Picture, text: string): Shown {
  const keyOf = new Map<string, string>(picture.nodes.map(({ key, index }) => [`n${index + 1}`, key]));
  const ids = [...text.matchAll(/^ {2}(n[1-9]\d*)[^ ]*"/gm)].map(([, id = ""]) => keyOf.get(id) ?? id);
  const lines = text.matchAll(/^ {2}(n[1-9]\d*) (?:-->|==>|-\.->)(?:\|"([^"]*)"\|)? (\w+)$/gm);
  const arrows = [...lines].map(([, from = "", label = "", to = ""]) =>
    [keyOf.get(from), unescape(label), keyOf.get(to) ?? "(end)"].join(" "),
  );
  return { steps: ids.toSorted(), arrows: arrows.toSorted() };
}

function unescape(label: string): string {
  return label.replaceAll(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

test.each(Object.entries(samples))("every step of %s is drawn once and every arrow is there", (_, plan) => {
  expect(shows(plan)).toEqual(mustShow(plan));
});

test("every step of any plan is drawn once and every arrow is there, whatever leads where", () => {
  const property = fc.property(plans, (plan) => {
    expect(shows(plan)).toEqual(mustShow(plan));
  });
  fc.assert(property, { numRuns: 300 });
});

test("all edges of a plan are in its picture; for the one from a fork to its join stand the arrivals", () => {
  for (const plan of Object.values(samples)) {
    const drawn = buildPicture(plan).nodes.flatMap(({ links }) =>
      links.map(({ from, to }) => `${from.key} ${to?.key}`),
    );
    const edges = allEdges(plan).filter(
      ({ kind, from }) => kind !== "join" || plan.steps[from]?.transition.kind !== "fork",
    );
    expect(drawn).toEqual(expect.arrayContaining(edges.map(({ from, to }) => `${from} ${to ?? undefined}`)));
  }
  const onboarding = buildPicture(samples["nested-fork"] ?? buildPlan(null, {}));
  const links = onboarding.nodes.flatMap((node) => node.links);
  const arrivals = links.filter(({ kind, to }) => kind === "join" && to?.key === "welcome");
  expect(arrivals.map(({ from }) => from.key)).toEqual(["desk", "check", "file"]);
});

test("the order of a plan's steps changes no drawing", () => {
  for (const plan of Object.values(samples)) {
    const turned: Plan = { ...plan, steps: objectFrom(Object.entries(plan.steps).toReversed()) };
    expect(drawAscii(turned)).toBe(drawAscii(plan));
    expect(drawMermaid(turned)).toBe(drawMermaid(plan));
    expect(drawSvg(turned)).toBe(drawSvg(plan));
  }
});

const many = Array.from({ length: 1000 }, (_, index) => index);

const large: { readonly [name: string]: (index: number) => Sketch } = {
  "a chain": (index) => (index === 999 ? {} : { next: `s${index + 1}` }),
  "a chain with one handler for all errors": (index) =>
    index === 999 ? { done: "failure" } : { next: `s${Math.min(index + 1, 998)}`, routes: { error: "s999" } },
  "a chain with ways back": (index) =>
    index === 999 ? {} : { next: `s${index + 1}`, routes: { again: `s${index >> 1}` } },
  "a fork": (index) =>
    index === 0
      ? { parallel: many.slice(1, 999).map((to) => `s${to}`), join: "s999" }
      : index === 999
        ? {}
        : { join: "s999" },
  "forks in forks": (index) =>
    index < 333
      ? { parallel: [`s${index + 1}`, `s${999 - index}`], join: `s${index + 333}` }
      : { next: `s${index + 1}` },
  "steps that lead far ahead": (index) =>
    index === 999 ? {} : { branch: [["a", `s${index + 1 + ((index * 7919) % (999 - index))}`]], else: `s${index + 1}` },
  "steps that lead anywhere": (index) => ({
    branch: [["a", `s${(index * 7919 + 13) % 1000}`]],
    else: `s${(index * 31 + 7) % 1000}`,
  }),
  "a tree": (index) =>
    2 * index + 2 < 1000 ? { branch: [["a", `s${2 * index + 1}`]], else: `s${2 * index + 2}` } : {},
};

test.each(Object.entries(large))("a thousand steps are drawn: %s", (_, sketch) => {
  const thousand: PlanSketch = Object.fromEntries(many.map((index) => [`s${index}`, sketch(index)]));
  const plan = buildPlan("large", thousand);
  expect(shows(plan)).toEqual(mustShow(plan));
});

test("a step without a name is shown by its key", () => {
  const nodes: readonly PictureNode[] = buildPicture(
    buildPlan("x", { first: { label: "\u0000", next: "\u200B" } }),
  ).nodes;
  expect(nodes.map(({ label }) => label)).toEqual(["first", "(no name)"]);
});
