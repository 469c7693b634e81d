import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOfRejection, createWorld } from "../testing/engine.ts";
import { whileTimePasses } from "../testing/fake-clock.ts";
import { caller, greet, refusalOf } from "../testing/sharing.ts";
import { documentKeys } from "./sharing/parse.ts";

const rss = readFileSync(join(import.meta.dirname, "../../examples/seeds/002-rss-export.json"), "utf8");

describe("an export", () => {
  test("AC-49: has the workflow, what it starts, reads and needs, and no ids, times, users or secrets", async () => {
    await using world = createWorld("memory");
    const echo = { name: "demo.echo", description: "Says it", effect: "read", input: null, output: null } as const;
    const { engine } = await world.open({
      tools: [{ ...echo, outcomes: [], call: () => ({ kind: "done", result: null, outcome: null }) as const }],
    });
    await engine.secrets.set("API_KEY", "s3cr3t-value-of-the-key");
    await engine.save(greet("hello"), { by: "bob", description: "Says hello" });
    await engine.save(
      {
        name: "news",
        description: "Reads the news",
        triggers: [{ cron: "0 8 * * *" }],
        resources: { feed: { url: "https://example.org/feed.xml", type: "rss", tags: ["news"] } },
        start: "fetch",
        steps: {
          fetch: {
            tool: "echo",
            args: { key: "{{ secrets.API_KEY }}", feed: "{{ resources.feed.url }}" },
            next: "tell",
          },
          tell: { tool: "chat.send", args: {}, fallback: "chat.mail", on_circuit_open: "fallback", next: "go" },
          go: { flow: "greet", done: true },
        },
      },
      { by: "ann", input: { topic: "tides" }, note: "first" },
    );
    const text = await engine.workflows.exportText("news");
    expect(text).not.toMatch(
      /s3cr3t|"(?:id|uid|hash|created_?[bB]y|created_?[aA]t|updated\w*|enabled)"|\bann\b|\bbob\b/,
    );
    expect(text.endsWith("\n}\n")).toBe(true);
    const document = await engine.workflows.export("news");
    expect(Object.keys(document)).toEqual([...documentKeys]);
    expect(document).toMatchObject({
      stepwell: 1,
      workflow: { name: "news", description: "Reads the news", flow: { triggers: [{}] }, input: { topic: "tides" } },
      workflows: [{ name: "greet", description: "Says hello", flow: greet("hello"), input: null }],
      resources: [{ name: "feed", type: "rss", url: "https://example.org/feed.xml", tags: ["news"] }],
      tools: [{ name: "demo.echo", description: "Says it", effect: "read", input_schema: null, output_schema: null }],
      secrets: ["API_KEY"],
      permissions: ["tool:chat.mail", "tool:chat.send", "tool:demo.echo"],
      tests: [],
    });
  });

  test("AC-50: of what is not there is refused; of one version it has that one", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { id } = await engine.save(greet("one"));
    await engine.save(greet("two"));
    expect(await engine.workflows.export("greet@1")).toMatchObject({ workflow: { flow: greet("one") } });
    expect(await engine.workflows.export(id)).toMatchObject({ workflow: { flow: greet("two") } });
    expect(await codeOfRejection(engine.workflows.export("gret"))).toBe("WORKFLOW_NOT_FOUND");
    expect(await codeOfRejection(engine.workflows.export(12))).toBe("WORKFLOW_NOT_FOUND");
    expect(await codeOfRejection(engine.workflows.export("greet@7"))).toBe("WORKFLOW_NOT_FOUND");
    await engine.workflows.delete("greet");
    expect(await codeOfRejection(engine.workflows.export("greet"))).toBe("WORKFLOW_NOT_FOUND");
  });

  test("keeps apart two versions of one workflow that its steps name", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    for (const message of ["one", "two", "three"]) await engine.save(greet(message));
    await engine.save(caller("both", "greet@2", "greet", "greet@3"));
    const text = await engine.workflows.exportText("both");
    expect(JSON.parse(text)).toMatchObject({
      workflow: { flow: caller("both", "greet (version 2)@1", "greet", "greet@1") },
      workflows: [
        { name: "greet", flow: greet("three") },
        { name: "greet (version 2)", flow: greet("two") },
      ],
    });
    await using elsewhere = createWorld("memory");
    const other = await elsewhere.open();
    await other.engine.workflows.import(text, { enable: true });
    expect(await other.engine.workflows.exportText("both")).toBe(text);
    const run = await other.engine.start("both");
    expect(await other.engine.result(run.id)).toMatchObject({ status: "completed" });
  });

  test("takes along what the program itself brought, and tests that are given", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ flows: { inner: { start: { set: { a: 1 }, done: true } } } });
    await engine.save(caller("outer", "inner", "nowhere"));
    const tests = [{ flow: "outer", cases: [] }];
    expect(await engine.workflows.export("outer", { tests })).toMatchObject({
      workflow: { flow: caller("outer", "inner", "nowhere") },
      workflows: [{ name: "inner", description: null, flow: { start: { set: { a: 1 }, done: true } } }],
      tests,
    });
  });
});

