// stepwell.config.json and the environment: flags go over the environment, and that over the file.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makePlace, type Place } from "./command.ts";
import { openInside, refusalOf, type Inside } from "./inside.ts";

let place: Place;

beforeEach(() => {
  place = makePlace();
});

afterEach(() => place.remove());

function write(name: string, text: string): void {
  writeFileSync(join(place.folder, name), text);
}

test("the file says where the store is, which tools there are, and where workflows lie", async () => {
  mkdirSync(join(place.folder, "flows"));
  write("tools.mjs", "export const greet = ({ name }) => `Hello ${name}`;\n");
  write(
    "flows/hi.yaml",
    "start: { tool: greet, args: { name: '{{ input.name }}' }, next: keep }\nkeep: { tool: file.write, args: { path: hi.txt, text: '{{ previous }}' }, done: true }\n",
  );
  write(
    "stepwell.config.yaml",
    "store: data/own.db\ntools: tools.mjs\nworkflows: flows\nfiles_folder: out\ntz: Asia/Tokyo\nretention: { age: 30d, runs: 1000 }\n",
  );
  mkdirSync(join(place.folder, "out"));
  const { exitCode, stderr } = await place.run("run", "hi", "name=Ada");
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("store: data/own.db")]);
  expect(existsSync(join(place.folder, "out/hi.txt"))).toBe(true);
  const [listed, shown] = await Promise.all([place.run("list", "--json"), place.run("workflow", "versions", "hi")]);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "hi", status: "completed" }]);
  const utc = Number(JSON.parse(listed.stdout)[0].created_at);
  expect(shown.stdout).toContain(new Date(utc + 9 * 3_600_000).toISOString().slice(0, 13).replace("T", " "));
});

test("M11: the file says how many calls there may be, and how often; what is no rate is refused", async () => {
  write("tools.mjs", "export const greet = () => 'Hello';\n");
  write("flow.yaml", "start: { tool: greet, next: again }\nagain: { tool: greet, done: true }\n");
  const config = (rate: string): void =>
    write("stepwell.config.yaml", `tools: tools.mjs\nlimits: { calls: 2, rate_per_tool: { greet: ${rate} } }\n`);
  config("1/h");
  // The first call has taken the one of this hour.
  const waiting = await place.run("run", "flow.yaml", "--timeout", "1s", "--json");
  const run = JSON.parse(waiting.stdout);
  expect(waiting.exitCode).toBe(8);
  expect(run).toMatchObject({ status: "running", steps: [{ status: "done" }, { key: "again", status: "ready" }] });
  config("often");
  const refused = await place.run("list");
  const started = await place.run("run", "flow.yaml");
  expect([refused.exitCode, started.exitCode]).toEqual([0, 2]);
  expect(started.stderr).toContain('limits.ratePerTool["greet"] is "often", which is no rate.');
  config("100/s");
  expect((await place.run("watch", String(run.id))).exitCode).toBe(0);
});

test("a workflow that lies in a file and was never loaded can be drawn by its name", async () => {
  mkdirSync(join(place.folder, "flows"));
  write(
    "flows/hi.yaml",
    "start: { tool: log, args: { message: hi }, next: last }\nlast: { tool: time.now, done: true }\n",
  );
  write("flows/other.yaml", "name: named\nstart: go\nsteps: { go: { tool: time.now, done: true } }\n");
  write("flows/broken.yaml", "start: [\n");
  write("stepwell.config.yaml", "workflows: flows\n");
  const drawn = await place.run("graph", "hi", "mermaid");
  expect([drawn.exitCode, drawn.stdout, drawn.stderr]).toEqual([0, expect.stringContaining("last"), ""]);
  expect((await place.run("graph", "named", "--json")).stdout).toContain('"name":"named"');
  const missing = await place.run("graph", "hj");
  expect([missing.exitCode, missing.stderr]).toEqual([3, expect.stringContaining('Did you mean "hi"?')]);
  const broken = await place.run("graph", "broken");
  expect([broken.exitCode, broken.stderr]).toEqual([6, expect.stringContaining("FLOW_")]);
  // Drawing makes no store.
  expect(existsSync(join(place.folder, ".stepwell"))).toBe(false);
});

