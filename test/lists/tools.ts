// The tools of a list: they answer at once or later, fail, fail for good, or hang until nobody waits any more. What a
// call is like depends on the list's seed, the tool, and how many calls of it came before.

import type { FakeClock } from "../../src/testing/fake-clock.ts";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import type { Effect } from "../../src/flow/plan.ts";
import { createRandom, type Random } from "../../src/testing/random.ts";
import { randomTools } from "../../src/testing/random-flow/write-action.ts";
import { defineTool, outcome, ToolError, type ToolContext } from "../../src/tool/function.ts";
import type { Tool } from "../../src/tool/tool.ts";
import { drawOdd } from "./draw.ts";

/** What a tool saw of one call. */
export type SeenCall = {
  readonly tool: string;
  readonly input: JsonObject;
  readonly at: number;
  readonly run: number;
  readonly step: number;
  readonly attempt: number;
  readonly key: string;
  readonly user: string;
};

const effects: { readonly [tool: string]: Effect } = {
  "crm.find": "read",
  "news.fetch": "read",
  was_paid: "read",
  "mail.send": "write",
  pay: "write",
};

const names = [...randomTools, "work", "flaky", "undo", "pay", "was_paid", "broken"];

/** `seen` is told of every call, in order. */
export function createListTools(seed: number, clock: FakeClock, seen: (call: SeenCall) => void): readonly Tool[] {
  const roughness = createRandom(seed).pick([0.05, 0.2, 0.4]);
  return names.map((name, place) => {
    let calls = 0;
    return defineTool({
      name,
      effect: effects[name] ?? "idempotent",
      call: (input, context) => {
        calls += 1;
        const { run, step, attempt, idempotencyKey: key, user } = context;
        seen({ tool: name, input, at: clock.now(), run, step, attempt, key, user });
        const random = createRandom(seed + place * 7919 + calls * 104_729);
        return name === "broken" ? fail("It is broken.") : answer(random, { clock, context, roughness, nth: calls });
      },
    });
  });
}

type Call = {
  readonly clock: FakeClock;
  readonly context: ToolContext;
  readonly roughness: number;
  readonly nth: number;
};

function answer(random: Random, { clock, context, roughness, nth }: Call): unknown {
  if (random.chance(roughness)) {
    switch (random.integer(4)) {
      case 0:
        return new Promise(() => {});
      case 1:
        throw new ToolError({ code: "no_such_thing", message: `Call ${nth} asked for nothing.`, isFinal: true });
      default:
        return fail(`Call ${nth} went wrong.`);
    }
  }
  const result = drawResult(random, nth);
  const given = random.chance(0.25) ? outcome(random.pick(["items", "empty", "large", "small"]), result) : result;
  if (random.chance(0.1)) context.log(`call ${nth}`);
  if (random.chance(0.6)) return given;
  if (random.chance(0.5)) return Promise.resolve(given);
  const { promise, resolve } = Promise.withResolvers<unknown>();
  clock.after(random.pick([10, 2000, 90_000]), () => resolve(given));
  return promise;
}

function fail(message: string): never {
  throw new ToolError({ message });
}

function drawResult(random: Random, nth: number): Json {
  if (random.chance(0.05)) return drawOdd(random);
  if (random.chance(0.1)) return random.pick<Json>([true, null, 42, "open", []]);
  const items = Array.from({ length: random.integer(4) }, (_, index) => ({ id: `${nth}-${index}` }));
  const odd = random.chance(0.03) ? { odd: drawOdd(random) } : {};
  return { n: random.integer(6), count: random.integer(5), total: nth, items, happened: random.chance(0.5), ...odd };
}
