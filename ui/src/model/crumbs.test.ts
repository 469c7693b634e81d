import { expect, test } from "vitest";
import { crumbsOf, workflowAt } from "./crumbs.ts";

const labels = (path: string, word: string | null = null): readonly string[] =>
  crumbsOf(path, word === null ? null : { path, word }).map(({ label }) => label);

test.each([
  ["/runs", "Runs", ["Runs"]],
  ["/runs/12", "digest 12", ["Runs", "digest 12"]],
  ["/library/my%20flow", "my flow", ["Library", "my flow"]],
  ["/library/my%20flow/edit", "my flow", ["Library", "my flow", "Edit"]],
  ["/docs/rest", "REST", ["Documentation", "REST"]],
  ["/new", "New workflow", ["Library", "New workflow"]],
  ["/nowhere/at/all", "There is nothing here", ["There is nothing here"]],
])("the way to %s begins at the place it belongs to", (path, word, expected) => {
  expect(labels(path, word)).toEqual(expected);
});

test("what the page before called itself is not the name of the next one", () => {
  const before = { path: "/runs/12", word: "digest 12" };
  expect(crumbsOf("/runs/13", before).map(({ label }) => label)).toEqual(["Runs", "13"]);
  expect(crumbsOf("/tools", before)).toEqual([]);
});

test("only the page that is shown leads nowhere", () => {
  expect(crumbsOf("/library/digest/edit", null).map(({ to }) => to)).toEqual([
    { kind: "place", path: "/library" },
    { kind: "workflow", name: "digest" },
    null,
  ]);
});

test("an address that cannot be read is shown as it is", () => {
  expect(labels("/library/%E0%A4%A")).toEqual(["Library", "%E0%A4%A"]);
});

test.each([
  ["/library/my%20flow", "my flow"],
  ["/library/my%20flow/edit", null],
  ["/library/%E0%A4%A", "%E0%A4%A"],
  ["/library", null],
  ["/runs/12", null],
])("the page %s shows the workflow %s", (path, name) => {
  expect(workflowAt(path)).toBe(name);
});