describe("what is wrong with it", () => {
  let inside: Inside;
  const told = async (name: string, text: string): Promise<readonly [string, number | null, string]> => {
    inside = openInside({ environment: { STEPWELL_CONFIG: join(place.folder, name) } });
    write(name, text);
    try {
      return await refusalOf(inside, "list");
    } finally {
      inside.remove();
    }
  };

  test("is told by name, with what was meant", async () => {
    const [code, exitCode, sentence] = await told(
      "c.json",
      '{ "stor": "x.db", "tz": 3, "retention": { "ages": "1d" } }',
    );
    expect([code, exitCode]).toEqual(["INPUT_INVALID", 6]);
    expect(sentence).toContain('stor: is not known (did you mean "store"?)');
    expect(sentence).toContain("tz: expected text, got number 3");
    expect(sentence).toContain("retention.ages: is not known");
  });

  test("is told with its place when it cannot be read", async () => {
    expect((await told("c.json", '{ "store": }'))[2]).toMatch(/c\.json:1:\d+ /);
    expect((await told("c.yaml", "retention: { age: soon }"))[2]).toContain('"soon" is no length of time');
    expect((await told("c.yaml", "durability: slow"))[2]).toContain('durability: expected one of "full", "fast"');
  });

  test("does not keep help, version and schemas from working", async () => {
    write("c.json", "{");
    inside = openInside({ environment: { STEPWELL_CONFIG: join(place.folder, "c.json") } });
    for (const command of [["version"], ["help"], ["schema", "flow"], ["schema", "config"], ["completion", "bash"]])
      expect((await inside.call(...command)).exitCode).toBe(0);
    inside.remove();
  });

  test("is also that it is not there, or there twice", async () => {
    inside = openInside({ environment: { STEPWELL_CONFIG: join(place.folder, "none.json") } });
    expect((await refusalOf(inside, "list")).slice(0, 2)).toEqual(["FILE_NOT_FOUND", 3]);
    inside.remove();
    write("stepwell.config.json", "{}");
    write("stepwell.config.yaml", "{}");
    const { exitCode, stderr } = await place.run("list");
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining("stepwell.config.json and stepwell.config.yaml")]);
  });
});

test("the environment goes over the file, and flags over both", async () => {
  write("c.json", '{ "store": "file.db", "http_hosts": ["a.example"], "tz": "Asia/Tokyo" }');
  const environment = { STEPWELL_CONFIG: join(place.folder, "c.json"), STEPWELL_STORE: "", STEPWELL_TZ: "Mars/Base" };
  const inside = openInside({ environment });
  const utc = ["--tz", "UTC"];
  expect((await refusalOf(inside, "list", ...utc))[2]).toBe(`There is no store "${join(place.folder, "file.db")}".`);
  expect((await refusalOf(inside, "list", "--store", "flag.db", ...utc))[2]).toBe('There is no store "flag.db".');
  expect((await refusalOf(inside, "list"))[2]).toContain("Mars/Base");
  inside.remove();
  const named = openInside({ environment: { ...environment, STEPWELL_STORE: "environment.db" } });
  expect((await refusalOf(named, "list", ...utc))[2]).toBe('There is no store "environment.db".');
  named.remove();
  const slow = openInside({ environment: { STEPWELL_DURABILITY: "slow" } });
  expect(await refusalOf(slow, "list")).toEqual(["USAGE", 2, 'There is no durability "slow".']);
  slow.remove();
  const full = openInside({ environment: { STEPWELL_RETENTION_RUNS: "many" } });
  expect((await refusalOf(full, "tool", "call", "demo.echo"))[2]).toBe(
    'STEPWELL_RETENTION_RUNS is "many", which is not understood.',
  );
  full.remove();
});

test("stepwell schema config is a JSON Schema for editors", async () => {
  const inside = openInside();
  const { stdout } = await inside.call("schema", "config");
  const schema = await inside.json("schema", "config");
  expect(JSON.parse(stdout)).toEqual(schema);
  expect(Object.keys(Object(schema["properties"]))).toEqual(
    expect.arrayContaining([
      "store",
      "tools",
      "workflows",
      "files_folder",
      "http_hosts",
      "tz",
      "durability",
      "retention",
    ]),
  );
  expect((await refusalOf(inside, "schema", "confg"))[2]).toBe(
    'There is no command "schema confg". Did you mean "schema config"?',
  );
  inside.remove();
});
