// Damaged files: each must be refused at the start or found by the check, with a code and a sentence; what nobody can
// find (a changed letter inside a stored value: SQLite keeps no checksums) is counted and said.

import {
  copyFileSync,
  closeSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { errorCodes, StepwellError } from "../../../src/error.ts";
import { openSqlite } from "../../../src/store/sqlite/open.ts";
import { createRandom, type Random } from "../../../src/testing/random.ts";
import { createBook } from "../book.ts";
import { allKinds } from "../flows.ts";
import { placeIn, report, subjectOptions, withFolder, type PartOptions, type PartReport } from "../part.ts";
import { look } from "../rows.ts";
import { SubjectProcess } from "../subject-process.ts";
import { driveToEnd } from "../workload.ts";

const finishMs = 30_000;
/** The check begins at once. On a busy machine it may take longer: then what it would find counts as not noticed. */
const checkMs = 400;

type Found = "refused" | "found by the check" | "harmless" | "not noticed";

export async function runCorrupt(options: PartOptions): Promise<PartReport> {
  return withFolder(async (folder) => {
    const place = placeIn(folder);
    const book = createBook([...allKinds, ...allKinds], "c");
    const subject = new SubjectProcess(subjectOptions(place, { delayMs: 1 }));
    const isMade = await driveToEnd({ book, place, subject }, finishMs);
    await subject.stop();
    if (!isMade) return report("corrupt", [], [`the file to be damaged could not be made: ${subject.errors}`]);
    const whole = await damageWholes(folder, place.store);
    const bytes = await flipBytes(folder, place.store, options);
    return report("corrupt", [...whole.lines, ...bytes.lines], [...whole.problems, ...bytes.problems]);
  });
}

type Told = { readonly lines: readonly string[]; readonly problems: readonly string[] };

/** Damage that leaves no doubt, seen by the whole engine: it must not start, and say why. */
async function damageWholes(folder: string, store: string): Promise<Told> {
  const size = statSync(store).size;
  const damages: readonly (readonly [name: string, damage: (path: string) => void])[] = [
    ["header set to zero", (path) => overwrite(path, 0, Buffer.alloc(100))],
    ["first page set to zero", (path) => overwrite(path, 0, Buffer.alloc(4096))],
    ["first page of noise", (path) => overwrite(path, 0, Buffer.alloc(4096, 0xa5))],
    ["cut to half a page", (path) => truncateSync(path, 2048)],
    ["cut to a third", (path) => truncateSync(path, Math.floor(size / 3))],
    ["last page cut off", (path) => truncateSync(path, size - 4096)],
    ["replaced by text", (path) => writeFileSync(path, "This is no database.\n".repeat(500))],
  ];
  const lines: string[] = [];
  const problems: string[] = [];
  for (const [name, damage] of damages) {
    const path = join(folder, "damaged.db");
    copyFileSync(store, path);
    writeFileSync(`${path}-lock`, "");
    damage(path);
    const before = hashOf(path);
    const subject = new SubjectProcess(subjectOptions({ store: path, ledger: join(folder, "none.jsonl") }));
    const isOpen = await subject.opened;
    if (isOpen) await Promise.race([wait(4000), subject.exited, untilProblem(subject)]);
    await subject.kill();
    const said = subject.problems.at(-1);
    lines.push(`${name}: ${isOpen ? "opened, then " : ""}${said?.code ?? "nothing said"}`);
    if (said === undefined || !Object.hasOwn(errorCodes, said.code))
      problems.push(`${name}: ${said?.message ?? "not noticed"} ${subject.errors}`);
    if (!isOpen && hashOf(path) !== before) problems.push(`${name}: the damaged file was changed`);
  }
  return { lines, problems };
}

async function untilProblem(subject: SubjectProcess): Promise<void> {
  while (subject.isAlive && subject.problems.length === 0) await wait(50);
}

async function flipBytes(folder: string, store: string, { hits, seed, say }: PartOptions): Promise<Told> {
  const random = createRandom(seed);
  const trials = hits * 10;
  const original = await contentsOf(store);
  const counts = new Map<Found, number>();
  const problems: string[] = [];
  for (let trial = 1; trial <= trials; trial++) {
    const path = join(folder, `flipped-${trial}.db`);
    copyFileSync(store, path);
    flip(path, random);
    const found = await lookFor(path, original);
    if (typeof found === "string") counts.set(found, (counts.get(found) ?? 0) + 1);
    else problems.push(`flip ${trial}: ${found.message}`);
    if (trial % 20 === 0) say(`${trial} files with flipped bytes`);
  }
  const told = [...counts].map(([found, count]) => `${found} ${count}`).join(", ");
  return { lines: [`${trials} files with 1 to 64 flipped bytes each: ${told}`], problems };
}

function flip(path: string, random: Random): void {
  const { size } = statSync(path);
  const length = 1 + random.integer(64);
  const at = random.integer(size - length);
  const bytes = readFileSync(path).subarray(at, at + length);
  overwrite(path, at, Buffer.from(bytes.map((byte) => byte ^ (1 + random.integer(255)))));
}

/** An error without a code of ours is a problem in itself. */
async function lookFor(path: string, original: string | undefined): Promise<Found | Error> {
  const seen: StepwellError[] = [];
  try {
    const store = await openSqlite(path, { checkAfterMs: 0, onProblem: (problem) => seen.push(problem) });
    const claim = await store.claim({ pid: process.pid, host: "here", role: "embedded", since: 0, address: null });
    for (const deadline = Date.now() + checkMs; seen.length === 0 && Date.now() < deadline;) await wait(10);
    if (claim.kind === "owned") await claim.ownership.release();
    await store.close();
  } catch (error) {
    return error instanceof StepwellError ? "refused" : new Error(`not one of our errors: ${String(error)}`);
  }
  if (seen.length > 0) return "found by the check";
  return (await contentsOf(path)) === original ? "harmless" : "not noticed";
}

const tables = ["flows", "runs", "steps", "blobs", "visits", "signals", "events", "commits", "inbox"];

/** All that the file says, as one fingerprint. */
async function contentsOf(path: string): Promise<string | undefined> {
  return look(path, async (database) => {
    const hash = createHash("sha256");
    for (const table of tables) hash.update(JSON.stringify(await database.all(`select * from ${table}`)));
    return hash.digest("hex");
  });
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}
