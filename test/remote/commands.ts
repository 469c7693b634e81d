// What people type, in an order in which each finds what the ones before have left; words in capitals stand for ids that
// were printed before.

import type { Json, JsonObject } from "../../src/flow/json.ts";
import { wordOf, type Inside } from "../cli/inside.ts";

export const flows: Readonly<Record<string, string>> = {
  "hello.yaml": `
format: stepwell/v1
name: hello
input: { type: object, properties: { who: { type: string } } }
start: greet
steps:
  greet: { tool: text.template, args: { template: "Hello {{ input.who }}" }, done: true }
`,
  "ask.yaml": `
format: stepwell/v1
name: ask
start: review
steps:
  review: { gate: { title: "Go?", message: "Look at it first." }, next: sent }
  sent: { set: { sent: true }, done: true }
`,
  "listen.yaml": `
format: stepwell/v1
name: listen
start: hear
steps:
  hear: { wait: { event: paid }, done: true }
`,
  "broken.yaml": `
format: stepwell/v1
name: broken
start: fail
steps:
  fail: { tool: demo.fail, args: { message: "no luck" }, retry: false, done: true }
`,
};

/** What a command may name of what was printed before. */
export type Known = Map<string, string>;

export type Typed = {
  readonly words: readonly string[];
  readonly exitCode: number;
  /** Keeps the id of what is printed under this name. */
  readonly keep?: string;
};

export const typed: readonly Typed[] = [
  { words: ["tool", "list"], exitCode: 0 },
  { words: ["tool", "show", "text.template"], exitCode: 0 },
  { words: ["tool", "show", "text.temlate"], exitCode: 2 },
  { words: ["tool", "call", "text.upper", "text=hi"], exitCode: 0 },
  { words: ["workflow", "save", "hello.yaml", "ask.yaml", "listen.yaml"], exitCode: 0 },
  { words: ["workflow", "save", "hello.yaml", "--expect", "7"], exitCode: 10 },
  { words: ["workflow", "list"], exitCode: 0 },
  { words: ["workflow", "show", "hello@1"], exitCode: 0 },
  { words: ["workflow", "show", "helo"], exitCode: 3 },
  { words: ["workflow", "versions", "hello"], exitCode: 0 },
  { words: ["workflow", "diff", "hello"], exitCode: 2 },
  { words: ["workflow", "disable", "hello"], exitCode: 0 },
  { words: ["run", "hello", "who=Ada"], exitCode: 10 },
  { words: ["workflow", "enable", "hello", "--expect", "2"], exitCode: 10 },
  { words: ["workflow", "enable", "hello", "--expect", "1"], exitCode: 0 },
  { words: ["workflow", "clone", "hello"], exitCode: 0 },
  { words: ["workflow", "delete", "hello (copy)"], exitCode: 0 },
  { words: ["workflow", "restore", "hello", "1", "--note", "again"], exitCode: 0 },
  { words: ["workflow", "export", "hello"], exitCode: 0 },
  { words: ["workflow", "export", "hello", "--tests", "hello.test.yaml"], exitCode: 0 },
  { words: ["workflow", "import", "exported.json", "--yes"], exitCode: 0 },
  { words: ["run", "hello", "who=Ada", "--key", "ada"], exitCode: 0, keep: "HELLO" },
  { words: ["run", "hello.yaml", "who:=7"], exitCode: 6 },
  { words: ["run", "broken.yaml"], exitCode: 1, keep: "BROKEN" },
  { words: ["run", "ask", "--exit-on-wait"], exitCode: 9, keep: "ASK" },
  { words: ["inbox"], exitCode: 0 },
  { words: ["show", "ASK"], exitCode: 0 },
  { words: ["show", "99999999999"], exitCode: 3 },
  { words: ["approve", "ASK", "--comment", "go"], exitCode: 0 },
  { words: ["approve", "ASK"], exitCode: 3 },
  { words: ["watch", "ASK", "--timeout", "20s"], exitCode: 0 },
  { words: ["run", "listen", "--timeout", "1ms"], exitCode: 8, keep: "LISTEN" },
  { words: ["pause", "LISTEN"], exitCode: 0 },
  { words: ["resume", "LISTEN"], exitCode: 0 },
  { words: ["signal", "LISTEN", "paid", "amount=3"], exitCode: 0 },
  { words: ["watch", "LISTEN", "--timeout", "20s"], exitCode: 0 },
  { words: ["run", "ask", "--at", "in 3 hours"], exitCode: 0, keep: "LATER" },
  { words: ["cancel", "LATER", "--preview"], exitCode: 0 },
  { words: ["cancel", "LATER", "HELLO", "--reason", "no need"], exitCode: 10 },
  { words: ["retry", "BROKEN", "--timeout", "20s"], exitCode: 1 },
  { words: ["fork", "HELLO", "--from", "greet", "--input", '{"who":"Kim"}', "--timeout", "20s"], exitCode: 0 },
  { words: ["emit", "nobody", "a=1"], exitCode: 0 },
  { words: ["ready", "HELLO"], exitCode: 3 },
  { words: ["list", "--status", "all"], exitCode: 0 },
  { words: ["list", "--workflow", "hello", "--field", "who=Ada", "--limit", "2"], exitCode: 0 },
  { words: ["list", "--text", "no luck"], exitCode: 0 },
  { words: ["ps"], exitCode: 0 },
  { words: ["history", "ASK"], exitCode: 0 },
  { words: ["graph", "ASK", "mermaid"], exitCode: 0 },
  { words: ["graph", "hello"], exitCode: 0 },
  { words: ["rate", "HELLO"], exitCode: 0 },
  { words: ["rate", "HELLO", "1", "up", "nice"], exitCode: 0 },
  { words: ["outcomes", "--quality", "up"], exitCode: 0 },
  { words: ["outcomes", "--figures"], exitCode: 0 },
  { words: ["breaker", "list"], exitCode: 0 },
  { words: ["secret", "set", "API_KEY", "--value", "a long secret"], exitCode: 0 },
  { words: ["secret", "list"], exitCode: 0 },
  { words: ["secret", "remove", "API_KEY", "--yes"], exitCode: 0 },
  { words: ["user", "list"], exitCode: 0 },
  { words: ["audit", "--verb", "run.cancel"], exitCode: 0 },
];

export async function type(inside: Inside, { words, keep }: Typed, known: Known): Promise<Printed> {
  const given = words.map((word) => known.get(word) ?? word);
  const { exitCode, stdout } = await inside.call(...given, "--json");
  const document = JSON.parse(stdout) as Json;
  if (keep !== undefined) known.set(keep, wordOf((document as JsonObject)["id"]));
  return { exitCode, document };
}

export type Printed = { readonly exitCode: number | null; readonly document: Json };
