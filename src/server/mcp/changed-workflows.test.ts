// Workflows that change between the moment at which a client lists them and the one at which it calls.

import { expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Json } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { openWire, type Wire } from "../../testing/mcp-wire.ts";

const give = (output: string): Json => ({ start: { set: {}, done: { output } } });

async function open(): Promise<{ readonly engine: Engine; readonly wire: Wire } & AsyncDisposable> {
  const world = createWorld("memory");
  const { engine } = await world.open({ clock: systemClock });
  const wire = await openWire(engine, { waitMs: 60_000 });
  return {
    engine,
    wire,
    [Symbol.asyncDispose]: async () => {
      await wire[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

type Page = { readonly names: readonly string[]; readonly nextCursor: string | null };

async function listPage(wire: Wire, cursor: string | null): Promise<Page> {
  const { result, error } = await wire.ask("tools/list", cursor === null ? {} : { cursor });
  expect(error).toBeNull();
  const names = (result["tools"] as readonly { readonly name: string }[]).map(({ name }) => name);
  return { names, nextCursor: (result["nextCursor"] as string | undefined) ?? null };
}

test("the name of one that was deleted does not become that of another one", async () => {
  await using opened = await open();
  const { engine, wire } = opened;
  await engine.save(give("one"), { name: "a b" });
  await engine.save(give("other"), { name: "a-b" });
  const before = (await listPage(wire, null)).names;
  await engine.workflows.delete("a b");
  expect(await wire.call("workflow_a_b")).toMatchObject({ protocolError: { code: -32602 } });
  const after = (await listPage(wire, null)).names;
  expect(after).toEqual(before.filter((name) => name !== "workflow_a_b"));
  const name = after.find((each) => each.startsWith("workflow_a_b_")) ?? "";
  expect(await wire.call(name)).toMatchObject({ structuredContent: { output: "other" } });
});

test("one that goes between two pages takes no other with it", async () => {
  await using opened = await open();
  const { engine, wire } = opened;
  for (let each = 100; each < 230; each++) await engine.save(give("x"), { name: `w${each}` });
  const first = await listPage(wire, null);
  await engine.workflows.delete(first.names.at(-1)?.replace("workflow_", "") ?? "");
  const second = await listPage(wire, first.nextCursor);
  expect(second.nextCursor).toBeNull();
  const told = [...first.names, ...second.names].filter((name) => /^workflow_w\d/.test(name));
  expect(told).toEqual(Array.from({ length: 130 }, (_, at) => `workflow_w${at + 100}`));
  for (const cursor of ["nothing", "", "run_list_", "workflow_\u0000", "workflow_A"])
    expect((await wire.ask("tools/list", { cursor })).error).toMatchObject({ code: -32602 });
});

test("where the newest version is disabled, what is listed and checked is the one that runs", async () => {
  await using opened = await open();
  const { engine, wire } = opened;
  const taking = (name: string): Json => ({
    input: { type: "object", properties: { [name]: { type: "string" } }, required: [name] },
    steps: { start: { set: {}, done: { output: `{{ input.${name} }}` } } },
  });
  await engine.save(taking("name"), { name: "greet" });
  await engine.save(taking("who"), { name: "greet" });
  await engine.workflows.disable("greet@2");
  const { result } = await wire.ask("tools/list");
  expect(result["tools"]).toContainEqual(
    expect.objectContaining({ name: "workflow_greet", inputSchema: expect.objectContaining({ required: ["name"] }) }),
  );
  expect(await wire.call("workflow_greet", { name: "Ada" })).toMatchObject({ structuredContent: { output: "Ada" } });
  await engine.workflows.disable("greet@1");
  expect(await wire.call("workflow_greet", { name: "Ada" })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "WORKFLOW_DISABLED" } },
  });
});
