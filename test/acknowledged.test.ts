import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { forkFlow } from "../bench/flows.ts";
import { openEngine } from "../src/open-engine.ts";

test("a result is told only when it is on disk, also when the branches end in different batches", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-acknowledged-"));
  const file = join(folder, "stepwell.db");
  try {
    // Branches answer one after the other, so that one batch is written while the next is decided.
    const work = async (input: unknown): Promise<null> => {
      await sleep((input as { readonly i: number }).i);
      return null;
    };
    await using engine = await openEngine({ store: file, tools: { work } });
    using database = new DatabaseSync(file, { readOnly: true });
    const findStatus = database.prepare("select status from runs where id = ?");
    const flow = forkFlow(4);
    const complete = async (): Promise<unknown> => {
      const { id } = await engine.start(flow);
      await engine.result(id);
      return findStatus.get(id)?.["status"];
    };
    const onDisk = await Promise.all(Array.from({ length: 200 }, complete));
    expect(new Set(onDisk)).toEqual(new Set(["completed"]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
