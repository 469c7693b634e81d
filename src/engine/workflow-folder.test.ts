import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEngine, type EngineOptions } from "../open-engine.ts";
import { StepwellError } from "../error.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import type { Engine } from "./engine.ts";
import { checkPlaces, WorkflowFolder, type WorkflowFolderParts } from "./workflow-folder.ts";

let place = "";
let folder = "";
let problems: string[] = [];

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "stepwell-"));
  folder = join(place, "workflows");
  mkdirSync(folder);
  problems = [];
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

function write(file: string, text: string): void {
  // As editors do it: whole or not at all.
  const draft = join(place, "draft");
  writeFileSync(draft, text);
  renameSync(draft, join(folder, file));
}

function greet(message: string): string {
  return `steps:\n  say: {set: {message: ${message}}, done: true}\n`;
}

function open(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const onProblem = (error: StepwellError): void => void problems.push(`${error.code}: ${error.message}`);
  return openEngine({ store: join(place, "stepwell.db"), workflows: folder, onProblem, ...options });
}

async function versionsOf(engine: Engine): Promise<readonly string[]> {
  return (await engine.workflows.list()).map(({ name, version }) => `${name}@${version}`);
}

const patience = { timeout: 30_000, interval: 20 };

describe("workflows in files", () => {
  test("are saved when the engine opens, under their own name or the file's, and can be started", async () => {
    write("greet.yaml", greet("hello"));
    write("other.json", '{"name": "Daily digest", "start": "a", "steps": {"a": {"set": {}, "done": true}}}');
    write("notes.txt", "no flow");
    write("greet.test.yaml", "cases: []");
    write(".hidden.yaml", "no flow");
    mkdirSync(join(folder, "folder.yaml"));
    await using engine = await open();
    expect(await versionsOf(engine)).toEqual(["Daily digest@1", "greet@1"]);
    const { id } = await engine.start("greet");
    expect((await engine.result(id)).output).toEqual({ message: "hello" });
    expect(problems).toEqual([]);
  });

  test("are read again when they change, and a broken one is told with its line and changes nothing", async () => {
    write("greet.yaml", greet("hello"));
    await using engine = await open({ workflows: `${folder}/*.yaml` });
    write("greet.yaml", greet("bye"));
    await expect.poll(() => versionsOf(engine), patience).toEqual(["greet@2"]);
    write("greet.yaml", "steps:\n  say:\n    set: {}\n    next: nowhere\n");
    await expect.poll(() => problems, patience).toHaveLength(1);
    expect(problems[0]).toMatch(/^FLOW_INVALID: greet\.yaml:4: .*nowhere/);
    write("late.yaml", greet("late"));
    await expect.poll(() => versionsOf(engine), patience).toEqual(["greet@2", "late@1"]);
    write("greet.yaml", greet("again"));
    await expect.poll(() => versionsOf(engine), patience).toEqual(["greet@3", "late@1"]);
    expect(problems).toHaveLength(1);
  });

  test("that go take nothing with them", async () => {
    write("greet.yaml", greet("hello"));
    await using engine = await open();
    rmSync(join(folder, "greet.yaml"));
    write("late.yaml", greet("late"));
    await expect.poll(() => versionsOf(engine), patience).toEqual(["greet@1", "late@1"]);
  });

  test("that have not changed undo nothing of what was done elsewhere", async () => {
    write("greet.yaml", greet("hello"));
    write("gone.yaml", greet("gone"));
    {
      await using engine = await open();
      await engine.save(greet("edited"), { name: "greet" });
      await engine.workflows.delete("gone");
    }
    await using engine = await open();
    expect(await versionsOf(engine)).toEqual(["greet@2"]);
    expect((await engine.workflows.get("greet")).text).toBe(greet("edited"));
    write("gone.yaml", greet("back"));
    await expect.poll(() => versionsOf(engine), patience).toEqual(["gone@2", "greet@2"]);
  });

  test("that have not changed bring nothing back, though the same flow was saved with another text", async () => {
    write("greet.yaml", greet("hello"));
    {
      await using engine = await open();
      await engine.save(`# of mine\n${greet("hello")}`, { name: "greet" });
      await engine.workflows.disable("greet@1");
      await engine.workflows.delete("greet");
    }
    await using engine = await open();
    expect(await versionsOf(engine)).toEqual([]);
    write("greet.yaml", `# new\n${greet("hello")}`);
    await expect.poll(() => versionsOf(engine), patience).toEqual(["greet@1"]);
    expect((await engine.workflows.get("greet")).text).toBe(`# new\n${greet("hello")}`);
  });

  test("whose workflow gets another name free the old one, also for a file that was refused", async () => {
    write("a.yaml", `name: x\n${greet("a")}`);
    write("b.yaml", `name: x\n${greet("b")}`);
    await using engine = await open();
    expect(problems).toHaveLength(1);
    write("a.yaml", `name: y\n${greet("a")}`);
    await expect.poll(() => versionsOf(engine), patience).toEqual(["x@2", "y@1"]);
    expect((await engine.workflows.get("x")).text).toContain("message: b");
    // A file that comes before it in the list is looked at again as well.
    write("0.yaml", `name: y\n${greet("0")}`);
    await expect.poll(() => problems, patience).toHaveLength(2);
    write("a.yaml", `name: z\n${greet("a")}`);
    await expect.poll(() => versionsOf(engine), patience).toEqual(["x@2", "y@2", "z@1"]);
    expect(problems).toHaveLength(2);
  });

  test("may swap their names", async () => {
    write("a.yaml", `name: x\n${greet("a")}`);
    write("b.yaml", `name: y\n${greet("b")}`);
    await using engine = await open();
    write("a.yaml", `name: y\n${greet("a")}`);
    write("b.yaml", `name: x\n${greet("b")}`);
    await expect.poll(() => versionsOf(engine), patience).toEqual(["x@2", "y@2"]);
  });

  test("of the same name are told, and the first one stays", async () => {
    write("a.yaml", `name: greet\n${greet("a")}`);
    write("b.yaml", `name: greet\n${greet("b")}`);
    await using engine = await open();
    expect(problems).toEqual(['INPUT_INVALID: b.yaml: The workflow "greet" lies in a.yaml already.']);
    expect((await engine.workflows.get("greet")).text).toContain("message: a");
    rmSync(join(folder, "a.yaml"));
    await expect.poll(() => versionsOf(engine), patience).toEqual(["greet@2"]);
    expect((await engine.workflows.get("greet")).text).toContain("message: b");
  });

  test("with a name that cannot be one, too large, or with tools that refuse their arguments are told", async () => {
    write("b@3.yaml", greet("x"));
    write("large.yaml", `# ${"x".repeat(1_048_576)}\n${greet("x")}`);
    symlinkSync(join(folder, "nowhere"), join(folder, "link.yaml"));
    await using engine = await open();
    expect(problems.map((problem) => problem.slice(0, 40)).toSorted()).toEqual([
      "FLOW_UNREADABLE: large.yaml: It is large",
      "INPUT_INVALID: b@3.yaml: A workflow cann",
    ]);
    expect(await versionsOf(engine)).toEqual([]);
  });

  test("are left to the owner; a guest that becomes one reads them then", async () => {
    const owner = await open({ workflows: [] });
    await using guest = await open();
    write("greet.yaml", greet("hello"));
    expect(guest.isOwner).toBe(false);
    await owner.start(`name: other\n${greet("x")}`);
    expect(await versionsOf(owner)).toEqual([]);
    await owner.stop();
    await expect.poll(() => versionsOf(guest), patience).toEqual(["greet@1"]);
  });

  test("in a place that is not there keep the engine from opening", async () => {
    const missing = join(place, "nowhere");
    await expect(open({ workflows: missing })).rejects.toMatchObject({
      code: "FILE_NOT_FOUND",
      message: `There is no folder ${missing}; workflows should lie there.`,
    });
    await expect(open({ workflows: join(missing, "*.yaml") })).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(checkPlaces([join(place, "*", "a.yaml")])).rejects.toMatchObject({ code: "USAGE" });
  });
});

