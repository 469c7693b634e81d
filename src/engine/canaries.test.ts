// Fifty secrets, each used in every way a flow can use one, by tools that give away all they know. Whatever is written,
// printed or shown afterwards must not have any of them.

import { randomBytes } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { readBytes } from "../testing/database-bytes.ts";
import { createWorld, type OpenedEngine, type World } from "../testing/engine.ts";
import { outcome, ToolError, type ToolContext } from "../tool/function.ts";
import type { Tools } from "../tool/registry.ts";
import { systemClock } from "./clock.ts";

const canaries = new Map(
  Array.from({ length: 50 }, (_, index) => {
    const odd = ["", ' "q" ', "/+&=?%", "ü→🔑", "\\n\n", "<b>'"][index % 6] ?? "";
    return [
      `CANARY_${index}`,
      `${randomBytes(9).toString("base64url")}${odd}${randomBytes(9).toString("hex")}`,
    ] as const;
  }),
);

/** The texts by which a canary would be known. */
function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  const encodings = (["base64", "base64url", "hex"] as const).map((encoding) => bytes.toString(encoding));
  return [value, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(value), ...encodings];
}

const seen = new Set<string>();
let failures = 0;

function remember(input: Json): void {
  const text = JSON.stringify(input);
  for (const [name, value] of canaries) if (text.includes(JSON.stringify(value).slice(1, -1))) seen.add(name);
}

function told(input: JsonObject): string {
  remember(input);
  return Object.values(input)
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .join(" ");
}

/** Each gives away what it was given, in its own way. */
const tools: Tools = {
  echo: (input: JsonObject) => {
    remember(input);
    return input;
  },
  keys: (input: JsonObject) => ({ [told(input)]: { [told(input)]: [told(input)] } }),
  forms: (input: JsonObject) => formsOf(told(input)),
  basic: (input: JsonObject) => `Basic ${Buffer.from(`user:${told(input)}`).toString("base64")}`,
  fail: (input: JsonObject) => {
    throw new Error(`it failed with ${told(input)}`);
  },
  refuse: (input: JsonObject) => {
    throw new ToolError({ code: told(input), message: JSON.stringify(input), isFinal: true });
  },
  long: (input: JsonObject) => {
    throw new Error("x".repeat(4090) + told(input));
  },
  large: (input: JsonObject) => ["y".repeat(4080), told(input), "z".repeat(5_000_000)],
  named: (input: JsonObject) => outcome("found", told(input)),
  wrong: (input: JsonObject) => ({ kind: told(input), value: 1n }),
  chatty: (input: JsonObject, { log, progress }: ToolContext) => {
    log(`I was given ${told(input)}`);
    progress(0.5, told(input));
    return null;
  },
  flaky: (input: JsonObject) => {
    failures += 1;
    if (failures % 3 !== 0) throw new Error(`not yet: ${told(input)}`);
    return told(input);
  },
  tell: (input: JsonObject) => told(input),
  parrot: () => ({ all: [...canaries.values()] }),
};

/** One step after another, each of which uses the secret; what goes wrong leads on as well. */
function flowOf(name: string): Json {
  const secret = `{{ secrets.${name} }}`;
  const ways: readonly (readonly [string, JsonObject])[] = [
    ["echo", { args: { key: secret, nested: { list: [1, { deep: `Bearer ${secret} and ${secret}` }] } } }],
    ...["keys", "forms", "basic", "fail", "refuse", "long", "large", "named", "wrong", "chatty"].map(
      (tool) => [tool, { args: { [tool]: `<${secret}>` } }] as const,
    ),
    ["flaky", { args: { key: secret }, retry: { attempts: 3, backoff: ["1s", "1s"] } }],
    ["echo", { args: { item: "{{ item }}", key: secret }, each: { items: ["a", "b"] } }],
    ["parrot", {}],
  ];
  const steps = ways.map(([tool, more], index) => {
    const next = `step_${index + 1}`;
    return [`step_${index}`, { tool, ...more, routes: { error: next, found: next }, next }] as const;
  });
  const last = `step_${ways.length}`;
  return {
    format: "stepwell/v1",
    name: "canary",
    start: "step_0",
    steps: {
      ...Object.fromEntries(steps),
      [last]: { flow: "child", input: { of: name }, next: "ask", routes: { error: "ask" } },
      ask: { gate: { title: "Go on?", notify: { tool: "tell", args: { key: secret } } }, next: "paid" },
      paid: {
        tool: "tell",
        effect: "write",
        args: { key: secret },
        compensate: { tool: "tell", args: { key: secret } },
        next: "end",
      },
      end: { terminal: "failure" },
    },
  };
}

