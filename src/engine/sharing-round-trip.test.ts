import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { validate } from "../flow/validate/validate.ts";
import { createWorld } from "../testing/engine.ts";
import { randomFlow } from "../testing/random-flow.ts";
import { createRandom } from "../testing/random.ts";
import { caller, greet } from "../testing/sharing.ts";
import type { Engine } from "./engine.ts";

const examples = join(import.meta.dirname, "../../examples");

/** Exported here, imported there and exported again. */
async function goRound(here: Engine, there: Engine, name: string): Promise<readonly [string, string]> {
  const text = await here.workflows.exportText(name);
  const { name: as } = await there.workflows.import(text);
  return [text, await there.workflows.exportText(as)];
}

describe("export, import and export again", () => {
  test("AC-53: give the same bytes for every example", async () => {
    await using world = createWorld("memory");
    await using elsewhere = createWorld("memory");
    const here = (await world.open({ tools: { "demo.echo": ({ text }: { text?: string }) => text ?? "" } })).engine;
    const there = (await elsewhere.open()).engine;
    const files = globSync("{demo,flows,language,seeds}/*.{json,yaml}", { cwd: examples }).toSorted();
    expect(files.length).toBeGreaterThan(50);
    for (const file of files) {
      const text = readFileSync(join(examples, file), "utf8");
      const name = `from ${file}`;
      await here.save(text, { name, input: { from: file } });
      const [one, other] = await goRound(here, there, name);
      expect(other).toBe(one);
    }
  });

  test("AC-53: give the same bytes for random flows, with routes, input_from, resources and secrets", async () => {
    await using world = createWorld("memory");
    await using elsewhere = createWorld("memory");
    const here = (await world.open()).engine;
    const there = (await elsewhere.open()).engine;
    for (let seed = 1; seed <= 40; seed++) {
      const flow = randomFlow(createRandom(seed), { maxSteps: 12 });
      expect(validate(flow).ok).toBe(true);
      const name = `random ${seed}`;
      await here.save(flow, { name, description: seed % 3 === 0 ? null : `Flow ${seed}`, input: [seed, null] });
      const [one, other] = await goRound(here, there, name);
      expect(other).toBe(one);
      // What is steered by the file comes out of it as it went in.
      expect((await there.workflows.export(name)).workflow.flow).toEqual(flow);
    }
  });

  test("AC-53: give the same bytes for a file of another engine, once it is one of ours", async () => {
    await using world = createWorld("memory");
    await using elsewhere = createWorld("memory");
    const here = (await world.open()).engine;
    const there = (await elsewhere.open()).engine;
    const { name } = await here.workflows.import(readFileSync(join(examples, "seeds/002-rss-export.json"), "utf8"));
    const [one, other] = await goRound(here, there, name);
    expect(other).toBe(one);
  });

  test("give the same bytes where the same flow is saved in another spelling", async () => {
    await using world = createWorld("memory");
    await using elsewhere = createWorld("memory");
    const here = (await world.open()).engine;
    const there = (await elsewhere.open()).engine;
    const { name, steps } = greet("hello") as { readonly name: string; readonly steps: JsonObject };
    await there.save({ steps, name, format: "stepwell/v1" }, { name: "other spelling" });
    await here.save({ name, steps });
    const [one, other] = await goRound(here, there, "greet");
    expect(other).toBe(one);
  });

  test("keep what the other place knows nothing of: schemas of tools, and tests", async () => {
    await using world = createWorld("memory");
    await using elsewhere = createWorld("memory");
    const describedTool = {
      name: "shop.order",
      description: "Orders",
      effect: "write",
      input: { type: "object", properties: { item: { type: "string" } } },
      output: null,
      outcomes: [],
      call: () => ({ kind: "done", result: null, outcome: null }) as const,
    } as const;
    const here = (await world.open({ tools: [describedTool] })).engine;
    const there = (await elsewhere.open()).engine;
    const order: Json = { name: "order", steps: { a: { tool: "order", args: { item: "tea" }, done: true } } };
    await here.save(order);
    await here.save(caller("main", "order"));
    const text = await here.workflows.exportText("main", { tests: [{ flow: "main", cases: [{ name: "one" }] }] });
    expect((await there.workflows.import(text)).missingTools).toEqual(["order"]);
    expect(await there.workflows.exportText("main")).toBe(text);
    // The sub-workflow keeps what is known of its own tools, and a new version of it does, too.
    await there.save({ ...order, description: "Orders tea" });
    expect(await there.workflows.export("order")).toMatchObject({
      tools: [{ name: "shop.order", effect: "write", input_schema: describedTool.input }],
      permissions: ["tool:shop.order"],
      tests: [],
    });
  });
});
