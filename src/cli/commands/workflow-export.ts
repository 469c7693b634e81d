// `stepwell workflow export`: one file that stands for itself, on stdout unless a file is named.

import { existsSync, writeFileSync } from "node:fs";
import { StepwellError } from "../../error.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import { confirm } from "../ask.ts";
import { nameOf, workflowOperand } from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";
import { readFlowFile } from "../flow-file.ts";
import { toPlainLines } from "../plain-lines.ts";
import { openSession } from "../session.ts";
import { refuseMissing } from "../view.ts";

export const command: Command = defineCommand({
  operands: [workflowOperand, { name: "[file]", completes: "file" }],
  flags: {
    tests: { value: "FILE", about: "a test file that goes along", isRepeated: true, completes: "file" },
  },
  details:
    "With the workflows that it starts, resources, schemas of tools, and names of secrets; without ids, times and values of secrets. NAME@3 is one version.",
  examples: ["workflow export digest digest.json", "workflow export digest@3 --tests digest.test.yaml > digest.json"],
  async act(call) {
    const { operands, values, out, surroundings, usage } = call;
    const name = nameOf(call);
    const [, file] = operands;
    const tests = await Promise.all(values.tests.map((path) => readTests(path, usage)));
    await refuseMissing(call);
    if (file !== undefined && existsSync(file) && !(await confirm(`There is a file "${file}". Replace it?`, call))) {
      out.say("Nothing was exported.");
      return 0;
    }
    await using session = await openSession(call);
    const text = await session.engine.workflows.exportText(name, { tests });
    const document = JSON.parse(text) as JsonObject;
    for (const place of await findPlain(document)) out.say(`warning: what stands at ${place} looks like a secret`);
    if (file === undefined) {
      const shown = text.trimEnd();
      // A file gets it as it is; a terminal must not be steered by what somebody has saved.
      const lines = (): readonly string[] => (surroundings.stdout.isTTY === true ? toPlainLines(shown) : [shown]);
      out.tell({ document, ids: [name], lines });
      return 0;
    }
    write(file, text);
    out.tell({ document: { name, file, bytes: Buffer.byteLength(text) }, ids: [file], lines: () => [file] });
    out.say(`exported: ${name}`);
    return 0;
  },
});

async function readTests(path: string, usage: string): Promise<Json> {
  const { readText } = await import("../../flow/source/read.ts");
  const { value, findings } = readText(readFlowFile(path, usage));
  if (value !== undefined) return value;
  throw new StepwellError("FLOW_UNREADABLE", `"${path}" cannot be read: ${findings[0]?.message ?? "it is empty."}`);
}

/** Whoever gets the file can read them. */
async function findPlain({
  workflow = null,
  workflows = null,
  resources = null,
}: JsonObject): Promise<readonly string[]> {
  const { findPlainSecrets } = await import("../../engine/sharing/needs.ts");
  return findPlainSecrets({ workflow, workflows, resources });
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new StepwellError("FILE_NOT_FOUND", `"${file}" cannot be written: ${told}`, { cause: error });
  }
}
