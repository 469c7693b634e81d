import { describe, expect, test } from "vitest";
import { isPlainSchema } from "../../flow/json-schema/plain.ts";
import type { Json } from "../../flow/json.ts";
import { createContext } from "../../testing/call-context.ts";
import { createToolBox } from "../registry.ts";
import type { CallContext, ToolAnswer } from "../tool.ts";
import { createBuiltinTools } from "./builtin.ts";

const noon = Date.UTC(2026, 2, 8, 12);
const said: string[] = [];
const tools = createBuiltinTools({ now: () => noon, say: (text) => void said.push(text) });
const box = createToolBox(tools);

async function call(name: string, input: Json = {}, more: Partial<CallContext> = {}): Promise<ToolAnswer | undefined> {
  return await box.find(name)?.call(createContext(input, more));
}

describe("every built-in tool", () => {
  test.each(tools.map((tool) => [tool.name, tool] as const))("%s says what it does and what it takes", (_, tool) => {
    expect(tool.description).toMatch(/^[A-Z]/);
    expect(tool.input).toMatchObject({ type: "object" });
    for (const property of Object.values(tool.input?.["properties"] ?? {})) expect(property).toBeTypeOf("object");
  });

  test.each(tools.map((tool) => [tool.name, tool] as const))(
    "%s has plain schemas, so that no command waits for the schema of schemas because of it",
    (_, { input, output }) => {
      expect([input ?? true, output ?? true].filter((schema) => !isPlainSchema(schema))).toEqual([]);
    },
  );

  test("has the effect that it has", () => {
    const others = tools.filter(({ effect }) => effect !== "read").map(({ name, effect }) => `${name} ${effect}`);
    expect(others.toSorted()).toEqual([
      "demo.counter idempotent",
      "file.write idempotent",
      "http.request write",
      "log idempotent",
      "notify.inbox idempotent",
    ]);
  });

  test("AC-03: names its outcomes, if it has some", () => {
    const named = tools.filter(({ outcomes }) => outcomes.length > 0).map(({ name, outcomes }) => [name, ...outcomes]);
    expect(named).toEqual([
      ["demo.feed", "items", "empty"],
      ["json.query", "missing"],
      ["feed.fetch", "items", "empty"],
    ]);
  });

  test.each(tools.filter(({ input }) => input?.["additionalProperties"] === false).map(({ name }) => name))(
    "E3-45: %s refuses a name that it does not know, and shows those that it does",
    async (name) => {
      expect(await call(name, { wrongName: 1 })).toMatchObject({
        kind: "failed",
        code: "bad_args",
        isFinal: true,
        message: expect.stringMatching(/Expected .*; given wrongName\./) as string,
      });
    },
  );

  test("is off with a clear message where it may not go yet", async () => {
    const off = { kind: "failed", code: "tool_off", isFinal: true };
    expect(await call("file.read", { path: "a" })).toMatchObject({
      ...off,
      message: expect.stringContaining("filesFolder"),
    });
    expect(await call("file.write", { path: "a", text: "" })).toMatchObject(off);
    expect(await call("http.request", { url: "https://example.org" })).toMatchObject(off);
    expect(await call("feed.fetch", { url: "https://example.org" })).toMatchObject(off);
  });

  test("does not tell anybody where nobody listens", () => {
    const names = createBuiltinTools({ now: () => noon }).map(({ name }) => name);
    expect(names).not.toContain("notify.inbox");
    expect(names).toContain("log");
  });

  test("a host list that cannot be meant is refused before anything runs", () => {
    expect(() => createBuiltinTools({ now: () => noon, httpHosts: ["https://example.org/"] })).toThrow(/list of hosts/);
  });
});

