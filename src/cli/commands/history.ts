// `stepwell history`: a run's story, folded from its rows and events.

import { defineCommand, type Command } from "../command.ts";
import { drawHistory } from "../drawn-history.ts";
import { toHistoryDocument } from "../../server/document/run.ts";
import { readRunId, selectRun } from "../select.ts";
import { createTimeFormat } from "../time.ts";
import { openView } from "../open-view.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<run>", completes: "run" }],
  flags: {},
  examples: ["history 1774093092891", "history 1774093092891 --jsonl"],
  async act(call) {
    const { values, out } = call;
    const text = readRunId(call);
    const format = createTimeFormat(values.tz);
    await using view = await openView(call);
    const run = await selectRun(view, text, call);
    const { rows } = await view.read(run);
    const entries = await view.historyOf(run);
    out.tell({
      document: entries.map(toHistoryDocument),
      ids: [run],
      lines: (look) => drawHistory(entries, { rows, format }, look),
    });
    return 0;
  },
});
