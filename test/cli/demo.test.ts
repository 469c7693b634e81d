// What `stepwell demo` shows, and the files that it shows.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { flowsIn, readText, reportOf } from "../example-files.ts";
import { makePlace, type Place } from "./command.ts";

let place: Place;

beforeAll(() => {
  place = makePlace();
});

afterAll(async () => {
  await place.remove();
});

test("the demo runs on a real file, which others can read meanwhile, and ends by itself", async () => {
  const demo = place.start("demo");
  const [, store = "", query = ""] = await demo.said(/sqlite3 (\S+) '([^']+)'/);
  await demo.said(/"review" waits for a person/);
  using database = new DatabaseSync(join(place.folder, store), { readOnly: true });
  const rows = database.prepare(query).all();
  expect(rows).toContainEqual(expect.objectContaining({ name: "review", status: "pending" }));
  expect(rows).toContainEqual(expect.objectContaining({ name: "ask", tool: "demo.flaky", status: "done", attempt: 3 }));
  const { exitCode, stdout, stderr } = await demo.finished;
  expect([exitCode, stderr]).toEqual([0, ""]);
  // The plug was pulled while the second of three steps ran; it was tried again, and the first one was not.
  expect(stdout).toMatch(/Process \d+ was killed\. Run \d+ goes on in process \d+, from what is on disk/);
  const survived = database.prepare(
    "select name, status, attempt from workflow_steps where workflow_id = (select max(id) from workflows) order by id",
  );
  expect(survived.all()).toEqual([
    { name: "first", status: "done", attempt: 1 },
    { name: "long", status: "failed", attempt: 1 },
    { name: "long", status: "done", attempt: 1 },
    { name: "last", status: "done", attempt: 1 },
  ]);
  for (const name of ["hello", "flaky", "fan-out", "publish", "survivor"])
    expect(stdout).toMatch(new RegExp(`${name} \\d+ completed`));
  // What was written in YAML is JSON to whoever reads it there.
  const runs = database.prepare("select distinct status, json_type(flow_json) as flow from workflows");
  expect(runs.all()).toEqual([{ status: "completed", flow: "object" }]);
});

test.each(flowsIn("examples/flows"))("%s is valid, opens with a comment and fits on a screen", (path) => {
  expect(reportOf(path).findings).toEqual([]);
  expect(readText(path)).toMatch(/^# \S[^\n]*\nformat: stepwell\/v1\nname: \S/);
  expect(readText(path).trimEnd().split("\n").length).toBeLessThanOrEqual(30);
});
