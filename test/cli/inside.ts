// The command line inside the test's own process, on a store of its own: as many calls as one likes in no time.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../src/cli/command-line.ts";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import { showAddress } from "../../src/store/address.ts";
import { addressFor, leaveAddress, newAddressFor } from "../../src/testing/store-place.ts";
import type { Finished } from "./command.ts";

export type Inside = {
  readonly folder: string;
  readonly store: string;
  /** As it is shown: without a password. */
  readonly storeName: string;
  readonly call: (...args: readonly string[]) => Promise<Finished>;
  /** The one document that `--json` prints; fails when there is anything else. */
  readonly json: (...args: readonly string[]) => Promise<JsonObject>;
  readonly list: (...args: readonly string[]) => Promise<readonly JsonObject[]>;
  readonly write: (name: string, text: string) => string;
  readonly remove: () => void;
};

export type InsideWish = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isColour?: boolean;
  /** There is no store yet; otherwise, on a server, there may be one with nothing in it. */
  readonly isWithoutStore?: boolean;
};

export function openInside(wish: InsideWish = {}): Inside {
  const { environment = {}, isColour = false, isWithoutStore = false } = wish;
  const folder = mkdtempSync(join(tmpdir(), "stepwell-cli-"));
  const ownPath = join(folder, "stepwell.db");
  const store = isWithoutStore ? newAddressFor(ownPath) : addressFor(ownPath);
  const colour: Record<string, string> = isColour ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" };
  const call = async (...args: readonly string[]): Promise<Finished> => {
    const written = { stdout: "", stderr: "" };
    const stream = (name: "stdout" | "stderr") => ({
      columns: 100,
      rows: 50,
      write: (text: string | Uint8Array): boolean => {
        written[name] += String(text);
        return true;
      },
    });
    const exitCode = await runCommandLine(args, {
      stdout: stream("stdout"),
      stderr: stream("stderr"),
      environment: { LANG: "C.UTF-8", STEPWELL_STORE: store, ...colour, ...environment },
      canAsk: false,
    });
    return { exitCode, ...written };
  };
  const parse = async (args: readonly string[]): Promise<unknown> => JSON.parse((await call(...args, "--json")).stdout);
  return {
    folder,
    store,
    storeName: showAddress(store),
    call,
    json: async (...args) => (await parse(args)) as JsonObject,
    list: async (...args) => (await parse(args)) as readonly JsonObject[],
    write: (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    remove: () => {
      leaveAddress(store);
      rmSync(folder, { recursive: true });
    },
  };
}

/** A value of a document as a word of the next command. */
export function wordOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What one wrong use is answered with: the code, the exit code, and the sentence. */
export async function refusalOf(
  inside: Inside,
  ...args: readonly string[]
): Promise<readonly [string, number | null, string]> {
  const { exitCode, stdout, stderr } = await inside.call(...args);
  const [, sentence = "", code = ""] = /^error: (.*) \(([A-Z_]+)\)$/m.exec(stderr) ?? [];
  return stdout === "" ? [code, exitCode, sentence] : ["", exitCode, stdout];
}
