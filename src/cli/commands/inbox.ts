// `stepwell inbox`: what waits for a person, and what to type.

import { toInboxDocument } from "../../server/inbox.ts";
import { showAnswer } from "../../server/waiting.ts";
import { defineCommand, type Command } from "../command.ts";
import { drawInbox } from "../drawn-inbox.ts";
import { readLimit } from "../list-runs.ts";
import { openView } from "../open-view.ts";
import { storeFlag } from "../view.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: { limit: { value: "N", about: "so many at most; 50 unless given" } },
  examples: ["inbox", "inbox --json"],
  async act(call) {
    const { values, out } = call;
    const limit = readLimit(values.limit);
    await using view = await openView(call);
    const found = await view.collectInbox(limit);
    const now = Date.now();
    const suffix = storeFlag(call);
    out.tell({
      document: found.map((line) => ({
        ...toInboxDocument(line),
        commands: line.item.answers.map((answer) => `stepwell ${showAnswer(answer)}${suffix}`),
      })),
      ids: found.map(({ run, item }) => item.row?.id ?? run.id),
      lines: (look) => drawInbox(found, { now, suffix }, look),
    });
    if (found.length === 0 && !out.isJson) out.say("Nothing waits for a person.");
    if (found.length === limit && !out.isJson) out.say("There may be more: --limit N");
    return 0;
  },
});
