import fc from "fast-check";
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
const targets = fc.constantFrom(...Array.from({ length: stepCount }, (_, index) => `s${index}`), "end", "lost");
const someTargets = fc.uniqueArray(targets, { minLength: 1, maxLength: 4 });
const cases = fc.array(fc.tuple(fc.constantFrom("a > 1", "b", ""), targets), { maxLength: 3 });
const outcomes = fc.constantFrom("items", "empty", "error", "rejected", "default");
const transitionNames = fc.constantFrom("go", "back");

const sketches: fc.Arbitrary<Sketch> = fc.oneof(
  fc.record({ next: targets }),
  fc.record({ branch: cases, else: targets }, { requiredKeys: ["branch"] }),
  fc.record({ parallel: someTargets, join: targets, arrive: fc.boolean() }, { requiredKeys: ["parallel"] }),
  fc.record({ join: targets, routes: fc.dictionary(outcomes, targets) }, { requiredKeys: ["join"] }),
  fc.record({ routes: fc.dictionary(outcomes, targets) }),
  fc.record({ gate: fc.record({ escalateTo: targets }), next: targets }),
  fc.record({ next: targets, cleanup: targets }),
  fc.record({ done: fc.constantFrom("success", "failure", "cancel") }),
  fc.record({ terminal: fc.constantFrom("success", "failure", "cancel") }),
  fc.record({
    transitions: fc.array(fc.record({ name: transitionNames, to: targets, action: targets }, { requiredKeys: ["name", "to"] }), {
      maxLength: 3,
    }),
  }),
);

const plans: fc.Arbitrary<Plan> = fc
  .array(sketches, { minLength: 1, maxLength: stepCount })
  .map((list) => buildPlan("random", Object.fromEntries(list.map((sketch, index) => [`s${index}`, sketch])), "s0"));

/** What a drawing must show: every step once, every arrow once. */
type Shown = { readonly steps: readonly string[]; readonly arrows: readonly string[] };

function expected(picture: Picture): Shown {
  return {
    steps: picture.nodes.map(({ key }) => key).toSorted(),
    arrows: picture.nodes.flatMap(({ links }) => links.map(arrowText)).toSorted(),
  };
}

