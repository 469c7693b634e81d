// Every flow of the seeds, as printed, through the command line: started with the tools of examples/tools, answered,
// fired and watched to its end by one command after the other.

import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { flowsIn, seeds } from "../example-files.ts";
import { openInside, type Inside } from "./inside.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tools = ["--tools", `${root}examples/tools/seeds.ts`];

type Way = {
  readonly name: string;
  readonly input?: object;
  readonly flags?: readonly string[];
  /** `approve`, or the transition that is fired. */
  readonly then?: readonly string[];
  readonly ends: string;
};

const order = { order: "A7", amount: 30, items: ["book"] };
const paper = { document: "d1", pages: 3 };
const ways: readonly Way[] = [
  { name: "000-research", input: { topic: "AI safety" }, ends: "completed" },
  { name: "000-check-admin", ends: "completed" },
  { name: "000-request-approval", input: { title: "Rules" }, then: ["approve"], ends: "completed" },
  { name: "001-escalation", input: { title: "the offer" }, then: ["approve"], ends: "completed" },
  { name: "002-rss", ends: "completed" },
  { name: "002-rss-export", input: { feed: "broken" }, ends: "completed" },
  { name: "003-notify", ends: "completed" },
  { name: "003-greet-then-count", ends: "completed" },
  { name: "003-morning-notify", flags: ["--at", "tomorrow at 9am"], ends: "scheduled" },
  { name: "003-branch", ends: "completed" },
  { name: "003-interpolation", input: { name: "Ann", to: "ann@example.org" }, ends: "completed" },
  { name: "003-fan-out", input: { topic: "tea" }, ends: "completed" },
  { name: "004-cancellable", then: ["begin", "stop"], ends: "cancelled" },
  { name: "004-cancellable-in-some-states", then: ["reserve", "abort"], ends: "cancelled" },
  { name: "004-uncancellable", then: ["begin", "finish"], ends: "completed" },
  { name: "004-validation", then: ["begin", "check", "checked_all", "accept"], ends: "completed" },
  { name: "004-order-fulfilment", input: order, then: ["confirm", "pay", "ship", "deliver"], ends: "completed" },
  { name: "004-document-review", input: paper, then: ["submit", "approve", "publish"], ends: "completed" },
];

let inside: Inside;

beforeEach(() => {
  inside = openInside();
});

afterEach(() => inside.remove());

describe("the flows of the seeds at the terminal", () => {
  test("are all here", () => {
    expect(ways.map(({ name }) => `${seeds}/${name}.json`)).toEqual(expect.arrayContaining([...flowsIn(seeds)]));
  });

  test.each(ways)("$name ends $ends", async ({ name, input = {}, flags = [], then = [], ends }) => {
    const file = `${root}${seeds}/${name}.json`;
    const given = ["--input", JSON.stringify(input), ...flags, ...tools];
    const started = await inside.json("run", file, ...given, "--exit-on-wait", "--as", "james");
    const run = String(Number(started["id"]));
    for (const answer of then) {
      const said = name.startsWith("004") ? ["fire", run, answer, "--reason", "as agreed"] : ["approve", run];
      expect((await inside.call(...said, ...tools)).exitCode).toBe(0);
      await inside.call("watch", run, "--exit-on-wait", ...tools);
    }
    expect((await inside.json("show", run))["status"]).toBe(ends);
  });
});
