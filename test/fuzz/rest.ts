// Requests of every kind to every route of the service, made from its own description and from hostile texts: nothing may
// be answered with a 5xx, nothing may be said that is no problem with a code, and nobody's prototypes may change.

import { existsSync, readFileSync } from "node:fs";
import { errorCodes } from "../../src/error.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../../src/flow/json.ts";
import { createWorld } from "../../src/testing/engine.ts";
import { createRandom, type Random } from "../../src/testing/random.ts";
import { createService, type Answer, type Service } from "../../src/testing/service.ts";

export type FuzzRestReport = {
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly routes: number;
  readonly violations: readonly string[];
};

export type FuzzRestOptions = {
  readonly count: number;
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
};

type Route = {
  readonly method: string;
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly schema: JsonObject }[];
  readonly body: JsonObject | null;
};

const seedFlow: Json = {
  start: { name: "ask", tool: null, next: "say" },
  say: { tool: "echo", args: { text: "{{ input.text }}" }, done: true },
};

export async function fuzzRest({ count, seed, onProgress = () => {} }: FuzzRestOptions): Promise<FuzzRestReport> {
  await using service = await createService(createWorld("memory"), {
    tools: { echo: (value: unknown) => value ?? null },
    app: { rate: null },
  });
  const routes = listRoutes((await service.get("/api/openapi.json")).body);
  const known = await prepare(service);
  // Users come and go meanwhile: then nobody is let in unnamed.
  await service.engine.access.save("fuzz", { keys: ["130001", "tool:*"] });
  const { text: token } = await service.engine.access.tokens.create({ user: "fuzz", name: "fuzz" });
  const authorization = `Bearer ${token}`;
  const statuses = new Map<number, number>();
  const violations: string[] = [];
  for (let no = 0; no < count; no++) {
    const random = createRandom(seed + no);
    const route = random.pick(routes);
    const { method, path, text, headers } = makeRequest(route, random, known);
    const answer = await service.send(method, path, text, { authorization, ...headers });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const problem = problemWith(answer);
    if (problem !== undefined) violations.push(`seed ${seed + no}: ${method} ${path} ${text ?? ""}: ${problem}`);
    onProgress(no + 1);
  }
  await service.settle();
  const after = await service.post("/api/workflow", { flow: seedFlow }, { authorization });
  if (after.status !== 201) violations.push(`afterwards nothing starts: ${JSON.stringify(after.body)}`);
  return { requests: count, statuses, routes: routes.length, violations };
}

/** Things that are there, so that some requests find something. */
async function prepare(service: Service): Promise<readonly string[]> {
  const names: string[] = [];
  for (let count = 0; count < 5; count++) {
    const { body } = await service.post("/api/workflow", {
      name: `run ${count}`,
      flow: seedFlow,
      input: { text: "x" },
    });
    await service.settle();
    const { body: run } = await service.get(`/api/workflow/${textOf(body["id"])}`);
    const steps = isArray(run["steps"]) ? run["steps"] : [];
    names.push(textOf(body["id"]), ...steps.map((step) => textOf(objectOf(step)["id"])));
    const saved = await service.post("/api/workflow/templates", { name: `saved ${count}`, flow_json: seedFlow });
    names.push(`saved ${count}`, textOf(saved.body["id"]));
  }
  return names;
}

function problemWith({ status, headers, body }: Answer): string | undefined {
  if (status >= 500) return `answered ${status}: ${JSON.stringify(body)}`;
  if (Object.keys(Object.prototype).length > 0 || "polluted" in {}) return "a prototype has changed";
  if (status < 400) return undefined;
  if (headers.get("content-type") !== "application/problem+json") return `${status} is no problem`;
  const { code, detail, title } = body;
  if (typeof code !== "string" || !Object.hasOwn(errorCodes, code)) return `the code ${textOf(code)} is none`;
  if (typeof detail !== "string" || detail === "" || typeof title !== "string") return "nothing is said";
  return undefined;
}

/** Streams never end, and so are left to their own tests. */
function listRoutes(document: JsonObject): readonly Route[] {
  const paths = objectOf(own(document, "paths"));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).flatMap(([method, described]) => {
      const operation = objectOf(described);
      if (JSON.stringify(operation).includes("text/event-stream")) return [];
      const parameters = isArray(operation["parameters"] ?? null) ? (operation["parameters"] as readonly Json[]) : [];
      const query = parameters.flatMap((parameter) => {
        const { in: place, name, schema } = objectOf(parameter);
        return place === "query" ? [{ name: textOf(name), schema: objectOf(schema) }] : [];
      });
      return [{ method: method.toUpperCase(), path, query, body: bodyOf(operation, document) }];
    }),
  );
}

function bodyOf(operation: JsonObject, document: JsonObject): JsonObject | null {
  const content = objectOf(objectOf(own(operation, "requestBody"))["content"]);
  const schema = objectOf(content["application/json"])["schema"];
  return schema === undefined ? null : resolve(objectOf(schema), document);
}

