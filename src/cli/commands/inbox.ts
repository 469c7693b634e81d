// `stepwell inbox`: what waits for a person, and what to type.

import type { JsonObject } from "../../flow/json.ts";
import { defineCommand, type Command } from "../command.ts";
import { drawInbox, type InboxLine } from "../drawn-inbox.ts";
import { readLimit } from "../list-runs.ts";
import { readRowsOf } from "../read-rows.ts";
import { openView, storeFlag, type View } from "../view.ts";
import { listWaiting } from "../waiting.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: { limit: { value: "N", about: "so many at most; 50 unless given" } },
  examples: ["inbox", "inbox --json"],
  async act(call) {
    const { values, out } = call;
    const limit = readLimit(values.limit);
    await using view = await openView(call);
    const found = await collect(view, limit);
    const now = Date.now();
    const suffix = storeFlag(call);
    out.tell({
      document: found.map((line) => toDocument(line, suffix)),
      ids: found.map(({ run, item }) => item.row?.id ?? run.id),
      lines: (look) => drawInbox(found, { now, suffix }, look),
    });
    if (found.length === 0 && !out.isJson) out.say("Nothing waits for a person.");
    if (found.length === limit && !out.isJson) out.say("There may be more: --limit N");
    return 0;
  },
});

/** Live runs are looked at by so many at a time. */
const pageMax = 200;

async function collect(view: View, limit: number): Promise<readonly InboxLine[]> {
  const found: InboxLine[] = [];
  let before: number | undefined;
  while (found.length < limit) {
    const page = await view.list({ status: "live", limitMax: pageMax, ...(before === undefined ? {} : { before }) });
    const rows = await readRowsOf(
      view.store,
      page.map(({ run }) => run.id),
    );
    for (const { run, flow } of page) {
      const items = listWaiting(run, rows.get(run.id) ?? [], await view.planOf(flow));
      found.push(...items.map((item) => ({ run, item })));
    }
    before = page.at(-1)?.run.id;
    if (page.length < pageMax) break;
  }
  return found.slice(0, limit);
}

function toDocument({ run, item: { kind, row, since, title, answers } }: InboxLine, suffix: string): JsonObject {
  return {
    kind,
    workflow_id: run.id,
    workflow: run.name,
    step_id: row?.id ?? null,
    step: row?.name ?? null,
    title,
    message: row?.gate?.message ?? null,
    hash: row?.gate?.hash ?? null,
    created_by: run.createdBy,
    since,
    commands: answers.map((answer) => `stepwell ${answer}${suffix}`),
  };
}
