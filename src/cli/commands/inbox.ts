// `stepwell inbox`: what waits for a person, and what to type.

import { showAnswer } from "../../server/waiting.ts";
import { defineCommand, type Command } from "../command.ts";
import { drawInbox } from "../drawn-inbox.ts";
import { toInboxLine } from "../inbox-line.ts";
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
    const documents = await view.collectInbox(limit);
    const found = documents.map(toInboxLine);
    const now = Date.now();
    const suffix = storeFlag(call);
    out.tell({
      document: documents.map(({ actions: _actions, ...document }, at) => {
        const answers = found[at]?.item.answers ?? [];
        return { ...document, commands: answers.map((answer) => `stepwell ${showAnswer(answer)}${suffix}`) };
      }),
      ids: found.map(({ run, item }) => item.row?.id ?? run.id),
      lines: (look) => drawInbox(found, { now, suffix }, look),
    });
    if (found.length === 0 && !out.isJson) out.say("Nothing waits for a person.");
    if (found.length === limit && !out.isJson) out.say("There may be more: --limit N");
    return 0;
  },
});
