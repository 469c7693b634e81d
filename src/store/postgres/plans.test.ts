import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostgresPlace, type PostgresPlace } from "../../testing/postgres-place.ts";
import { openSession } from "./connection.ts";
import { briefTexts } from "../columns/brief.ts";
import {
  stepCountsText,
  textOfItems,
  textOfPeoplesWaits,
  textOfShort,
  textOfStandingRows,
  textOfStandings,
  textOfWaits,
} from "./briefs.ts";
import { figureTexts } from "./figures.ts";
import { watchTexts } from "./inbox.ts";
import { auditText, outcomeTexts } from "./outcomes.ts";
import { pruneTexts } from "./prune.ts";
import { nameTexts } from "./names.ts";
import { listTexts as runListTexts, texts } from "./queries.ts";
import { bringTexts, listTexts, loadTexts } from "./reader.ts";
import type { Session } from "./session.ts";
import { commitText, listStatements } from "./statements.ts";

let place: PostgresPlace;
let session: Session;
/** Takes its time. */
let filler: Session;

beforeAll(async () => {
  place = await createPostgresPlace({ durability: "fast" });
  session = await openSession(place.settings, "read");
  filler = await openSession(place.settings, "migrate");
});

/** 20,000 runs of ten steps, of which few are alive: as many as a plan could be tempted to go through. */
async function fill(): Promise<void> {
  await filler.run(`
    insert into runs (id, uid, flow, name, status, version, created_at, updated_at, completed_at, rest_count, ended_count,
        partition, input, created_by, due_at, parent_run)
      select no * 100, no || '-x', 'f', 'greet', case when no % 100 = 0 then 'running' else 'completed' end, 1, no, no,
        case when no % 100 = 0 then null else no end, 0, 0, 0, '{}', 'user ' || no % 7,
        case when no % 100 = 0 then no end, case when no % 50 = 1 then no * 100 - 100 end
      from generate_series(1, 20000) as no;
    insert into steps (id, run_id, step, role, status, version, created_at, updated_at, visit, attempt, scope, via, is_live,
        ready_at, finished_no, epoch, timeout_at, due_at, arrived_at, serves, ended, undo_no, waits)
      select no * 100 + step, no * 100, 's' || step, 'step',
        case when no % 100 > 0 or step < 9 then 'done' when no % 200 = 0 then 'ready' else 'running' end, 1, no, no, 1, 1, '',
        'next', case when no % 100 = 0 and step = 9 then 1 else 0 end, no, step,
        case when no % 200 = 100 and step = 9 then 'e0' end, case when no % 200 = 100 and step = 9 then no end,
        case when no % 1000 = 0 and step = 9 then no end, case when no % 10 = 0 and step = 5 then no * 100 end,
        case when no % 10 = 0 and step = 6 then no * 100 end, case when step = 9 then 1 end,
        case when no % 10 = 0 then step end, case when no % 1000 = 0 and step = 9 then 1 end
      from generate_series(1, 20000) as no, generate_series(0, 9) as step;
    insert into commits (no, at, last_id, changes) select no, no, no, '[]' from generate_series(1, 20000) as no;
    insert into events (run_id, id, kind, at, value) select no, 'm', 'k', no, '{}' from generate_series(1, 20000) as no;
    insert into inbox (at, by, message, answer)
      select no, 'ann', '{}', case when no > 19990 then null else '{}' end from generate_series(1, 20000) as no;
    insert into visits select no * 100, 's', 2, 2, 0 from generate_series(1, 20000) as no;
    insert into signals select no * 100, 0, 's', 's', '{}' from generate_series(1, 20000) as no;
    insert into entries select 'k', 'e' || no, 1, 1, '{}' from generate_series(1, 2000) as no;
    insert into flows select 'f' || no, null, '{}', 1 from generate_series(1, 2000) as no;
    insert into blobs select no * 100, 'args', 'x' from generate_series(1, 2000) as no;
    insert into ratings select no * 100, 0, 'ann', 'up', null, 1 from generate_series(1, 5000) as no;
    insert into audit (at, by, source, verb, subject, details)
      select no, 'u' || no % 7, 'cli', 'v' || no % 20, no, '{}' from generate_series(1, 20000) as no;`);
}

afterAll(async () => {
  await Promise.all([session.end(), filler.end()]);
  await place[Symbol.asyncDispose]();
});

type Node = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly Node[];
};

