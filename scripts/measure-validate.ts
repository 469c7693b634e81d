// How long validating and compiling takes for flows of 1,000 and of 10,000 steps: `node scripts/measure-validate.ts`.
// Ten times the steps should cost at most fifteen times the time. Measured, not asserted: machines differ.

import { objectFrom, type Json, type JsonObject } from "../src/flow/json.ts";
import { validate } from "../src/flow/validate/validate.ts";

type Shape = { readonly name: string; readonly build: (steps: number) => JsonObject };

type Entry = readonly [string, JsonObject];

function flow(entries: readonly Entry[], start: string): JsonObject {
  return { format: "stepwell/v1", name: "measured", start, steps: objectFrom(entries) };
}

function list<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function lookUp(text: string): JsonObject {
  return { tool: "crm.find", args: { query: text, limit: 10 } };
}

function choice(condition: string, target: string): JsonObject {
  return objectFrom<Json>([
    ["if", condition],
    ["then", target],
  ]);
}

/** Each step reads the one before it, one in the middle and the first. */
function buildChain(steps: number): JsonObject {
  const entries = list(steps, (index): Entry => {
    const read = index === 0 ? "input.topic" : `steps.s${index - 1}.result.id`;
    const far = index === 0 ? "input" : `steps.s${Math.floor(index / 2)}.result ?? steps.s0.result`;
    const next = index + 1 < steps ? { next: `s${index + 1}` } : { done: true };
    return [`s${index}`, { ...lookUp(`{{ ${read} }} and {{ ${far} }}`), ...next }];
  });
  return flow(entries, "s0");
}

/** Diamonds in a row: a step with two ways, and both lead to the next diamond. */
function buildBranches(steps: number): JsonObject {
  const count = Math.floor(steps / 3);
  const entries = list(count, (index): readonly Entry[] => {
    const after = index + 1 < count ? { next: `d${index + 1}` } : { done: true };
    const branch = { branch: [choice("result.total > 10 && input.urgent", `a${index}`)], else: `b${index}` };
    return [
      [`d${index}`, { ...lookUp("{{ input.topic }}"), ...branch }],
      [`a${index}`, { ...lookUp(`{{ steps.d${index}.result }}`), ...after }],
      [`b${index}`, { ...lookUp("{{ previous }}"), ...after }],
    ];
  });
  return flow(entries.flat(), "d0");
}

/** Forks of ten branches in a row, each joined by a step that reads its branches. */
function buildForks(steps: number): JsonObject {
  const count = Math.floor(steps / 12);
  const entries = list(count, (index): readonly Entry[] => {
    const branches = list(10, (branch) => `b${index}_${branch}`);
    const after = index + 1 < count ? { next: `f${index + 1}` } : { done: true };
    return [
      [`f${index}`, { ...lookUp("{{ input.topic }}"), parallel: branches }],
      ...branches.map((name): Entry => [name, { ...lookUp(`{{ steps.f${index}.result }}`), join: `j${index}` }]),
      [`j${index}`, { ...lookUp(`{{ steps.b${index}_0.result }} {{ steps.b${index}_9.result }}`), ...after }],
    ];
  });
  return flow(entries.flat(), "f0");
}

/** One fork into half the steps, two steps in each branch. */
function buildWideFork(steps: number): JsonObject {
  const count = Math.floor((steps - 2) / 2);
  const entries = list(count, (index): readonly Entry[] => [
    [`a${index}`, { ...lookUp("{{ input.topic }}"), next: `b${index}` }],
    [`b${index}`, { ...lookUp(`{{ steps.a${index}.result }}`), join: "end_of_all" }],
  ]);
  const fork: Entry = ["fork", { ...lookUp("all"), parallel: list(count, (index) => `a${index}`) }];
  const join: Entry = ["end_of_all", { ...lookUp("{{ steps.a0.result }}"), done: true }];
  return flow([fork, ...entries.flat(), join], "fork");
}