const child = {
  start: { tool: "echo", args: { all: [...canaries.keys()].map((name) => `{{ secrets.${name} }}`) }, next: "then" },
  then: { tool: "echo", args: { given: "{{ steps.start.result }}" }, done: true },
};

async function runAll(world: World, { engine }: OpenedEngine): Promise<readonly number[]> {
  const runs: number[] = [];
  for (const name of canaries.keys()) runs.push((await engine.start(flowOf(name))).id);
  await world.clock.advance(600_000);
  for (const id of runs) await engine.approve((await engine.get(id)).steps.find(({ gate }) => gate !== null)?.id ?? 0);
  await world.clock.advance(600_000);
  return runs;
}

async function shownOf({ engine }: OpenedEngine, runs: readonly number[]): Promise<string> {
  const shown: unknown[] = [await engine.list({ status: "all", limitMax: 1000 }), await engine.secrets.list()];
  for (const id of runs) {
    shown.push(await engine.get(id), await engine.history(id), await engine.result(id));
    for await (const change of engine.watch(id)) shown.push(change);
  }
  return JSON.stringify(shown);
}

/** Canaries of which something is there. */
function foundIn(text: string | Buffer): readonly string[] {
  return [...canaries].flatMap(([name, value]) => (formsOf(value).some((form) => text.includes(form)) ? [name] : []));
}

afterEach(() => void vi.restoreAllMocks());

test("of 50 secrets in every way that flows use them none is in the database, in what is shown or in what is printed", async () => {
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  const warned = (warning: Error): void => void printed.push(String(warning));
  process.on("warning", warned);
  await using world = createWorld("file");
  const opened = await world.open({ tools, flows: { child }, limits: { calls: 10 }, breaker: false });
  for (const [name, value] of canaries) await opened.engine.secrets.set(name, value);
  const runs = await runAll(world, opened);
  const shown = await shownOf(opened, runs);
  const results = await Promise.all(runs.map(async (id) => (await opened.engine.result(id)).status));
  const bytes = await readBytes(world.address);
  process.off("warning", warned);
  vi.restoreAllMocks();
  // They were used, and by all tools.
  expect([...seen].toSorted()).toEqual([...canaries.keys()].toSorted());
  expect(results).toEqual(runs.map(() => "failed"));
  const rows = (await opened.engine.get(runs[0] ?? 0)).steps;
  expect(new Set(rows.flatMap(({ tool }) => tool ?? [])).size).toBe(Object.keys(tools).length);
  expect(rows.filter(({ role }) => role !== "step").map(({ role }) => role)).toContain("undo");
  for (const name of canaries.keys()) expect(shown).toContain(`[secret ${name}]`);
  expect(shown).toContain("{{ secrets.CANARY_7 }}");
  // And nobody else has seen them.
  expect(foundIn(shown)).toEqual([]);
  expect(foundIn(bytes)).toEqual([]);
  expect(bytes.includes("[secret CANARY_49]")).toBe(true);
  expect(foundIn(printed.join("\n"))).toEqual([]);
  expect(foundIn(JSON.stringify(opened.problems))).toEqual([]);
});

test("a guest sets a secret without a trace of it in the inbox, and the next owner uses it", async () => {
  await using world = createWorld("file");
  const owner = await world.open({ clock: systemClock, tools });
  const guest = await world.open({ clock: systemClock, tools });
  const [[name, value] = ["", ""]] = canaries;
  await guest.engine.secrets.set(name, value);
  expect(foundIn(await readBytes(world.address))).toEqual([]);
  await owner.crash();
  await expect.poll(() => guest.engine.isOwner, { timeout: 30_000, interval: 20 }).toBe(true);
  seen.clear();
  const { id } = await guest.engine.start({
    start: { tool: "tell", args: { key: `{{ secrets.${name} }}` }, done: true },
  });
  expect((await guest.engine.result(id)).output).toBe(`[secret ${name}]`);
  expect([...seen]).toEqual([name]);
});
