import { describe, expect, test } from "vitest";
import { isArray, objectFrom, type Json, type JsonObject } from "../flow/json.ts";
import { codeOfRejection, createWorld } from "../testing/engine.ts";
import { createRandom, type Random } from "../testing/random.ts";
import { caller, greet, refusalOf } from "../testing/sharing.ts";

/** The code and the place of each problem that a file has. */
async function problemsOf(promise: Promise<unknown>): Promise<readonly (readonly [string, string])[]> {
  const { details } = await refusalOf(promise);
  const { problems }: { readonly problems: readonly { readonly code: string; readonly pointer: string }[] } = {
    problems: [],
    ...details,
  };
  return problems.map(({ code, pointer }) => [code, pointer]);
}

describe("an import", () => {
  test("AC-51: is disabled, belongs to whoever imports it, and gets the first free name", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("hello"), { by: "ann" });
    const text = await engine.workflows.exportText("greet");
    const first = await engine.workflows.import(text, { by: "bob" });
    expect(first).toMatchObject({
      name: "greet (imported 1)",
      workflows: [{ name: "greet", as: "greet (imported 1)", state: "same", action: "create" }],
      workflow: { name: "greet (imported 1)", version: 1, isEnabled: false, createdBy: "bob", updatedBy: "bob" },
    });
    expect((await engine.workflows.import(text)).name).toBe("greet (imported 2)");
    await engine.workflows.delete("greet (imported 1)");
    // A name that was given up is free, and its versions go on.
    expect((await engine.workflows.import(text, { by: "eve" })).workflow).toMatchObject({
      name: "greet (imported 1)",
      version: 2,
      createdBy: "eve",
      isEnabled: false,
    });
    expect(await codeOfRejection(engine.start("greet (imported 1)"))).toBe("WORKFLOW_DISABLED");
    const enabled = await engine.workflows.import(text, { enable: true });
    const run = await engine.start(enabled.name);
    expect(await engine.result(run.id)).toMatchObject({ status: "completed", output: { message: "hello" } });
  });

  test("AC-51: is planned without changing anything, and then does what was planned", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(
      {
        name: "news",
        resources: { feed: { type: "rss", url: "https://example.org/feed.xml" } },
        steps: { a: { tool: "chat.send", args: { key: "{{ secrets.API_KEY }}", password: "hunter2!" }, done: true } },
      },
      { description: "News" },
    );
    const text = await engine.workflows.exportText("news");
    await using elsewhere = createWorld("memory");
    const other = await elsewhere.open();
    const plan = await other.engine.workflows.planImport(text);
    expect(plan).toEqual({
      name: "news",
      workflows: [{ name: "news", as: "news", state: "new", action: "create" }],
      resources: [{ name: "feed", url: "https://example.org/feed.xml", action: "create" }],
      missingTools: ["chat.send"],
      missingSecrets: ["API_KEY"],
      permissions: ["tool:chat.send"],
      warnings: [
        "Resource 'feed' created",
        "What stands at /steps/a/args/password looks like a secret; write {{ secrets.NAME }} there, and keep it apart.",
      ],
    });
    expect(await other.engine.workflows.list({ all: true })).toEqual([]);
    expect(await other.engine.workflows.planImport(JSON.parse(text))).toEqual(plan);
    expect(await other.engine.workflows.import(text)).toMatchObject({ ...plan });
    expect((await other.engine.workflows.planImport(text)).resources).toEqual([
      { name: "feed", url: "https://example.org/feed.xml", action: "link" },
    ]);
  });

  test("AC-51: links resources by name and URL, and what is here counts", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const file = (name: string, feed: JsonObject): Json => ({
      stepwell: 1,
      workflow: {
        name,
        flow: { resources: { feed }, steps: { a: { set: { got: "{{ resources.feed.content }}" }, done: true } } },
      },
    });
    const here = { url: "https://example.org/a", content: "from here" };
    await engine.workflows.import(file("one", here));
    const two = await engine.workflows.import(file("two", { ...here, content: "from the file" }), { enable: true });
    expect(two.warnings).toEqual([
      "Resource 'feed' is here already, and differs from the file's: what is here is used.",
    ]);
    const { id } = await engine.start("two");
    expect((await engine.result(id)).output).toEqual({ got: "from here" });
    const elsewhere = { ...here, url: "https://example.org/b" };
    expect((await engine.workflows.import(file("three", elsewhere))).warnings).toEqual(["Resource 'feed' created"]);
  });

  test("AC-51: a file may be edited by hand: steps, resources, and keys that nobody knows", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save("# Says hello.\nname: greet\nsteps: { say: { set: { message: hello }, done: true } }\n");
    const document = await engine.workflows.export("greet");
    expect(document.workflow.text).toMatch(/^# Says hello/);
    const { warnings } = await engine.workflows.import({
      ...document,
      workflow: { ...document.workflow, name: "edited", flow: greet("good morning"), colour: "red" },
      resources: [{ name: "feed", url: "https://example.org/feed.xml" }],
      workflws: [],
    });
    expect(warnings).toEqual([
      '"workflow" has a key "colour" that nobody knows; it is passed over.',
      'The text of "greet" says something else than its flow; the flow counts, and the text is dropped.'.replace(
        "greet",
        "edited",
      ),
      'The file has a key "workflws" that nobody knows; it is passed over.',
      "Resource 'feed' created",
    ]);
    const view = await engine.workflows.get("edited");
    expect(view.flow).toEqual({
      ...greet("good morning"),
      resources: { feed: { name: "feed", url: "https://example.org/feed.xml" } },
    });
    expect((await engine.workflows.export("edited")).resources).toEqual([
      { name: "feed", url: "https://example.org/feed.xml" },
    ]);
  });

  test("links sub-workflows that are the same here, and imports others under a new name", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("hello"));
    await engine.save({ ...greet("bye"), name: "bye" });
    await engine.save(caller("middle", "bye@1"));
    await engine.save(caller("main", "greet", "middle"));
    const text = await engine.workflows.exportText("main");
    await using elsewhere = createWorld("memory");
    const other = await elsewhere.open();
    await other.engine.save(greet("hello"));
    await other.engine.save({ ...greet("farewell"), name: "bye" });
    await other.engine.save(caller("middle", "bye@1"));
    const { workflows, warnings } = await other.engine.workflows.import(text, { enable: true });
    expect(workflows).toEqual([
      { name: "main", as: "main", state: "new", action: "create" },
      { name: "bye", as: "bye (imported 1)", state: "changed", action: "create" },
      { name: "greet", as: "greet", state: "same", action: "link" },
      { name: "middle", as: "middle (imported 1)", state: "changed", action: "create" },
    ]);
    expect(warnings).toContain('"bye" becomes "bye (imported 1)".');
    expect((await other.engine.workflows.get("main")).flow).toEqual(caller("main", "greet", "middle (imported 1)"));
    expect((await other.engine.workflows.get("middle (imported 1)")).flow).toEqual(
      caller("middle", "bye (imported 1)@1"),
    );
    const { id } = await other.engine.start("main");
    expect(await other.engine.result(id)).toMatchObject({ status: "completed", output: { message: "bye" } });
  });

  test("keeps comments and layout of flows in which names had to change", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("one"));
    await engine.save(greet("two"));
    const text = (flow: string): string =>
      `# Starts another.\nname: main # flow: greet@2\nsteps:\n  a: { flow: ${flow}, next: b } # this one\n  b:\n    flow: ${flow} # and again\n    done: true\n`;
    await engine.save(text("greet@2"));
    const document = await engine.workflows.export("main");
    expect(document.workflow.text).toBe(
      text("greet@1").replace("name: main # flow: greet@2", "name: main # flow: greet@1"),
    );
    await engine.save(greet("three"));
    await engine.workflows.import(document);
    const view = await engine.workflows.get("main (imported 1)");
    expect(view.text).toContain("  b:\n    flow: greet (imported 1)@1 # and again\n");
    expect(view.flow).toMatchObject({ steps: { a: { flow: "greet (imported 1)@1" } } });
  });

  test("a workflow that starts itself starts what it was imported as", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(caller("round", "round", "other"));
    await engine.save(caller("other", "round@1"));
    const text = await engine.workflows.exportText("round");
    await engine.workflows.import(text);
    expect((await engine.workflows.get("round (imported 1)")).flow).toEqual(
      caller("round", "round (imported 1)", "other (imported 1)"),
    );
    expect((await engine.workflows.get("other (imported 1)")).flow).toEqual(caller("other", "round (imported 1)@1"));
  });
});