describe("text and JSON tools", () => {
  const nested = { items: [{ title: "a" }, { title: "b", n: 0 }] };

  test.each<readonly [string, Json, Json]>([
    ["text.upper", { text: "straße" }, "STRASSE"],
    ["text.lower", { text: "ÄB" }, "äb"],
    ["text.trim", { text: " \n a " }, "a"],
    ["text.split", { text: "a,b,,c" }, ["a", "b", "", "c"]],
    ["text.split", { text: "a, b", separator: ", " }, ["a", "b"]],
    ["text.join", { texts: ["a", 2, { title: "c" }, null], separator: "-" }, "a-2-c-null"],
    ["text.replace", { text: "a.b.c", find: ".", with: "$&" }, "a$&b$&c"],
    ["text.replace", { text: "a.b", find: "." }, "ab"],
    ["text.length", { text: "a👍é" }, 3],
    [
      "text.template",
      {
        template: "Dear {{ name }}, {{items.0.n}} {{items[-1]}} {{no.way}}!",
        values: { name: "Ann", items: [{ n: 7 }] },
      },
      'Dear Ann, 7 {"n":7} !',
    ],
    ["text.template", { template: "{{ __proto__ }}{{constructor.name}}|{{ a" }, "|{{ a"],
    ["text.template", { template: "{{ a }}", values: { a: "{{ b }}", b: "no" } }, "{{ b }}"],
    ["text.summarize", { text: "one two" }, "one two"],
    ["text.summarize", { text: nested.items }, "a, b"],
    ["json.pick", { value: { a: 1, b: 2 }, keys: ["b", "c", "toString"] }, { b: 2 }],
    ["json.pick", { value: nested.items, keys: ["title"] }, [{ title: "a" }, { title: "b" }]],
    ["json.pick", { value: [{ b: 1, a: 2 }, 3], keys: ["a", "a", "b", "c"] }, [{ a: 2, b: 1 }, 3]],
    [
      "json.merge",
      { values: [{ a: { x: { p: 1 } } }, { a: { x: { q: 2 } } }, { a: { x: 3, y: {} } }, { a: { y: 4 } }], deep: true },
      { a: { x: 3, y: 4 } },
    ],
    ["json.merge", { values: [{ a: { x: 1 }, b: 1 }, { a: { y: 2 } }] }, { a: { y: 2 }, b: 1 }],
    ["json.merge", { values: [{ a: { x: 1 }, b: 1 }, { a: { y: 2 } }], deep: true }, { a: { x: 1, y: 2 }, b: 1 }],
    ["json.query", { value: nested, path: "items.1.title" }, "b"],
    ["json.query", { value: nested, path: "items[-1].n" }, 0],
    ["json.query", { value: nested, path: "" }, nested],
    ["json.parse", { text: '{"a":[1]}' }, { a: [1] }],
    ["json.stringify", { value: { a: [1] } }, '{"a":[1]}'],
    ["json.stringify", { value: { a: 1 }, indent: 2 }, '{\n  "a": 1\n}'],
    ["time.now", {}, { at: noon, iso: "2026-03-08T12:00:00.000Z", date: "2026-03-08", time: "12:00:00", tz: "UTC" }],
    [
      "time.now",
      { tz: "Asia/Kolkata" },
      { at: noon, iso: "2026-03-08T12:00:00.000Z", date: "2026-03-08", time: "17:30:00", tz: "Asia/Kolkata" },
    ],
  ])("%s of %j is %j", async (name, input, result) => {
    expect(await call(name, input)).toEqual({ kind: "done", result, outcome: null });
  });

  test.each<readonly [string, string, Json]>([
    ["text.split", "bad_args", { text: "a", separator: "" }],
    ["text.replace", "bad_args", { text: "a", find: "" }],
    ["text.upper", "bad_args", { text: 7 }],
    ["text.template", "bad_args", { template: "{{ a }}".repeat(100_000), values: { a: "x".repeat(100) } }],
    ["text.replace", "bad_args", { text: "a".repeat(100_000), find: "a", with: "x".repeat(100) }],
    ["json.pick", "bad_args", { value: { a: 1 }, keys: [1] }],
    ["json.merge", "bad_args", { values: [1] }],
    ["json.parse", "bad_json", { text: '{"a": s3cret}' }],
    ["time.now", "bad_args", { tz: "Mars/Base" }],
    ["demo.random", "bad_args", { min: 2, max: 1 }],
  ])("%s fails with %s, for good", async (name, code, input) => {
    expect(await call(name, input)).toMatchObject({ kind: "failed", code, isFinal: true });
  });

  test("what is no JSON is not shown", async () => {
    const failed = await call("json.parse", { text: '{"a": s3cret}' });
    expect(failed).toMatchObject({ message: "The text is no JSON." });
    expect(JSON.stringify(failed)).not.toContain("s3cret");
  });

  test("a path to nowhere has an outcome of its own", async () => {
    for (const path of ["items.9", "items.title", "__proto__", "items.length"]) {
      expect(await call("json.query", { value: nested, path })).toEqual({
        kind: "done",
        result: null,
        outcome: "missing",
      });
    }
  });

  test("__proto__ is a key like any other", async () => {
    const value: Json = JSON.parse('{"__proto__":{"polluted":1}}');
    expect(JSON.stringify(await call("json.merge", { values: [value], deep: true }))).toContain(
      '{"__proto__":{"polluted":1}}',
    );
    expect(JSON.stringify(await call("json.pick", { value, keys: ["__proto__"] }))).toContain(
      '{"__proto__":{"polluted":1}}',
    );
    expect({}).not.toHaveProperty("polluted");
  });

  test("a summary has the sentences that say most, in their order, word for word", async () => {
    const text = [
      "It rained.",
      "The harbour was closed for two years while the harbour wall was rebuilt.",
      "A dog barked.",
      "Now the harbour wall stands again and the harbour is open!",
      "Who knows?",
    ];
    expect(await call("text.summarize", { text: text.join(" "), sentences: 2 })).toMatchObject({
      result: `${text[1]} ${text[3]}`,
    });
  });

  test("a summary of a text without an end is short all the same", async () => {
    const answer = await call("text.summarize", { text: "word ".repeat(100_000) });
    expect(JSON.stringify(answer).length).toBeLessThan(500);
    expect(await call("text.summarize", { text: "!?.".repeat(100_000) })).toMatchObject({ kind: "done" });
  });
});

