// `stepwell restore`: puts a copy in the place of the store; the old one is kept beside it.

import { existsSync } from "node:fs";
import { StepwellError } from "../../error.ts";
import { confirm } from "../ask.ts";
import { showBytes } from "../bytes.ts";
import { defineCommand, type Command } from "../command.ts";
import { refuseServer } from "../server-copies.ts";
import { refuseUrl } from "../server-place.ts";
import { storeOf } from "../view.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<file>", completes: "file" }],
  flags: {},
  details:
    "The copy is checked first. Nobody may own the store meanwhile. Runs go on from where they were in the copy.",
  isNobodys: true,
  isLocal: true,
  examples: ["restore stepwell-monday.db --yes"],
  async act(call) {
    const { operands, out, usage } = call;
    const [source] = operands;
    if (source === undefined) throw new StepwellError("USAGE", "Say which copy.", { hint: usage });
    refuseUrl(call, "restore");
    refuseServer(storeOf(call), "restore");
    if (!existsSync(source))
      throw new StepwellError("FILE_NOT_FOUND", `There is no file "${source}".`, { hint: usage });
    const store = storeOf(call);
    const { examineCopy, restoreFile } = await import("../../store/sqlite/backup.ts");
    const { bytes } = examineCopy(source);
    const question = `Put ${source} (${showBytes(bytes)}) in the place of ${store}?`;
    if (existsSync(store) && !(await confirm(question, call))) {
      out.say("Nothing was changed.");
      return 0;
    }
    const restored = restoreFile(source, store, Date.now());
    const { path, version, kept } = restored;
    out.tell({ document: { path, bytes: restored.bytes, version, kept }, ids: [path], lines: () => [path] });
    if (kept !== null) out.say(`What was there before is ${kept}.`);
    return 0;
  },
});