/** Every look at a table in the plan that the engine's sessions use: the table, or the index and whether all of it. */
async function planOf(name: string, text: string): Promise<readonly string[]> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/gu)].map(([, no]) => Number(no)));
  const given = count === 0 ? "" : `(${Array.from({ length: count }, () => "null").join(", ")})`;
  await session.run(`prepare "${name}" as ${text}`);
  const [[plan] = []] = await session.query(`explain (format json) execute "${name}"${given}`);
  await session.run(`deallocate "${name}"`);
  const [root] = JSON.parse(String(plan)) as readonly { readonly Plan: Node }[];
  return root === undefined ? [] : [...looksIn(root.Plan)];
}

function* looksIn(node: Node): Generator<string> {
  const type = node["Node Type"];
  if (/Hash Join|Merge Join/u.test(type)) yield type;
  if (/Scan/u.test(type)) {
    const index = node["Index Name"];
    const table = node["Relation Name"];
    if (index !== undefined) yield `${index}${node["Index Cond"] === undefined ? " all" : ""}`;
    else if (table !== undefined && type !== "Bitmap Heap Scan") yield `${type} ${table}`;
  }
  for (const child of node.Plans ?? []) yield* looksIn(child);
}

const everything: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(texts),
  ...Object.entries(runListTexts.everybodys).map(([name, text]) => [`everybodys ${name}`, text] as const),
  ...Object.entries(runListTexts.oneUsers).map(([name, text]) => [`one user's ${name}`, text] as const),
  ...Object.entries(figureTexts).map(([name, text]) => [`figures ${name}`, text] as const),
  ...Object.entries(nameTexts).map(([name, text]) => [`names ${name}`, text] as const),
  ...Object.entries({
    ...briefTexts,
    items: textOfItems,
    short: textOfShort,
    stepCounts: stepCountsText,
    waits: textOfWaits,
    peoplesWaits: textOfPeoplesWaits,
    standings: textOfStandings,
    standingRows: textOfStandingRows,
  }).map(([name, text]) => [`brief ${name}`, text] as const),
  ...Object.entries(loadTexts).map(([name, text]) => [`load ${name}`, text] as const),
  ...Object.entries(bringTexts).map(([name, text]) => [`bring ${name}`, text] as const),
  ...Object.entries(listTexts).map(([name, text]) => [`list ${name}`, text] as const),
  ...Object.entries(pruneTexts).map(([name, text]) => [`prune ${name}`, text] as const),
  ...Object.entries(watchTexts).map(([name, text]) => [`inbox ${name}`, text] as const),
  ...Object.entries(outcomeTexts).map(([name, text]) => [`outcomes ${name}`, text] as const),
  ...([[], ["subject"], ["user"], ["verb"]] as const).map((by) => [`audit by ${by.join()}`, auditText(by)] as const),
  ["write commit", commitText],
  ...listStatements.map(({ list, text }) => [`write ${list}`, text] as const),
];

