// `stepwell workflow versions`: newest first.

import { nameOf, workflowOperand } from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";
import { openReader } from "../reading-window.ts";
import { drawTable } from "../table.ts";
import { createTimeFormat } from "../time.ts";
import { toVersionDocument } from "../../server/document/workflow.ts";

/** As much of a hash as people compare. */
const hashLength = 12;

export const command: Command = defineCommand({
  operands: [workflowOperand],
  flags: {},
  examples: ["workflow versions digest"],
  async act(call) {
    const { out, values } = call;
    const name = nameOf(call);
    const format = createTimeFormat(values.tz);
    await using reader = await openReader(call);
    const versions = await (await reader.workflows()).versions(name);
    out.tell({
      document: versions.map(toVersionDocument),
      ids: versions.map(({ version }) => version),
      lines: (look) => {
        const rows = versions.map(({ version, hash, at, by, isEnabled, note }) =>
          [String(version), hash.slice(0, hashLength), format(at), by, isEnabled ? "" : "disabled", note ?? ""].map(
            (text) => ({ text }),
          ),
        );
        return drawTable({ headings: ["VERSION", "HASH", "SAVED", "BY", "STATE", "NOTE"], rows }, look);
      },
    });
    return 0;
  },
});
