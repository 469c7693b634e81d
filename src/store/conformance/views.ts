import {
  changedRow,
  changedRun,
  claim,
  createPen,
  endRun,
  finishRow,
  flow,
  makeRow,
  makeRun,
  newRow,
  newRun,
  atSharedPlace,
  type Group,
} from "./subject.ts";

/** What people read with any SQL client; the same on every store. */
export const views: readonly Group[] = [
  {
    name: "the public views",
    cases: [
      atSharedPlace("E0-01, E0-06: workflows shows a run with its whole graph", async (place, expect) => {
        const store = await place.open();
        const { write } = createPen(await claim(store));
        const run = makeRun(1_774_093_092_892, { input: { topic: "AI safety" } });
        await write({ at: 2000, flows: [flow], runs: [newRun(run)] });
        const shown = {
          id: 1_774_093_092_892,
          updated_at: 2000,
          name: "greet",
          flow_json: JSON.stringify(flow.source),
          input_json: '{"topic":"AI safety"}',
          status: "running",
          created_by: "ann",
          completed_at: null,
          cancelled_at: null,
        };
        expect(await place.query("select * from workflows")).toEqual([shown]);
        const cancelled = endRun(run, {
          status: "cancelled",
          terminalKind: "cancel",
          cancelledAt: 4000,
          completedAt: 4000,
        });
        await write({ at: 4000, runs: [changedRun(cancelled)] });
        expect(await place.query("select * from workflows")).toEqual([
          { ...shown, updated_at: 4000, status: "cancelled", completed_at: 4000, cancelled_at: 4000 },
        ]);
      }),

      atSharedPlace(
        "E0-02, E0-28: workflow_steps shows each attempt of a step with its result",
        async (place, expect) => {
          const store = await place.open();
          const { write } = createPen(await claim(store));
          const row = makeRow(11, { step: "start", name: "search", args: { q: "x" }, readyAt: 1000, startedAt: 1001 });
          const gate = makeRow(12, {
            step: "ask",
            name: "ask",
            tool: null,
            args: null,
            status: "pending",
            readyAt: null,
          });
          await write({
            at: 2000,
            flows: [flow],
            runs: [newRun(makeRun(10))],
            rows: [newRow(10, row), newRow(10, gate)],
          });
          await write({ at: 3000, rows: [changedRow(10, finishRow(row, { result: "Hello!" }), row)] });
          expect(await place.query("select * from workflow_steps order by id")).toEqual([
            {
              id: 11,
              updated_at: 3000,
              workflow_id: 10,
              name: "search",
              tool: "log",
              args_json: '{"q":"x"}',
              result_json: '"Hello!"',
              status: "done",
              attempt: 1,
              ready_at: 1000,
              started_at: 1001,
              completed_at: 3000,
            },
            {
              id: 12,
              updated_at: 2000,
              workflow_id: 10,
              name: "ask",
              tool: null,
              args_json: "{}",
              result_json: null,
              status: "pending",
              attempt: 1,
              ready_at: null,
              started_at: null,
              completed_at: null,
            },
          ]);
        },
      ),

      atSharedPlace("E0-29: workflow_steps shows why a step failed", async (place, expect) => {
        const store = await place.open();
        const { write } = createPen(await claim(store));
        const row = makeRow(11);
        const failed = finishRow(row, {
          status: "failed",
          result: null,
          error: { code: "boom", message: "It broke." },
        });
        await write({ runs: [newRun(makeRun(10))], rows: [newRow(10, row)] });
        await write({ rows: [changedRow(10, failed, row)] });
        const [shown] = await place.query("select status, result_json from workflow_steps");
        expect(shown?.["status"]).toBe("failed");
        expect(JSON.parse(String(shown?.["result_json"]))).toEqual({ code: "boom", message: "It broke." });
      }),

      atSharedPlace("show results however long they are", async (place, expect) => {
        const store = await place.open();
        const { write } = createPen(await claim(store));
        const long = "x".repeat(200_000);
        const row = makeRow(11, { args: { long } });
        await write({ runs: [newRun(makeRun(10))], rows: [newRow(10, row)] });
        await write({ rows: [changedRow(10, finishRow(row, { result: long }), row)] });
        expect(await place.query("select args_json, result_json from workflow_steps")).toEqual([
          { args_json: JSON.stringify({ long }), result_json: JSON.stringify(long) },
        ]);
      }),

      atSharedPlace(
        "E3-03: workflow_templates shows saved workflows in their newest version",
        async (place, expect) => {
          const store = await place.open();
          const { write } = createPen(await claim(store));
          expect(await place.query("select * from workflow_templates")).toEqual([]);
          const value = {
            id: 17,
            no: 2,
            hash: flow.hash,
            isEnabled: true,
            description: "Greets",
            input: { to: "Ann" },
            createdBy: "ann",
            deletedAt: null,
          };
          const entry = { kind: "workflow", key: "greet", version: 1, updatedAt: 2000, value };
          const older = { ...entry, kind: "workflow_version", key: "greet@1", value: { hash: "of another flow" } };
          await write({ at: 2000, flows: [flow], entries: [entry, older] });
          const shown = {
            id: 17,
            updated_at: 2000,
            name: "greet",
            flow_json: JSON.stringify(flow.source),
            input_json: '{"to":"Ann"}',
            description: "Greets",
            created_by: "ann",
            cancelled_at: null,
          };
          expect(await place.query("select * from workflow_templates")).toEqual([shown]);
          const deleted = { ...value, input: null, description: null, deletedAt: 3000 };
          await write({ at: 3000, entries: [{ ...entry, version: 2, updatedAt: 3000, value: deleted }] });
          expect(await place.query("select * from workflow_templates")).toEqual([
            { ...shown, updated_at: 3000, input_json: "null", description: null, cancelled_at: 3000 },
          ]);
        },
      ),
    ],
  },
];