/** By which index each finds its rows; "all" of an index that holds only what is asked for. */
const expected: { readonly [name: string]: string } = {
  owner: "partitions_pkey",
  flow: "flows_pkey",
  run: "runs_pkey",
  run_by_key: "runs_by_start_key",
  child: "steps_pkey",
  row: "blobs_pkey, runs_pkey, steps_pkey",
  rows: "blobs_pkey, runs_pkey, steps_by_run",
  events: "events_run_id_id_key",
  commits: "commits_pkey",
  last: "commits_pkey all",
  entry: "entries_pkey",
  entries: "entries_pkey",
  "everybodys present": "runs_pkey",
  "everybodys all": "runs_pkey",
  "everybodys completed": "runs_pkey",
  "everybodys scheduled": "runs_by_status",
  "everybodys running": "runs_by_status",
  "everybodys paused": "runs_by_status",
  "everybodys failed": "runs_by_status",
  "everybodys cancelled": "runs_by_status",
  "everybodys live": "runs_by_status",
  "one user's present": "runs_by_creator",
  "one user's all": "runs_by_creator",
  "one user's completed": "runs_by_creator",
  "one user's scheduled": "runs_by_status",
  "one user's running": "runs_by_status",
  "one user's paused": "runs_by_status",
  "one user's failed": "runs_by_creator",
  "one user's cancelled": "runs_by_creator",
  "one user's live": "runs_by_status",
  "figures heads": "runs_pkey",
  "figures dueRuns": "runs_due",
  "figures dueRows": "steps_due",
  "figures live": "runs_by_status",
  "names runs": "runs_pkey",
  "names rows": "steps_pkey",
  "load runs": "runs_pkey",
  "load groups": "steps_by_run",
  "load live": "blobs_pkey, runs_pkey, steps_by_run",
  "load visits": "visits_pkey",
  "load signals": "signals_pkey",
  "load joined": "steps_by_run",
  "bring rows": "blobs_pkey, runs_pkey, steps_pkey",
  "brief briefs": "blobs_pkey, runs_pkey, steps_by_run",
  "brief arrivals": "blobs_pkey, runs_pkey, steps_arrived",
  "brief newest": "steps_by_run",
  "brief children": "runs_by_parent",
  "brief itemCounts": "steps_by_run",
  "brief items": "blobs_pkey, runs_pkey, steps_pkey, steps_serving",
  "brief moments": "events_pkey, events_run_id_id_key, steps_by_run",
  "brief short": "blobs_pkey, runs_pkey, steps_pkey",
  "brief stepCounts": "steps_by_run",
  "brief waits": "blobs_pkey, runs_pkey, steps_by_run",
  "brief peoplesWaits": "blobs_pkey, runs_pkey, steps_by_run",
  "brief standings": "runs_pkey, steps_by_run",
  "brief standingRows": "blobs_pkey, runs_pkey, steps_by_run",
  "bring arrivals": "blobs_pkey, runs_pkey, steps_arrived",
  "bring items": "blobs_pkey, runs_pkey, steps_serving",
  "bring ends": "blobs_pkey, runs_pkey, steps_ended",
  "bring undo": "blobs_pkey, runs_pkey, steps_undoable",
  "list ready": "runs_pkey, steps_ready all",
  "list interrupted": "runs_by_status, steps_by_run",
  "list due": "runs_due, runs_pkey, steps_due",
  "list nextDue": "runs_due, runs_pkey, steps_due",
  "list overdue": "runs_by_status, steps_by_run",
  // Flows are few, and none can say in advance for which events its runs will wait.
  "list waiting": "Seq Scan flows, runs_pkey, steps_waiting all",
  "prune roots": "runs_by_parent, runs_ended, steps_by_run",
  "prune newest": "runs_ended all",
  "prune tree": "runs_by_parent, runs_pkey, steps_by_run",
  "inbox open": "inbox_open all",
  "inbox messages": "inbox_open",
  // Which has 64 rows.
  "write commit": "Seq Scan partitions, commits_pkey all",
  "write runs": "runs_pkey",
  "write finished": "steps_pkey",
  "write left": "steps_pkey",
  "write rows": "steps_pkey",
  "write newRuns": "runs_pkey",
  "write droppedBlobs": "blobs_pkey",
  "write signalRuns": "signals_pkey",
  "audit by ": "audit_pkey",
  "audit by subject": "audit_by_subject",
  "audit by user": "audit_by_user",
  "audit by verb": "audit_by_verb",
  "outcomes any": "blobs_pkey, ratings_pkey, runs_pkey, steps_pkey",
  "outcomes count": "ratings_pkey, runs_pkey, steps_pkey",
  "outcomes down": "blobs_pkey, ratings_pkey, ratings_pkey all, runs_pkey, steps_by_run, steps_pkey",
  "outcomes floor": "steps_pkey",
  "outcomes neutral": "blobs_pkey, ratings_pkey, runs_pkey, steps_pkey",
  "outcomes oldest": "audit_pkey all",
  "outcomes ratings": "ratings_pkey",
  "outcomes up": "blobs_pkey, ratings_pkey, ratings_pkey all, runs_pkey, steps_by_run, steps_pkey",
  "write audit": "",
  "write droppedRatings": "ratings_pkey",
  "write ratings": "runs_pkey",
  "write answers": "inbox_pkey",
  "write droppedEntries": "entries_pkey",
  "write pruned": "blobs_pkey, events_run_id_id_key, ratings_pkey, runs_pkey, signals_pkey, steps_by_run, visits_pkey",
  // They only insert.
  ...Object.fromEntries(
    ["flows", "started", "startedItems", "newRows", "blobs", "events", "signals", "visits", "entries"].map((list) => [
      `write ${list}`,
      "",
    ]),
  ),
};

async function planAll(): Promise<{ readonly [name: string]: string }> {
  const plans: { [name: string]: string } = {};
  for (const [name, text] of everything) plans[name] = [...new Set(await planOf(name, text))].toSorted().join(", ");
  return plans;
}

describe("every statement", () => {
  test("finds its rows by an index that was made for it, when the server knows that there are none", async () => {
    await vacuumAll();
    expect(await planAll()).toEqual(expected);
  });

  test("and when there are many of which it knows nothing", async () => {
    await fill();
    expect(await planAll()).toEqual(expected);
  }, 120_000);

  test("and still does when the server has looked at them", async () => {
    await vacuumAll();
    expect(await planAll()).toEqual(expected);
  }, 120_000);
});

async function vacuumAll(): Promise<void> {
  const tables = await filler.query("select tablename from pg_tables where schemaname = current_schema()");
  for (const [table] of tables) await filler.query(`vacuum (analyze) "${String(table)}"`);
}