function resolve(schema: JsonObject, document: JsonObject): JsonObject {
  const [, name = ""] = /^#\/components\/schemas\/(.+)$/u.exec(textOf(schema["$ref"])) ?? [];
  return name === "" ? schema : objectOf(objectOf(objectOf(document["components"])["schemas"])[name]);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? `${value}` : "";
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}

type Made = {
  readonly method: string;
  readonly path: string;
  readonly text: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
};

function makeRequest(route: Route, random: Random, known: readonly string[]): Made {
  const path = route.path.replaceAll(/\{\w+\}/gu, () =>
    encodeURIComponent(random.chance(0.6) ? random.pick(known) : makeText(random).toWellFormed()),
  );
  const asked = route.query.flatMap(({ name, schema }) =>
    random.chance(0.5) ? [`${name}=${encodeURIComponent(asText(makeValue(schema, random, 0.15)))}`] : [],
  );
  const text = route.body === null ? undefined : makeBody(route.body, random);
  const key: Record<string, string> = random.chance(0.1) ? { "idempotency-key": makeText(random) } : {};
  const headers = Object.fromEntries(Object.entries(key).filter(([, value]) => /^[\x20-\x7e]+$/u.test(value.trim())));
  return { method: route.method, path: asked.length === 0 ? path : `${path}?${asked.join("&")}`, text, headers };
}

function asText(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.toWellFormed();
}

function makeBody(schema: JsonObject, random: Random): string {
  if (random.chance(0.1)) return random.pick(hostileBodies);
  if (random.chance(0.05)) return `${"[".repeat(2000)}${"]".repeat(2000)}`;
  // Some are nearly right, so that the engine behind the door is reached as well.
  const text = JSON.stringify(makeValue(schema, random, random.pick([0.01, 0.15])));
  return random.chance(0.05) ? text.slice(0, random.integer(text.length)) : text;
}

function makeValue(schema: JsonObject, random: Random, noise: number): Json {
  if (random.chance(noise)) return makeAnything(random, 3);
  const choices = own(schema, "anyOf") ?? own(schema, "oneOf");
  if (choices !== undefined && isArray(choices)) return makeValue(objectOf(random.pick(choices)), random, noise);
  const among = own(schema, "enum");
  if (among !== undefined && isArray(among)) return random.pick(among);
  const type = own(schema, "type");
  // Several of them are any JSON.
  switch (textOf(type)) {
    case "object":
      return makeObject(schema, random, noise);
    case "array":
      return Array.from({ length: random.integer(4) }, () => makeValue(objectOf(own(schema, "items")), random, noise));
    case "integer":
    case "number":
      return random.pick([0, 1, -1, 7, 50, 1e15, 1.5, Number.MAX_SAFE_INTEGER, -0, 1774093092892]);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "string":
      return random.chance(noise * 3) ? makeText(random) : random.pick(["a", "say", "in 5 minutes", "Europe/Berlin"]);
    default:
      return random.chance(noise * 4) ? makeAnything(random, 3) : seedFlow;
  }
}

function makeObject(schema: JsonObject, random: Random, noise: number): Json {
  const properties = Object.entries(objectOf(own(schema, "properties")));
  const entries = properties.flatMap(([name, each]): [string, Json][] =>
    random.chance(0.7) ? [[name, makeValue(objectOf(each), random, noise)]] : [],
  );
  if (random.chance(noise)) entries.push([random.pick(["__proto__", "constructor", "extra"]), makeAnything(random, 2)]);
  // `__proto__` as a key of its own, as JSON has it.
  return JSON.parse(
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`,
  );
}

function makeAnything(random: Random, depth: number): Json {
  const kind = random.integer(depth > 0 ? 7 : 5);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick([0, -1, 1e308, 4_294_967_296, 0.1]);
  if (kind < 5) return makeText(random);
  const items = Array.from({ length: random.integer(4) }, () => makeAnything(random, depth - 1));
  if (kind === 5) return items;
  return JSON.parse(
    `{${items.map((value) => `${JSON.stringify(makeText(random))}:${JSON.stringify(value)}`).join(",")}}`,
  );
}

function makeText(random: Random): string {
  return random.pick(hostileTexts);
}

const ownTexts = [
  "",
  " ",
  "\0",
  "\ud800",
  "__proto__",
  "../../etc/passwd",
  "{{ secrets.A }}",
  "a".repeat(5000),
  "%00",
  "1e999",
];

/** Of the corpora, where they are. */
function readCorpus(name: string): readonly { readonly text: string; readonly encoding?: string }[] {
  const path = new URL(`../../../shared/corpora/strings/${name}`, import.meta.url);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as { readonly text: string; readonly encoding?: string });
}

const hostileTexts: readonly string[] = [
  ...ownTexts,
  ...[...readCorpus("blns.jsonl"), ...readCorpus("web_attack_strings.jsonl")].map(({ text }) => text),
];

const hostileBodies: readonly string[] = [
  "",
  "null",
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  ...readCorpus("jsontestsuite.jsonl").map(({ text, encoding }) =>
    encoding === "base64" ? Buffer.from(text, "base64").toString("latin1") : text,
  ),
];