/** Forks inside forks, ten deep, again and again. */
function buildNestedForks(steps: number): JsonObject {
  const depth = 10;
  const count = Math.floor(steps / (depth * 3));
  const entries = list(count, (index): readonly Entry[] => {
    const after = index + 1 < count ? { next: `f${index + 1}_0` } : { done: true };
    return list(depth, (level): readonly Entry[] => {
      const inner = level + 1 < depth ? `f${index}_${level + 1}` : `x${index}`;
      const out = level === 0 ? after : { join: `j${index}_${level - 1}` };
      return [
        [`f${index}_${level}`, { ...lookUp("go"), parallel: [inner, `s${index}_${level}`] }],
        [`s${index}_${level}`, { ...lookUp(`{{ steps.f${index}_0.result }}`), join: `j${index}_${level}` }],
        [`j${index}_${level}`, { ...lookUp(`{{ steps.s${index}_${level}.result }}`), ...out }],
      ];
    })
      .flat()
      .concat([[`x${index}`, { ...lookUp("deepest"), join: `j${index}_${depth - 1}` }]]);
  });
  return flow(entries.flat(), "f0_0");
}

/** Every step can fail into one alert, and each tenth goes back to the one before. */
function buildLoops(steps: number): JsonObject {
  const entries = list(steps - 1, (index): Entry => {
    const isLast = index + 2 === steps;
    const next = isLast ? "end" : `s${index + 1}`;
    const back = [choice("result.again == true", `s${Math.max(0, index - 9)}`)];
    const leaving = index % 10 === 9 ? { branch: back, else: next } : { next };
    const action = index % 10 === 5 ? { wait: "5m" } : lookUp(`{{ steps.s${Math.max(0, index - 5)}.result }}`);
    return [`s${index}`, { ...action, ...leaving, on_error: "alert" }];
  });
  return flow([...entries, ["alert", { ...lookUp("{{ previous.error }}"), done: { kind: "failure" } }]], "s0");
}

function buildPipeline(steps: number): JsonObject {
  const all = list(steps, (index): JsonObject => {
    const routes = index % 10 === 0 && index + 5 < steps ? { routes: { empty: index + 5, error: steps } } : {};
    return { name: `s${index}`, tool: "news.fetch", ...routes };
  });
  return { format: "stepwell/v1", name: "measured", steps: all };
}

function buildMachine(states: number): JsonObject {
  const names = list(states - 2, (index) => `s${index}`);
  const transitions = names.map((name, index) => ({
    name: "advance",
    from: name,
    to: names[index + 1] ?? "done",
    guard: `data.count > ${index}`,
    ...(index % 10 === 0 ? { action: lookUp("{{ data.id }}") } : {}),
  }));
  const entries = names.map((name, index): Entry => [name, index === 0 ? { initial: true } : {}]);
  const ends: readonly Entry[] = [
    ["done", { terminal: "success" }],
    ["withdrawn", { terminal: "cancel" }],
  ];
  return {
    format: "stepwell/v1",
    name: "measured",
    states: objectFrom([...entries, ...ends]),
    transitions: [...transitions, { name: "withdraw", from: names, to: "withdrawn" }],
  };
}

const shapes: readonly Shape[] = [
  { name: "chain with references", build: buildChain },
  { name: "many branches", build: buildBranches },
  { name: "many forks of ten", build: buildForks },
  { name: "one fork of half the steps", build: buildWideFork },
  { name: "forks inside forks", build: buildNestedForks },
  { name: "loops and one alert", build: buildLoops },
  { name: "pipeline", build: buildPipeline },
  { name: "machine", build: buildMachine },
];

/** The median of five, in milliseconds. */
function measure(document: JsonObject): number {
  const times = list(5, () => {
    const before = performance.now();
    const report = validate(document);
    const took = performance.now() - before;
    const [first] = report.findings;
    if (!report.ok) throw new Error(`The flow to be measured is refused: ${first?.pointer} ${first?.message}`);
    return took;
  });
  return times.toSorted((one, other) => one - other)[2] ?? Number.NaN;
}

const sizes = [1000, 10_000] as const;

function line(...cells: readonly string[]): string {
  const [name = "", ...others] = cells;
  return name.padEnd(28) + others.map((cell) => cell.padStart(13)).join("");
}

// Code that has not run yet is slow: let the compiler see every shape first.
for (const { build } of shapes) measure(build(1000));
console.log(line("shape", ...sizes.map((size) => `${size} steps`), "ratio"));
for (const { name, build } of shapes) {
  const [small, large] = sizes.map((size) => measure(build(size)));
  const ratio = (large ?? Number.NaN) / (small ?? Number.NaN);
  const times = [small, large].map((time) => `${(time ?? Number.NaN).toFixed(1)} ms`);
  console.log(line(name, ...times, `${ratio.toFixed(1)}${ratio > 15 ? " !" : ""}`));
}