function arrowText({ from, to, label }: Pick<Link, "from" | "to" | "label">): string {
  return `${from.key} ${label} ${to === null ? "(end)" : to.key}`;
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
  const keys = new Map<string, string>(picture.nodes.map(({ key, index }) => [`n${index + 1}`, key]));
  const ids = [...text.matchAll(/^ {2}(n[1-9]\d*)[^ ]*"/gm)].map(([, id = ""]) => keys.get(id) ?? id);
  const lines = text.matchAll(/^ {2}(n[1-9]\d*) (?:-->|==>|-\.->)(?:\|"([^"]*)"\|)? (\w+)$/gm);
  const arrows = [...lines].map(([, from = "", label = "", to = ""]) =>
    [keys.get(from), unescape(label), keys.get(to) ?? "(end)"].join(" "),
  );
  return { steps: ids.toSorted(), arrows: arrows.toSorted() };
}

function unescape(label: string): string {
  return label.replaceAll(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

function expectAllShown(plan: Plan): void {
  const picture = buildPicture(plan);
  expect(shownInOutline(picture)).toEqual(expected(picture));
  expect(shownInMermaid(picture, drawMermaid(plan))).toEqual(expected(picture));
  const svg = drawSvg(plan);
  const boxes = [...svg.matchAll(/<g class="step [^>]*><title>([^<:]*)/g)].map(([, name]) => name);
  expect(boxes.toSorted()).toEqual(picture.nodes.map(({ label }) => label).toSorted());
  const labels = [...svg.matchAll(/<text class="label"/g)].length;
  expect(labels).toBe(picture.nodes.flatMap(({ links }) => links).filter(({ label }) => label !== "").length);
  const terminal = drawAscii(plan);
  for (const { label } of picture.nodes) expect(terminal).toMatch(new RegExp(`[●◆◷▣≔○?✔✘⊘] ${label}(?= |$)`, "m"));
}

test.each(Object.entries(samples))("every step of %s is drawn once and every arrow is there", (_, plan) => {
  expectAllShown(plan);
});

test("every step of any plan is drawn once and every arrow is there, whatever leads where", () => {
  fc.assert(fc.property(plans, expectAllShown), { numRuns: Number(process.env['RUNS'] ?? 300) });
});

test("all edges of a plan are in its picture, an end in a branch of a fork with its own join as an arrival", () => {
  for (const plan of Object.values(samples)) {
    const drawn = new Set(buildPicture(plan).nodes.flatMap(({ links }) => links.map(({ from, to }) => `${from.key} ${to?.key}`)));
    const isForkJoin = (kind: string, from: string): boolean => kind === "join" && plan.steps[from]?.transition.kind === "fork";
    for (const { kind, from, to } of allEdges(plan)) {
      if (!isForkJoin(kind, from)) expect(drawn).toContain(`${from} ${to ?? undefined}`);
    }
  }
  const onboarding = buildPicture(samples["nested-fork"] ?? buildPlan(null, {}));
  const arrivals = onboarding.nodes.flatMap(({ links }) => links).filter(({ kind, to }) => kind === "join" && to?.key === "welcome");
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
  "a chain with ways back": (index) => (index === 999 ? {} : { next: `s${index + 1}`, routes: { again: `s${index >> 1}` } }),
  "a fork": (index) =>
    index === 0 ? { parallel: many.slice(1, 999).map((to) => `s${to}`), join: "s999" } : index === 999 ? {} : { join: "s999" },
  "forks in forks": (index) =>
    index < 333 ? { parallel: [`s${index + 1}`, `s${999 - index}`], join: `s${index + 333}` } : { next: `s${index + 1}` },
  "steps that lead far ahead": (index) =>
    index === 999 ? {} : { branch: [["a", `s${index + 1 + ((index * 7919) % (999 - index))}`]], else: `s${index + 1}` },
  "steps that lead anywhere": (index) => ({ branch: [["a", `s${(index * 7919 + 13) % 1000}`]], else: `s${(index * 31 + 7) % 1000}` }),
  "a tree": (index) => (2 * index + 2 < 1000 ? { branch: [["a", `s${2 * index + 1}`]], else: `s${2 * index + 2}` } : {}),
};

test.each(Object.entries(large))("a thousand steps are drawn: %s", (_, sketch) => {
  const steps: PlanSketch = Object.fromEntries(many.map((index) => [`s${index}`, sketch(index)]));
  expectAllShown(buildPlan("large", steps));
});

const hostile: readonly (readonly [string, string])[] = [
  ["a script", `</title></text><script>alert("x")</script>`],
  ["an attribute", `x" onload="alert(1)' y='`],
  ["entities", "&lt;b&gt; &#60;i&#62; #quot; #35;"],
  ["line breaks", "one\r\ntwo\u2028three\u0085four"],
  ["control characters", "\u0000a\u0007b\u001B[31mc\u009B1md\u007F"],
  ["direction marks", "\u202Egnp.exe\u2066\u200F\u061C"],
  ["the word end", "end"],
  ["Mermaid's own signs", `end"]; subgraph [x] --> {y} | %%{init: {"theme":"x"}}%% \`z\` click n1 "javascript:x"`],
  ["a very long name", "long ".repeat(2000)],
  ["broken and private characters", "\uD800 \uFFFE \uFFFF \u{1F600} ﷽ e\u0301\u0323"],
  ["nothing to see", "\u0000\u200B\u202E"],
  ["wide characters", "数据".repeat(100)],
  ["a name of every object", "__proto__"],
];

test.each(hostile)("text with %s stays text", (_, text) => {
  const plan = buildPlan(text, {
    start: { label: text, tool: text, branch: [[text, "other"]], else: "end", routes: { [text]: "other" } },
    other: { label: `2 ${text}`, flow: text, done: "failure" },
  });
  const ascii = drawAscii(plan, { unicode: false, width: 60 });
  expect(ascii).toMatch(/^[\n -~]*$/);
  expect(Math.max(...ascii.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  for (const drawing of [drawAscii(plan), drawMermaid(plan), drawSvg(plan)]) {
    expect(drawing.isWellFormed()).toBe(true);
    expect(drawing).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\uFFFE\uFFFF]/u);
  }
  expect(drawMermaid(plan).split("\n").filter((line) => !mermaidLine.test(line))).toEqual(["flowchart TD", ""]);
  expectWellFormed(drawSvg(plan));
});

const mermaidLine =
  /^ {2}(?:classDef \w+ [\w:,#\- ]+|\w+(?:\[{1,2}|\({1,2}|\{\{|>|\[\/|\(\[)"[^"[\](){}|`%]*"[\])}/]{1,2}(?::::\w+)?|\w+ (?:-->|==>|-\.->)(?:\|"[^"[\](){}|`%]*"\|)? \w+)$/;

test("the SVG has no script, no link to the outside and only the elements of a drawing", () => {
  for (const plan of Object.values(samples)) {
    const svg = drawSvg(plan);
    expectWellFormed(svg);
    expect(svg).not.toMatch(/href|url\(|@import|<script|\son\w+=/);
    expect(svg).toMatch(/^<svg [^>]*role="img"/);
  }
});

/** Balanced tags of the few elements in use, attributes in quotes, and no bare sign of markup in between. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  const tag = /<(\/?)([a-z]+)((?: [A-Za-z:]+="[^"<]*")*)(\/?)>/g;
  for (const [, closing, name = "", , empty] of svg.matchAll(tag)) {
    expect(["svg", "title", "desc", "style", "rect", "g", "path", "text", "circle"]).toContain(name);
    if (closing === "/") expect(open.pop()).toBe(name);
    else if (empty !== "/") open.push(name);
  }
  expect(open).toEqual([]);
  const text = svg.replace(/<style>[^<]*<\/style>/, "").replaceAll(tag, "");
  expect(text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, "")).not.toMatch(/[<>&"']/);
}

test("a step without a name is shown by its key", () => {
  const nodes: readonly PictureNode[] = buildPicture(buildPlan("x", { first: { label: "\u0000", next: "\u200B" } })).nodes;
  expect(nodes.map(({ label }) => label)).toEqual(["first", "(no name)"]);
});
