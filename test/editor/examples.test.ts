// The example flows, as an editor sees them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { flowSchema } from "../../src/flow/schema/editor.ts";
import { jsonEditor, yamlEditor } from "./editors.ts";

const folder = join(import.meta.dirname, "..", "..", "examples");

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(json|yaml)$/.test(name) && !name.endsWith(".test.yaml"))
  .toSorted()
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

/** The bare map and the export of AlexClaw have no schema for editors. */
const wrapped = files.filter(({ text }) => /^[ {]*"?(steps|states)"?:/m.test(text) && !text.includes('"workflow"'));

describe("every wrapped example", () => {
  const check = new Ajv({ strict: false }).compile(flowSchema());
  const editors = { json: jsonEditor(flowSchema()), yaml: yamlEditor(flowSchema()) };

  test("is found", () => {
    expect(wrapped.length).toBeGreaterThan(10);
  });

  test.each(wrapped)("$name is right by the schema, and nothing in it is underlined", async ({ name, text }) => {
    check(parse(text));
    expect(check.errors ?? []).toEqual([]);
    expect(await editors[name.endsWith(".json") ? "json" : "yaml"].diagnose(text)).toEqual([]);
  });
});
