// The file behind `stepwell test`: YAML or JSON beside a flow, with cases that say what tools answer, what people say, how
// much time passes, and what is to come of it. Read here into typed cases; every slip of the pen is told at once.

import { readInstant } from "../engine/instant.ts";
import { parseDuration } from "../flow/duration.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { under, type Pointer } from "../flow/pointer.ts";
import { nearest } from "../flow/suggest.ts";

export type Problem = { readonly pointer: Pointer; readonly message: string };

export type FlowTestFile = {
  /** A path as it is written, or the flow itself. */
  readonly flow: string | JsonObject;
  /** Paths of flows that steps start by name. */
  readonly flows: ReadonlyMap<string, string>;
  readonly cases: readonly FlowTestCase[];
};

export type FlowTestCase = {
  readonly name: string;
  readonly pointer: Pointer;
  readonly input: Json;
  readonly as: string | null;
  readonly at: number | null;
  /** As written: a result, a list of them, or a map of `answerKeys`. */
  readonly tools: ReadonlyMap<string, Json>;
  readonly missingTools: "refuse" | "echo" | "fail";
  /** Those that the test gives a value, or null: they are not there. */
  readonly secrets: ReadonlyMap<string, GivenSecret>;
  /** The run whose calls are answered as they were then. */
  readonly record: number | null;
  /** By the step that asks; each used in turn, a lone one at every visit. */
  readonly answers: ReadonlyMap<string, GivenAnswer | readonly GivenAnswer[]>;
  readonly signals: ReadonlyMap<string, Json>;
  readonly fire: readonly GivenTransition[];
  readonly advanceMs: number;
  readonly expect: JsonObject;
};

type GivenSecret = { readonly value: string | null; readonly pointer: Pointer };

export type GivenAnswer = {
  readonly outcome: string;
  readonly by?: string;
  readonly data?: Json;
  readonly comment?: string;
};

type GivenTransition = {
  readonly transition: string;
  readonly by?: string;
  readonly reason?: string;
  readonly data?: JsonObject;
};

const fileKeys = ["flow", "flows", "as", "at", "tools", "missing_tools", "secrets", "cases"];
const caseKeys = [
  "name",
  "input",
  "as",
  "at",
  "tools",
  "missing_tools",
  "secrets",
  "record",
  "answers",
  "signals",
  "fire",
  "advance",
  "expect",
];
const expectKeys = ["status", "terminal_kind", "output", "error", "attention", "refused", "steps", "calls"];

export type ParsedFlowTest =
  | { readonly ok: true; readonly file: FlowTestFile }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function parseFlowTest(value: Json): ParsedFlowTest {
  const problems: Problem[] = [];
  const read = createReader(problems);
  const root = read.map(value, "", fileKeys);
  const cases = own(root, "cases") ?? [];
  if (!isArray(cases) || cases.length === 0) read.refuse("/cases", "`cases` is a list with at least one case.");
  const file = {
    flow: readFlow(read, own(root, "flow")),
    flows: new Map(
      Object.entries(read.map(own(root, "flows") ?? {}, "/flows", null)).map(([name, path]) => [
        name,
        read.text(path, under("/flows", name)) ?? "",
      ]),
    ),
    cases: isArray(cases) ? cases.map((given, index) => readCase(read, root, { given, index })) : [],
  };
  return problems.length === 0 ? { ok: true, file } : { ok: false, problems };
}

function readFlow(read: Reader, flow: Json | undefined): string | JsonObject {
  if (typeof flow === "string" && flow.trim() !== "") return flow;
  if (flow !== undefined && isObject(flow)) return flow;
  read.refuse("/flow", "`flow` is the path of the flow that is tested, such as ./digest.yaml, or the flow itself.");
  return "";
}

type PlacedCase = { readonly given: Json; readonly index: number };

/** What the file says for all of its cases holds where a case says nothing itself. */
function readCase(read: Reader, root: JsonObject, { given, index }: PlacedCase): FlowTestCase {
  const pointer = `/cases/${index}`;
  const one = read.map(given, pointer, caseKeys);
  const isShared = (key: string): boolean => !Object.hasOwn(one, key) && fileKeys.includes(key);
  const at = (key: string): Pointer => (isShared(key) ? `/${key}` : under(pointer, key));
  const get = (key: string): Json | undefined => own(isShared(key) ? root : one, key);
  const missing = get("missing_tools") ?? "refuse";
  if (!isMissingTools(missing))
    read.refuse(at("missing_tools"), `\`missing_tools\` is refuse, echo or fail, not ${show(missing)}.`);
  const expect = get("expect");
  if (expect === undefined) read.refuse(pointer, "The case has no `expect`, so nothing could be wrong with it.");
  const record = get("record") ?? null;
  if (record !== null && typeof record !== "number") read.refuse(at("record"), "`record` is the id of a run.");
  return {
    name: read.text(get("name") ?? `case ${index + 1}`, at("name")) ?? "",
    pointer,
    input: get("input") ?? null,
    as: read.text(get("as") ?? null, at("as")),
    at: readAt(read, get("at") ?? null, at("at")),
    tools: new Map([
      ...Object.entries(read.map(own(root, "tools") ?? {}, "/tools", null)),
      ...Object.entries(read.map(get("tools") ?? {}, at("tools"), null)),
    ]),
    missingTools: isMissingTools(missing) ? missing : "refuse",
    secrets: new Map([
      ...readSecrets(read, own(root, "secrets") ?? {}, "/secrets"),
      ...readSecrets(read, own(one, "secrets") ?? {}, under(pointer, "secrets")),
    ]),
    record: typeof record === "number" ? record : null,
    answers: new Map(
      Object.entries(read.map(get("answers") ?? {}, at("answers"), null)).map(([step, said]) => [
        step,
        readAnswers(read, said, under(at("answers"), step)),
      ]),
    ),
    signals: new Map(Object.entries(read.map(get("signals") ?? {}, at("signals"), null))),
    fire: readFire(read, get("fire") ?? [], at("fire")),
    advanceMs: readAdvance(read, get("advance") ?? 0, at("advance")),
    expect: readExpect(read, expect ?? {}, at("expect")),
  };
}

