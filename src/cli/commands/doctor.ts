// `stepwell doctor`: is everything as it should be? Changes nothing.

import { existsSync } from "node:fs";
import { errorCodes } from "../../error.ts";
import type { Examined } from "../../store/sqlite/examine.ts";
import { defineCommand, type Command } from "../command.ts";
import { signStyle, signText, type Sign } from "../sign.ts";
import { drawTable } from "../table.ts";
import type { Look } from "../terminal.ts";
import { storeOf } from "../view.ts";
import { readVersion } from "./version.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  details: "Exit code 5 when the store cannot be used, 3 when one was named that is not there.",
  examples: ["doctor", "doctor --json"],
  async act(call) {
    const { values, out } = call;
    const store = storeOf(call);
    const isThere = existsSync(store);
    const { examineFile } = await import("../../store/sqlite/examine.ts");
    const found: readonly Examined[] = [
      { name: "program", state: "ok", message: `stepwell ${readVersion()}` },
      { name: "node", state: "ok", message: process.versions.node },
      isThere
        ? { name: "store", state: "ok", message: store }
        : {
            name: "store",
            state: values.store === undefined ? "warning" : "failed",
            message: `there is no ${store}; stepwell run makes one`,
          },
      ...(isThere ? examineFile(store, Date.now()) : []),
    ];
    out.tell({
      document: [...found],
      ids: found.filter(({ state }) => state !== "ok").map(({ name }) => name),
      lines: (look) => drawExamined(found, look),
    });
    if (!isThere && values.store !== undefined) return errorCodes.FILE_NOT_FOUND.exitCode;
    return found.some(({ state }) => state === "failed") ? errorCodes.STORE_UNREADABLE.exitCode : 0;
  },
});

const signs: Readonly<Record<Examined["state"], Sign>> = { ok: "done", warning: "unknown", failed: "failed" };

function drawExamined(found: readonly Examined[], look: Look): readonly string[] {
  const rows = found.map(({ name, state, message }) => {
    const sign = signs[state];
    return [{ text: `${signText(sign, look.isUnicode)} ${name}`, style: signStyle(sign) }, { text: message }];
  });
  return drawTable({ headings: ["CHECK", ""], rows }, look);
}
