// `stepwell cancel`: cancels runs, or says what that would do.

import type { JsonObject } from "../../flow/json.ts";
import { isArray, isObject, own, type Json } from "../../flow/json.ts";
import { actOnRuns, selectRuns } from "../act-on-runs.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { openSession } from "../session.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<run …>", completes: "run", isRepeated: true }],
  flags: {
    preview: { about: "say what would be cut off and undone, and do nothing" },
    reason: { value: "TEXT", about: "why; kept with the run" },
  },
  examples: ["cancel 1774093092891 --reason 'wrong order'", "cancel 1774093092891 --preview"],
  act(call) {
    const { preview, reason } = call.values;
    if (preview) return tellPreview(call);
    return actOnRuns(call, {
      act: ({ engine, user }, run) => engine.cancel(run, { by: user, ...(reason === undefined ? {} : { reason }) }),
      done: "cancelled",
    });
  },
});

async function tellPreview(call: Call): Promise<number> {
  const runs = await selectRuns(call);
  await using session = await openSession(call);
  const documents: JsonObject[] = [];
  for (const run of runs) documents.push(toDocument(run, await session.engine.preview(run)));
  call.out.tell({ document: documents, ids: runs, lines: () => documents.flatMap(drawPreview) });
  return 0;
}

function toDocument(id: number, preview: Json): JsonObject {
  const rows = (key: string): readonly Json[] => listIn(preview, key).map(toRow);
  const field = (key: string): Json => (isObject(preview) ? (own(preview, key) ?? null) : null);
  return {
    id,
    allowed: field("allowed"),
    reason: field("reason"),
    message: field("message"),
    transition: field("transition"),
    aborted: rows("aborted"),
    cleanup: listIn(preview, "cleanup"),
    undone: rows("undone"),
  };
}

function toRow(row: Json): Json {
  if (!isObject(row)) return row;
  const { row: id = null, step = null, name = null, mayHaveHappened = null } = row;
  return { step_id: id, step, name, may_have_happened: mayHaveHappened };
}

function drawPreview(document: JsonObject): readonly string[] {
  if (document["allowed"] !== true) {
    return [`run ${textOf(document["id"])} may not be cancelled now: ${textOf(document["message"])}`];
  }
  const names = (key: string): string =>
    listIn(document, key)
      .map((row) => textOf(isObject(row) ? own(row, "name") : row))
      .join(", ") || "nothing";
  return [
    `run ${textOf(document["id"])}`,
    ...(document["transition"] === null ? [] : [`  fires     ${textOf(document["transition"])}`]),
    `  cuts off  ${names("aborted")}`,
    `  cleans up ${names("cleanup")}`,
    `  undoes    ${names("undone")}`,
  ];
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function listIn(value: Json, key: string): readonly Json[] {
  const list = isObject(value) ? own(value, key) : undefined;
  return list !== undefined && isArray(list) ? list : [];
}