function readExpect(read: Reader, value: Json, pointer: Pointer): JsonObject {
  const expect = read.map(value, pointer, expectKeys);
  const other = Object.keys(expect).find((key) => key !== "refused" && expectKeys.includes(key));
  if (Object.hasOwn(expect, "refused") && other !== undefined)
    read.refuse(under(pointer, other), `\`refused\` stands alone: a run that is not started has no ${other}.`);
  return expect;
}

function readSecrets(read: Reader, value: Json, pointer: Pointer): readonly (readonly [string, GivenSecret])[] {
  return Object.entries(read.map(value, pointer, null)).map(([name, secret]) => {
    const at = under(pointer, name);
    if (secret === null || typeof secret === "string") return [name, { value: secret, pointer: at }];
    read.refuse(at, `Here stands a text, or null where the secret is not there, not ${show(secret)}.`);
    return [name, { value: null, pointer: at }];
  });
}

function isMissingTools(value: Json): value is FlowTestCase["missingTools"] {
  return value === "refuse" || value === "echo" || value === "fail";
}

function readAt(read: Reader, value: Json, pointer: Pointer): number | null {
  if (value === null || typeof value === "number") return value;
  const instant = typeof value === "string" ? readInstant(value) : null;
  if (instant === null) read.refuse(pointer, `${show(value)} is no instant; write it as 2026-03-29T09:00:00Z.`);
  return instant;
}

function readAdvance(read: Reader, value: Json, pointer: Pointer): number {
  const ms = typeof value === "string" ? parseDuration(value) : value;
  if (typeof ms === "number" && ms >= 0) return ms;
  read.refuse(pointer, `${show(value)} is no time to let pass; write it as 24h, 1h30m, or milliseconds.`);
  return 0;
}

const answerKeys = ["answer", "by", "data", "comment"];

function readAnswers(read: Reader, given: Json, pointer: Pointer): GivenAnswer | readonly GivenAnswer[] {
  if (!isArray(given)) return readAnswer(read, given, pointer);
  return given.map((one, index) => readAnswer(read, one, under(pointer, index)));
}

function readAnswer(read: Reader, given: Json, pointer: Pointer): GivenAnswer {
  if (typeof given === "string") return { outcome: toOutcome(given) };
  const map = read.map(given, pointer, answerKeys);
  const text = (key: string): string | undefined => read.text(own(map, key) ?? null, under(pointer, key)) ?? undefined;
  return clean({
    outcome: toOutcome(text("answer") ?? "approve"),
    by: text("by"),
    data: own(map, "data"),
    comment: text("comment"),
  });
}

/** What people say, as the step's routes know it. */
function toOutcome(answer: string): string {
  if (answer === "approve") return "approved";
  return answer === "reject" ? "rejected" : answer;
}

function readFire(read: Reader, given: Json, pointer: Pointer): readonly GivenTransition[] {
  const list = isArray(given) ? given : [given];
  return list.map((one, index) => {
    if (typeof one === "string") return { transition: one };
    const at = under(pointer, index);
    const map = read.map(one, at, ["transition", "by", "reason", "data"]);
    const text = (key: string): string | undefined => read.text(own(map, key) ?? null, under(at, key)) ?? undefined;
    const data = own(map, "data");
    const transition = text("transition");
    if (transition === undefined) read.refuse(at, "A transition to fire has a `transition`, its name.");
    return clean({
      transition: transition ?? "",
      by: text("by"),
      reason: text("reason"),
      data: data === undefined ? undefined : read.map(data, under(at, "data"), null),
    });
  });
}

type Clean<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Without what is undefined. */
function clean<T extends object>(value: T): Clean<T>;
function clean(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

type Reader = {
  readonly refuse: (pointer: Pointer, message: string) => void;
  /** `keys` null: any. */
  readonly map: (value: Json, pointer: Pointer, keys: readonly string[] | null) => JsonObject;
  readonly text: (value: Json, pointer: Pointer) => string | null;
};

function createReader(problems: Problem[]): Reader {
  const refuse = (pointer: Pointer, message: string): void => void problems.push({ pointer, message });
  return {
    refuse,
    map: (value, pointer, keys) => {
      if (!isObject(value)) {
        refuse(pointer, `Here stands a map, not ${show(value)}.`);
        return {};
      }
      for (const key of Object.keys(value)) {
        if (keys === null || keys.includes(key)) continue;
        const near = nearest(key, keys);
        const hint = near === undefined ? `Known here: ${keys.join(", ")}.` : `Did you mean "${near}"?`;
        refuse(under(pointer, key), `Unknown key "${key}". ${hint}`);
      }
      return value;
    },
    text: (value, pointer) => {
      if (value === null || typeof value === "string") return value;
      refuse(pointer, `Here stands a text, not ${show(value)}.`);
      return null;
    },
  };
}

/** A value in a message; long ones by their beginning. */
export function show(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 197).toWellFormed()}...` : text;
}
