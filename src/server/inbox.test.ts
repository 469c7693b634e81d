import { expect, test } from "vitest";
import type { Brief, WaitQuery } from "../store/brief.ts";
import { makeRow, makeRun } from "../store/conformance/subject.ts";
import type { RunSearch } from "../store/search.ts";
import type { StoredRun } from "../store/store.ts";
import { startKernel } from "../testing/kernel.ts";
import { collectInbox, readRowsOf, type InboxPlace, type InboxSource, type InboxWish } from "./inbox.ts";

test("rows of many runs are asked for together, though never more than sixteen at once, and each once", async () => {
  let under = 0;
  let most = 0;
  const asked: number[] = [];
  const listRows = async (run: number): Promise<readonly never[]> => {
    asked.push(run);
    under += 1;
    most = Math.max(most, under);
    await Promise.resolve();
    under -= 1;
    return [];
  };
  const runs = Array.from({ length: 200 }, (_, index) => index);
  const rows = await readRowsOf({ listRows }, [...runs, 7, 7]);
  expect([most, asked, [...rows.keys()].toSorted((one, other) => one - other)]).toEqual([16, runs, runs]);
  expect(await readRowsOf({ listRows }, [])).toEqual(new Map());
});

test("what one of them fails with is told", async () => {
  const listRows = (run: number): Promise<readonly never[]> =>
    run === 5 ? Promise.reject(new Error("gone")) : Promise.resolve([]);
  await expect(readRowsOf({ listRows }, [1, 5, 9])).rejects.toThrow("gone");
});

/** Runs in which so many gates are open, each. */
function createSource(counts: readonly number[]): InboxSource {
  const runs = counts.map((_, at): StoredRun => {
    const attention = { code: "poison", row: null, value: "too large" } as const;
    const run = makeRun((at + 1) * 10_000, at === 0 ? { attention } : {});
    return { run, flow: "f", updatedAt: 1, startKey: null };
  });
  const gate = { title: "Go?", message: null, hash: "h", reminders: 0, answers: [] };
  const briefOf = (id: number): Brief => {
    const {
      args: _args,
      result: _result,
      ended: _ended,
      ...row
    } = makeRow(id, { status: "pending", token: null, gate });
    return { row, argsBytes: null, resultBytes: null, lastBytes: 0 };
  };
  const rowsOf = (run: number, { after = 0, limitMax }: WaitQuery): readonly Brief[] => {
    const ids = Array.from({ length: counts[run / 10_000 - 1] ?? 0 }, (_, at) => run + at + 1);
    return ids
      .filter((id) => id > after)
      .slice(0, limitMax)
      .map(briefOf);
  };
  return {
    search: async ({ before = Infinity, limitMax }: RunSearch) => {
      const found = runs.toReversed().filter(({ run }) => run.id < before);
      const page = found.slice(0, Math.min(2, limitMax));
      return { runs: page, next: found.length > page.length ? (page.at(-1)?.run.id ?? null) : null };
    },
    listWaits: async (query) =>
      new Map(query.runs.map((run) => [run, rowsOf(run, query)] as const).filter(([, rows]) => rows.length > 0)),
    planOf: () => Promise.reject(new Error("It cannot be read.")),
  };
}

test("what rests in a state is left out before the limit counts, and nobody compiles its flow", async () => {
  const kernel = startKernel({
    states: { open: { initial: true }, closed: { terminal: "success" } },
    transitions: [{ name: "close", from: "open", to: "closed" }],
  });
  const { plan } = kernel;
  const resting = kernel.row("open");
  const source = createSource([2, 0, 0, 0]);
  let compiled = 0;
  const machines: InboxSource = {
    ...source,
    listWaits: async (query) => {
      const found = new Map(await source.listWaits(query));
      for (const run of query.runs.filter((id) => id > 10_000))
        found.set(run, [{ row: { ...resting, id: run + 1 }, argsBytes: null, resultBytes: null, lastBytes: 0 }]);
      return found;
    },
    planOf: async () => {
      compiled += 1;
      return plan;
    },
  };
  const told = async (wish: InboxWish): Promise<readonly string[]> =>
    (await collectInbox(machines, wish, async ({ item }) => item.kind)).items;
  expect(await told({ limitMax: 3 })).toEqual(["state", "state", "state"]);
  compiled = 0;
  expect(await told({ limitMax: 3, hasStates: false })).toEqual(["poison", "gate", "gate"]);
  expect(compiled).toBe(0);
});

test.each([1, 7, 200, 450, 10_000])(
  "pages of %i have everything once and in order, however many wait in one run",
  async (limitMax) => {
    const source = createSource([450, 0, 3, 200, 1]);
    const told: string[] = [];
    let behind: InboxPlace | null | undefined;
    while (behind !== null) {
      const page = await collectInbox(
        source,
        behind === undefined ? { limitMax } : { limitMax, behind },
        async (line) => {
          return `${line.run.id}:${line.item.row?.id ?? "run"}`;
        },
      );
      expect(page.items.length).toBeLessThanOrEqual(limitMax);
      told.push(...page.items);
      behind = page.next;
    }
    const ofRun = (run: number, count: number): readonly string[] =>
      Array.from({ length: count }, (_, at) => `${run}:${run + at + 1}`);
    expect(told).toEqual([
      ...ofRun(50_000, 1),
      ...ofRun(40_000, 200),
      ...ofRun(30_000, 3),
      "10000:run",
      ...ofRun(10_000, 450),
    ]);
  },
);