describe("a copy", () => {
  test("AC-54: is called (copy), is disabled and has no schedule, and keeps the rest", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.workflows.import(rss, { by: "ann" });
    const copy = await engine.workflows.clone("RSS digest", { by: "bob" });
    expect(copy).toMatchObject({ name: "RSS digest (copy)", version: 1, isEnabled: false, createdBy: "bob" });
    expect((await engine.workflows.clone("RSS digest")).name).toBe("RSS digest (copy 2)");
    expect((await engine.workflows.clone("RSS digest (copy)")).name).toBe("RSS digest (copy) (copy)");
    const original = (await engine.workflows.get("RSS digest")).flow as JsonObject;
    const { triggers, ...rest } = original;
    expect(triggers).toHaveLength(1);
    expect((await engine.workflows.get("RSS digest (copy)")).flow).toEqual(rest);
    expect(await codeOfRejection(engine.workflows.clone("nothing"))).toBe("WORKFLOW_NOT_FOUND");
  });

  test("AC-54: asks for a second factor where the workflow does, and keeps its text, input and description", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const text = "# Careful.\nname: pay\nrequires_2fa: true\nsteps: { a: { set: {}, done: true } }\n";
    await engine.save(text, { input: { amount: 1 }, description: "Pays" });
    await engine.workflows.clone("pay");
    const copy = await engine.workflows.get("pay (copy)");
    expect(copy).toMatchObject({
      text,
      input: { amount: 1 },
      description: "Pays",
      note: 'Copied from "pay", version 1',
    });
    expect(copy.flow).toMatchObject({ requires_2fa: true });
  });
});

describe("who may", () => {
  test("export and plan with read alone, import and copy only with save; a file gives no rights", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("x"));
    await engine.access.save("ann", { keys: ["130001.read"] });
    await engine.access.save("bob", { keys: ["130001.save"] });
    const ann = engine.as("ann").workflows;
    const bob = engine.as("bob").workflows;
    const text = await ann.exportText("greet");
    expect((await ann.planImport(text)).name).toBe("greet (imported 1)");
    const flow = { start: { tool: "send", args: { key: "{{ secrets.API_KEY }}" }, done: true } };
    const file = { stepwell: 1, workflow: { name: "send", flow } };
    expect((await ann.planImport(file)).missingSecrets).toEqual([]);
    expect((await engine.workflows.planImport(file)).missingSecrets).toEqual(["API_KEY"]);
    await engine.access.save("ann", { keys: ["130001.read", "130001.secrets"] });
    expect((await ann.planImport(file)).missingSecrets).toEqual(["API_KEY"]);
    await engine.access.save("ann", { keys: ["130001.read"] });
    expect(await codeOfRejection(ann.import(text))).toBe("NOT_ALLOWED");
    expect(await codeOfRejection(ann.clone("greet"))).toBe("NOT_ALLOWED");
    expect(await codeOfRejection(bob.exportText("greet"))).toBe("NOT_ALLOWED");
    expect(await codeOfRejection(bob.planImport(text))).toBe("NOT_ALLOWED");
    const { workflow } = await bob.import(text, { by: "ann" });
    expect(workflow).toMatchObject({ createdBy: "bob", isEnabled: false });
  });

  test("what came in and what was copied is on record, by name and without the file", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("hello"));
    await engine.workflows.import(await engine.workflows.exportText("greet"), { by: "ann" });
    await engine.workflows.clone("greet", { by: "bob" });
    const records = await engine.access.audit();
    expect(records.map(({ user, verb, subject, details }) => [user, verb, subject, details])).toEqual([
      ["bob", "workflow.clone", "greet (copy)", { from: "greet" }],
      ["ann", "workflow.import", "greet (imported 1)", { enabled: false, workflows: ["greet (imported 1)"] }],
      ["local", "workflow.save", "greet", {}],
    ]);
  });

  test("a guest imports, exports and copies through the owner, with the same answers", async () => {
    await using world = createWorld("file");
    const owner = await world.open();
    await owner.engine.save(greet("x"));
    const guest = await world.open();
    expect(guest.engine.isOwner).toBe(false);
    const text = await owner.engine.workflows.exportText("greet");
    const settled = <T>(promise: Promise<T>): Promise<T> => whileTimePasses(world.clock, promise);
    expect(await settled(guest.engine.workflows.exportText("greet"))).toBe(text);
    expect((await settled(guest.engine.workflows.import(text, { by: "ann" }))).workflow.createdBy).toBe("ann");
    expect((await settled(guest.engine.workflows.clone("greet"))).name).toBe("greet (copy)");
    expect((await refusalOf(settled(guest.engine.workflows.import("[]")))).code).toBe("INPUT_INVALID");
  });
});