describe("the demo tools", () => {
  test.each<readonly [string, Json, Json]>([
    ["demo.echo", { text: "hi" }, "hi"],
    ["demo.echo", { a: 1 }, { a: 1 }],
    [
      "demo.feed",
      { topic: "x" },
      { items: ["Tides", "Harbours", "Lighthouses", "Pilots"].map((one) => ({ title: `${one} and x` })) },
    ],
    ["demo.random", { seed: "a", min: 5, max: 5 }, 5],
  ])("%s of %j is %j", async (name, input, result) => {
    expect(await call(name, input)).toMatchObject({ kind: "done", result });
  });

  test("demo.flaky fails the first tries and then answers, in every run alike", async () => {
    const answers = [1, 2, 3].map((attempt) => call("demo.flaky", { fail_first: 2 }, { attempt }));
    expect(await Promise.all(answers)).toMatchObject([
      { kind: "failed", isFinal: false },
      { kind: "failed" },
      { kind: "done" },
    ]);
  });

  test("demo.fail fails as it is told", async () => {
    expect(await call("demo.fail", { code: "no_paper", message: "No paper", final: true })).toEqual({
      kind: "failed",
      code: "no_paper",
      message: "No paper",
      isFinal: true,
    });
  });

  test("demo.counter counts a step once, however often it is tried", async () => {
    const keys = ["a", "a", "b"];
    const counted = [];
    for (const idempotencyKey of keys) counted.push(await call("demo.counter", {}, { idempotencyKey }));
    expect(counted).toMatchObject([{ result: 1 }, { result: 1 }, { result: 2 }]);
  });

  test("demo.random is the same over all tries of a step, and within its bounds", async () => {
    const rolls = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        call("demo.random", { min: 1, max: 6 }, { idempotencyKey: `k${index}` }),
      ),
    );
    const values = rolls.map((roll) => (roll?.kind === "done" ? Number(roll.result) : Number.NaN));
    expect(new Set(values)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(await call("demo.random", { min: 1, max: 6 }, { idempotencyKey: "k7" })).toEqual(rolls[7]);
  });

  test("demo.feed names its outcome, or does not answer", async () => {
    expect(await call("demo.feed", { topic: "x" })).toMatchObject({ outcome: "items" });
    expect(await call("demo.feed")).toMatchObject({ outcome: "empty", result: { items: [] } });
    expect(await call("demo.feed", { topic: "error" })).toMatchObject({ kind: "failed", code: "demo_down" });
  });

  test("demo.score is the same for the same title", async () => {
    expect(await call("demo.score", { title: "Tides" })).toEqual(await call("demo.score", { title: "Tides" }));
  });

  test("demo.page hides something from people", async () => {
    expect(await call("demo.page")).toMatchObject({
      result: { html: expect.stringContaining("display:none") as string },
    });
  });

  test("demo.sleep says how far it is, and stops when it is told to", async () => {
    const seen: (number | null)[] = [];
    const progress = (fraction: number | null): void => void seen.push(fraction);
    expect(await call("demo.sleep", { ms: 0 }, { progress })).toMatchObject({ result: { slept_ms: 0 } });
    expect([seen.length, seen[0], seen.at(-1)]).toEqual([10, 0.1, 1]);
    expect(await call("demo.sleep", {}, { signal: AbortSignal.abort() })).toMatchObject({ kind: "failed" });
  });

  test.each(["log", "notify.inbox"])("%s says nothing that holds a secret", async (name) => {
    const before = said.length;
    const kept: string[] = [];
    const more = { secretPlaces: ["/message"], log: (text: string): void => void kept.push(text) };
    expect(await call(name, { message: "x canary" }, more)).toMatchObject({ code: "bad_args", isFinal: true });
    expect([said.length, kept]).toEqual([before, []]);
  });

  test("log and notify.inbox say what they are given; log keeps it with the run", async () => {
    const kept: string[] = [];
    const log = (text: string): void => void kept.push(text);
    await call("log", { message: { text: "one" } }, { log });
    await call("notify.inbox", { message: "two" }, { log });
    await call("log", { input: "three" }, { log });
    expect(said.slice(-3)).toEqual(["one", "two", "three"]);
    expect(kept).toEqual(["one", "three"]);
  });
});
