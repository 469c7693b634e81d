// Only the connections on which hints come are silent: whoever waits for a hint looks by itself.

import { setTimeout as wait } from "node:timers/promises";
import { openTcpProxy } from "../../../../src/testing/tcp-proxy.ts";
import { createBook } from "../../book.ts";
import type { RunKind } from "../../flows.ts";
import { judge, problemsOf } from "../../judge.ts";
import { describeMs, percentile, report, subjectOptions, type PartReport } from "../../part.ts";
import { tooSlow } from "../../parts/guests.ts";
import type { Place } from "../../person.ts";
import { look } from "../../rows.ts";
import { SubjectProcess } from "../../subject-process.ts";
import { driveToEnd } from "../../workload.ts";
import type { PostgresOptions } from "../options.ts";

const answerMaxMs = 1200;
const startsPerRound = 10;
const listeningText =
  "select client_port from pg_stat_activity where datname = current_database() and query like 'listen %'";

export async function runListener({ rounds, withPlace }: PostgresOptions): Promise<PartReport> {
  return withPlace(async (place) => {
    await using proxy = await openTcpProxy(place.store);
    const options = subjectOptions(place, { store: proxy.through(place.store) });
    const owner = new SubjectProcess(options);
    await owner.opened;
    const first = await untilListening(place, 0);
    const guest = new SubjectProcess(options);
    await guest.opened;
    const silenced = [first, await untilListening(place, first)];
    const problems = silenced.includes(0) ? ["a connection that listens was not found"] : [];
    for (const port of silenced) proxy.disturbOne(port, { stalled: "both" });
    const kinds: readonly RunKind[] = Array.from({ length: rounds * startsPerRound }, () => "chain");
    const book = createBook(kinds, "l");
    const answerMs: number[] = [];
    for (const order of book.orders) {
      const askedAt = performance.now();
      const answer = await guest.ask({ do: "start", kind: order.kind, key: order.key, n: order.n, filler: 0 });
      answerMs.push(performance.now() - askedAt);
      if (answer?.ok === true && typeof answer.value === "number") order.run = answer.value;
    }
    const slowest = percentile(answerMs, 0.99);
    if (slowest > answerMaxMs)
      problems.push(`${tooSlow}: p99 of an answer without hints was ${Math.round(slowest)} ms`);
    await driveToEnd({ book, place, subject: guest }, 30_000);
    for (const subject of [guest, owner]) {
      const { code, signal } = await subject.stop();
      if (code !== 0) problems.push(`a subject ended with ${code ?? signal}`);
    }
    const lines = [
      `${silenced.length} listening connections silent, of an owner and its guest, all others as they were`,
      describeMs("a start asked of the guest, to its acknowledgement by the owner", answerMs),
    ];
    return report("listener", lines, [...problems, ...problemsOf(await judge(book, place))]);
  });
}

/** The port from which a connection has come that has just begun to listen; 0: none has. */
async function untilListening({ store }: Place, known: number): Promise<number> {
  for (const deadline = Date.now() + 5000; Date.now() < deadline; await wait(20)) {
    const rows = (await look(store, (database) => database.all(listeningText))) ?? [];
    const port = rows.map((row) => Number(row["client_port"])).find((one) => one !== known);
    if (port !== undefined) return port;
  }
  return 0;
}