describe("a folder that is looked at", () => {
  type Told = { readonly parts: WorkflowFolderParts; readonly saved: string[] };

  function createParts(places: readonly string[]): Told & { readonly advance: (ms: number) => Promise<void> } {
    const clock = createFakeClock({ now: 0 });
    const saved: string[] = [];
    const parts: WorkflowFolderParts = {
      places,
      clock,
      save: ({ name, accept }) => {
        accept(name);
        saved.push(name);
        return Promise.resolve();
      },
      problem: (error) => void problems.push(error instanceof StepwellError ? error.message : String(error)),
    };
    return { parts, saved, advance: (ms) => clock.advance(ms) };
  }

  test("is looked at every ten seconds, whatever the system tells", async () => {
    const { parts, saved, advance } = createParts([folder]);
    const watched = new WorkflowFolder(parts);
    await watched.start();
    // Its timers stand still, so that nothing but this can bring it to look.
    write("late.yaml", greet("late"));
    await advance(10_000);
    await expect.poll(() => saved, patience).toEqual(["late"]);
    watched.stop();
  });

  test("that vanishes is told once, and read again when it is back", async () => {
    const { parts, saved, advance } = createParts([join(folder, "gr*t.yaml"), join(folder, "one.json")]);
    write("greet.yaml", greet("x"));
    write("gruet.yml", greet("x"));
    write("one.json", "{}");
    write("two.json", "{}");
    const watched = new WorkflowFolder(parts);
    await watched.start();
    expect(saved).toEqual(["greet", "one"]);
    rmSync(folder, { recursive: true });
    const told = `There is no folder ${folder}; workflows should lie there.`;
    await expect.poll(() => advance(10_000).then(() => problems), patience).toEqual([told]);
    await advance(10_000);
    mkdirSync(folder);
    write("great.yaml", greet("x"));
    await expect.poll(() => advance(10_000).then(() => saved), patience).toEqual(["greet", "one", "great"]);
    expect(problems).toHaveLength(1);
    watched.stop();
  });

  test("that is taken away while a stopped engine still looks is nobody's problem", async () => {
    const { parts } = createParts([folder]);
    const watched = new WorkflowFolder(parts);
    rmSync(folder, { recursive: true });
    const looked = watched.start();
    watched.stop();
    await looked;
    expect(problems).toEqual([]);
  });

  test("does not keep the engine from opening when the disk takes nothing", async () => {
    const { parts, advance } = createParts([folder]);
    write("greet.yaml", greet("x"));
    const { promise: never } = Promise.withResolvers<void>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const save = (): Promise<void> => {
      ask();
      return never;
    };
    const watched = new WorkflowFolder({ ...parts, save });
    const started = watched.start();
    await asked;
    await advance(5000);
    expect(await started).toBeUndefined();
    watched.stop();
  });

  test("tells what could not be saved", async () => {
    const { parts } = createParts([folder]);
    write("greet.yaml", greet("x"));
    const watched = new WorkflowFolder({ ...parts, save: () => Promise.reject(new Error("no room")) });
    await watched.start();
    expect(problems).toEqual(["Error: no room"]);
    watched.stop();
  });

  test("tries again what could not be written, and not what is wrong with a file", async () => {
    const { parts, advance, saved } = createParts([folder]);
    write("greet.yaml", greet("x"));
    write("wrong.yaml", "no flow");
    let hasRoom = false;
    const save: WorkflowFolderParts["save"] = ({ name }) => {
      if (name === "wrong") throw new Error("no flow");
      if (!hasRoom) return Promise.reject(new Error("no room"));
      saved.push(name);
      return Promise.resolve();
    };
    const watched = new WorkflowFolder({ ...parts, save });
    await watched.start();
    expect(problems).toEqual(["Error: no room", "wrong.yaml: no flow"]);
    hasRoom = true;
    await expect.poll(() => advance(10_000).then(() => saved), patience).toEqual(["greet"]);
    await advance(10_000);
    watched.stop();
    expect([saved, problems.length]).toEqual([["greet"], 2]);
  });
});