describe("a file that cannot be imported", () => {
  test("AC-52: is refused with a code and the place of each thing that is wrong, and nothing is kept", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { workflows } = engine;
    const alex = { version: 1, workflow: { name: "a" }, steps: [] };
    const cases: readonly (readonly [Json, readonly (readonly [string, string])[]])[] = [
      ["{", [["not_json", ""]]],
      ["[]", [["not_an_object", ""]]],
      ['"x"', [["not_an_object", ""]]],
      [
        {},
        [
          ["unknown_version", "/stepwell"],
          ["workflow_missing", "/workflow"],
        ],
      ],
      [{ ...alex, version: 2 }, [["unknown_version", "/version"]]],
      [{ version: 1, steps: [] }, [["workflow_missing", "/workflow"]]],
      [{ ...alex, workflow: {} }, [["name_missing", "/workflow/name"]]],
      [{ ...alex, workflow: { name: " " } }, [["name_missing", "/workflow/name"]]],
      [{ version: 1, workflow: { name: "a" } }, [["steps_missing", "/steps"]]],
      [{ stepwell: 2, workflow: { name: "a", flow: greet("x") } }, [["unknown_version", "/stepwell"]]],
      [{ stepwell: 1, workflow: { name: "a" } }, [["flow_missing", "/workflow/flow"]]],
      [
        { stepwell: 1, workflow: { name: "a", flow: greet("x"), text: 1, description: 2 }, workflows: {}, tools: [{}] },
        [
          ["wrong_type", "/workflow/description"],
          ["wrong_type", "/workflow/text"],
          ["wrong_type", "/workflows"],
          ["wrong_type", "/tools/0"],
        ],
      ],
      [
        {
          stepwell: 1,
          workflow: { name: "a", flow: greet("x") },
          workflows: [{ name: "a", flow: greet("y") }],
          resources: [{ url: "x" }],
        },
        [
          ["name_twice", "/workflows/0/flow"],
          ["name_missing", "/resources/0/name"],
        ],
      ],
    ];
    for (const [file, problems] of cases) {
      expect([file, await problemsOf(workflows.import(file))]).toEqual([file, problems]);
      expect((await refusalOf(workflows.planImport(file))).code).toBe("INPUT_INVALID");
    }
    expect(await workflows.list({ all: true })).toEqual([]);
  });

  test("AC-52: one bad step keeps all of it out, and is named with its place in the file", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const bad = { steps: { a: { set: {}, next: "nowhere" } } };
    const file = {
      stepwell: 1,
      workflow: { name: "main", flow: caller("main", "sub") },
      workflows: [{ name: "sub", flow: bad }],
      resources: [{ name: "feed" }],
    };
    const refusal = await refusalOf(engine.workflows.import(file));
    expect(refusal.code).toBe("FLOW_INVALID");
    expect(refusal.details).toMatchObject({
      findings: [{ code: "dangling_name", pointer: "/workflows/0/flow/steps/a/next" }],
    });
    const steps = [{ position: 1, skill: "x", routes: [{ branch: "on_items", goto: 7 }] }];
    const foreign = await refusalOf(engine.workflows.import({ version: 1, workflow: { name: "w" }, steps }));
    expect(foreign.details).toMatchObject({ findings: [{ pointer: "/steps/0/routes/0/goto" }] });
    expect(await engine.workflows.list({ all: true })).toEqual([]);
  });

  test("AC-52: is refused when it has more than 1 MB, or is nested too deep", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const file = { stepwell: 1, workflow: { name: "a", flow: greet("x".repeat(1_048_576)) } };
    expect(await codeOfRejection(engine.workflows.import(file))).toBe("TOO_LARGE");
    const deep = `{"stepwell":1,"workflow":${"[".repeat(400_000)}${"]".repeat(400_000)}}`;
    expect(await problemsOf(engine.workflows.import(deep))).toEqual([["too_deep", ""]]);
  });

  test("a name is never a path: whatever it is, it becomes one that can be written, started and exported", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const written = [
      "../../etc/passwd",
      "C:\\temp\\x",
      "a@2",
      "name: with colon",
      "\u202Eevil",
      "x".repeat(200),
      "🚀",
      "7",
    ];
    for (const name of written) {
      const file = { stepwell: 1, workflow: { name, flow: greet("x") } };
      const { name: as } = await engine.workflows.import(file);
      expect(as).not.toMatch(/[@{}\p{C}]|^\.|:\s/u);
      expect(as.length).toBeLessThanOrEqual(128);
      expect((await engine.workflows.import(file)).name).toMatch(/ \(imported 1\)$/);
      expect((await engine.workflows.export(as)).workflow.name).toBe(as);
    }
  });

  test("is refused with a code however it was damaged, or comes in and goes out again", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("hello", { resources: { feed: { url: "https://example.org/feed.xml" } } }));
    await engine.save(caller("main", "greet@1", "nowhere"));
    const text = await engine.workflows.exportText("main");
    const told = new Map<string, number>();
    for (let seed = 1; seed <= 150; seed++) {
      const file = damage(JSON.parse(text), createRandom(seed));
      const code = await codeOfRejection(
        engine.workflows.import(file).then(({ name }) => engine.workflows.exportText(name)),
      );
      told.set(code, (told.get(code) ?? 0) + 1);
    }
    expect([...told.keys()].toSorted()).toEqual(["FLOW_INVALID", "INPUT_INVALID", "none"]);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("said");
  });
});

/** Takes a value away, puts another in its place, or gives it a name that means something elsewhere. */
function damage(value: Json, random: Random): Json {
  if (typeof value !== "object" || value === null || random.chance(0.1)) return random.pick(odd);
  const entries = Object.entries<Json>(value);
  const place = random.integer(entries.length + 1);
  const damaged = entries.flatMap(([key, member], index): [string, Json][] => {
    if (index !== place) return [[key, member]];
    if (random.chance(0.8)) return [[key, damage(member, random)]];
    return random.chance(0.5) ? [] : [[random.pick(["__proto__", "constructor", "toString"]), member]];
  });
  return isArray(value) ? damaged.map(([, member]) => member) : objectFrom(damaged);
}

const odd: readonly Json[] = [null, true, -1, 1e308, "", " ", "../..", "\0", [], [[]], {}, { said: 1 }, "{{ x }}"];
