// `stepwell doctor`: is everything as it should be? Changes nothing.

import { existsSync } from "node:fs";
import { errorCodes } from "../../error.ts";
import { parseServerUrl } from "../../remote/address.ts";
import { isServerAddress } from "../../store/address.ts";
import type { Examined } from "../../store/examined.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import type { Output } from "../output.ts";
import { tokenOf, urlOf } from "../server-place.ts";
import { signStyle, signText, type Sign } from "../sign.ts";
import { drawTable } from "../table.ts";
import type { Look } from "../terminal.ts";
import { storeOf } from "../view.ts";
import { readVersion } from "../../server/version.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  isNobodys: true,
  details: "Exit code 5 when the store or the service cannot be used, 3 when a file was named that is not there.",
  examples: ["doctor", "doctor --json", "doctor --url http://localhost:7700"],
  async act(call) {
    const { values, out } = call;
    const url = urlOf(call);
    if (url !== undefined) return tellService(call, parseServerUrl(url).url);
    const store = storeOf(call);
    const isMissing = !isServerAddress(store) && !existsSync(store);
    const found: readonly Examined[] = [
      { name: "program", state: "ok", message: `stepwell ${readVersion()}` },
      { name: "node", state: "ok", message: process.versions.node },
      ...(isMissing ? [describeMissing(store, values.store !== undefined)] : await examineStore(store)),
    ];
    tellExamined(found, out);
    if (isMissing && values.store !== undefined) return errorCodes.FILE_NOT_FOUND.exitCode;
    return found.some(({ state }) => state === "failed") ? errorCodes.STORE_UNREADABLE.exitCode : 0;
  },
});

async function tellService(call: Call, url: string): Promise<number> {
  const { out } = call;
  const { examineService } = await import("../examine-service.ts");
  const token = tokenOf(call);
  const found = await examineService({ url, token, version: readVersion(), now: Date.now });
  tellExamined(found, out);
  return found.some(({ state }) => state === "failed") ? errorCodes.NO_ANSWER.exitCode : 0;
}

function tellExamined(found: readonly Examined[], out: Output): void {
  out.tell({
    document: [...found],
    ids: found.filter(({ state }) => state !== "ok").map(({ name }) => name),
    lines: (look) => drawExamined(found, look),
  });
}

/** One that nobody named need not be there. */
function describeMissing(store: string, isNamed: boolean): Examined {
  const message = `there is no ${store}; stepwell run makes one`;
  return { name: "store", state: isNamed ? "failed" : "warning", message };
}

async function examineStore(store: string): Promise<readonly Examined[]> {
  const now = Date.now();
  if (isServerAddress(store)) {
    const { examineServer } = await import("../../store/postgres/examine.ts");
    return examineServer(store, now);
  }
  const { examineFile } = await import("../../store/sqlite/examine.ts");
  return [{ name: "store", state: "ok", message: store }, ...examineFile(store, now)];
}

const signs: Readonly<Record<Examined["state"], Sign>> = { ok: "done", warning: "unknown", failed: "failed" };

function drawExamined(found: readonly Examined[], look: Look): readonly string[] {
  const rows = found.map(({ name, state, message }) => {
    const sign = signs[state];
    return [{ text: `${signText(sign, look.isUnicode)} ${name}`, style: signStyle(sign) }, { text: message }];
  });
  return drawTable({ headings: ["CHECK", ""], rows }, look);
}
