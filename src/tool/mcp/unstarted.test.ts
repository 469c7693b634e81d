import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sayUnstarted } from "./unstarted.ts";

const missing = Object.assign(new Error("spawn ./s3cret ENOENT"), {
  code: "ENOENT",
});
const here = tmpdir();
const nowhere = join(here, "there-is-no-such-folder");
const asIs = (text: string): string => text;

test.each([
  { command: "/nowhere/s3cret", cwd: here, said: " (ENOENT)" },
  {
    command: "./s3cret",
    cwd: here,
    said: ` (ENOENT): it was looked for from the folder ${here}`,
  },
  {
    command: "bin/s3cret",
    cwd: null,
    said: ` (ENOENT): it was looked for from the folder ${process.cwd()}`,
  },
  {
    command: "s3cret",
    cwd: here,
    said: ` (ENOENT): no folder of PATH has it, and it would run in ${here}`,
  },
  {
    command: "/bin/sh",
    cwd: nowhere,
    said: ` (ENOENT): the folder ${nowhere}, in which it is to run, is not there`,
  },
])("a program $command that is not found in $cwd says where it was looked for, and not its name", (given) => {
  expect(sayUnstarted(missing, given, asIs)).toBe(given.said);
});

test("what was filled into the folder stays hidden, and other problems name none", () => {
  const target = { command: "./run", cwd: here };
  expect(sayUnstarted(missing, target, () => "***")).toBe(" (ENOENT): it was looked for from the folder ***");
  expect(sayUnstarted(Object.assign(new Error("no"), { code: "EACCES" }), target, asIs)).toBe(" (EACCES)");
  expect(sayUnstarted("no", target, asIs)).toBe("");
});
