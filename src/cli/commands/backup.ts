// `stepwell backup`: a copy of the store, made while others use it.

import { StepwellError } from "../../error.ts";
import { defineCommand, type Command } from "../command.ts";
import { showBytes } from "../bytes.ts";
import { refuseServer } from "../server-copies.ts";
import { refuseUrl } from "../server-place.ts";
import { refuseMissing, storeOf } from "../view.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<file>", completes: "file" }],
  flags: {},
  details: "The copy is whole as of one instant, and checked. A file that is there is never overwritten.",
  isNobodys: true,
  isLocal: true,
  examples: ["backup stepwell-monday.db"],
  async act(call) {
    const { operands, out, usage } = call;
    const [target] = operands;
    if (target === undefined) throw new StepwellError("USAGE", "Say where the copy goes.", { hint: usage });
    refuseUrl(call, "backup");
    refuseServer(storeOf(call), "backup");
    const store = await refuseMissing(call);
    const { backUpFile } = await import("../../store/sqlite/backup.ts");
    const { path, bytes, version } = backUpFile(store, target);
    out.tell({ document: { path, bytes, version }, ids: [path], lines: () => [path] });
    out.say(`${store} is copied: ${showBytes(bytes)}. Secrets need their key, which is not in it.`);
    return 0;
  },
});
