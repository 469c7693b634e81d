// The connection between engine and server, through a proxy: cut in the middle of a message, silent for longer than
// anybody waits, cut on one side only.

import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "../../../../src/testing/random.ts";
import { openTcpProxy, type Direction, type TcpProxy } from "../../../../src/testing/tcp-proxy.ts";
import { createBook, mixKinds } from "../../book.ts";
import { allKinds } from "../../flows.ts";
import { readLedger } from "../../ledger.ts";
import { boundOf, describeMs, report, type PartReport } from "../../part.ts";
import { readBatches, readClaims } from "../audit.ts";
import type { PostgresOptions } from "../options.ts";
import { describeVerdict, endure } from "../ordeal.ts";

/** So many bytes of one connection are a few batches at most. */
const bytesMax = 6000;
const unsettledMs = 400;

export async function runCuts({ cuts, runs, seed, say, withPlace }: PostgresOptions): Promise<PartReport> {
  const random = createRandom(seed);
  const book = createBook(mixKinds(allKinds, runs, seed), `c${seed}`);
  return withPlace(async (place) => {
    await using proxy = await openTcpProxy(place.store);
    const endured = await endure({
      place,
      address: proxy.through(place.store),
      book,
      spreadMs: cuts * 1000,
      act: async (engine) => {
        for (let cut = 1; cut <= cuts && engine.isAlive; cut++) {
          await wait(100 + random.next() * 900);
          if (cut % 4 === 0) proxy.cut();
          else await cutWithin(proxy, random.integer(2) === 0 ? "to_server" : "to_client", random.integer(bytesMax));
          if (cut % 20 === 0) say(`${cut} cuts`);
        }
      },
    });
    const { verdict, problems } = endured;
    const claims = await readClaims(place.store);
    const lines = [
      `${cuts} cuts, three of four within a message (at a random byte, either way); ${proxy.acceptedCount()} connections; the store was claimed ${claims.length} times; seed ${seed}`,
      `${describeVerdict(book, verdict)}; ${boundOf(cuts)} per cut`,
    ];
    return report("cuts", lines, problems);
  });
}

/** Every connection after so many bytes, those that are opened meanwhile as well. */
async function cutWithin(proxy: TcpProxy, direction: Direction, bytes: number): Promise<void> {
  proxy.disturb({ cutAfter: { direction, bytes: 1 + bytes } });
  await wait(unsettledMs);
  proxy.disturb();
}

export type SilenceId = "both" | "answers" | "server" | "short";

type Silence = {
  readonly id: SilenceId;
  readonly name: string;
  readonly forMs: number;
  /** Before it, and so after the one before it. */
  readonly peaceMs: number;
  readonly begin: (proxy: TcpProxy) => void;
  /** No answer comes, so no call may begin. */
  readonly isDumb: boolean;
};

const silences: readonly Silence[] = [
  {
    id: "both",
    name: "nothing comes through, newcomers are taken up and never answered, 13 s",
    forMs: 13_000,
    // What was being connected when it ended takes 10 s to be given up.
    peaceMs: 14_000,
    begin: (proxy) => proxy.disturb({ stalled: "both", newcomers: "silent" }),
    isDumb: true,
  },
  {
    id: "answers",
    name: "nothing comes back, 13 s",
    forMs: 13_000,
    peaceMs: 3000,
    begin: (proxy) => proxy.disturb({ stalled: "to_client" }),
    isDumb: true,
  },
  {
    id: "server",
    name: "the server's side is cut and the engine hears nothing of it",
    forMs: 12_000,
    peaceMs: 3000,
    begin: (proxy) => proxy.cutServerSide(),
    isDumb: false,
  },
  {
    id: "short",
    name: "nothing comes through for 4 s, which is no loss",
    forMs: 4000,
    peaceMs: 3000,
    begin: (proxy) => proxy.disturb({ stalled: "both" }),
    isDumb: true,
  },
];

/** A call whose commit was answered just before may begin a moment later. */
const momentMs = 1000;

export async function runSilences(options: PostgresOptions, ids?: readonly SilenceId[]): Promise<PartReport> {
  const { rounds, seed, say, withPlace } = options;
  const lines: string[] = [];
  const problems: string[] = [];
  for (const silence of silences.filter(({ id }) => ids === undefined || ids.includes(id))) {
    const told = await withPlace(async (place) => {
      await using proxy = await openTcpProxy(place.store);
      const book = createBook(mixKinds(allKinds, 40 * rounds, seed), "h");
      const spans: (readonly [number, number])[] = [];
      const { verdict, problems: found } = await endure({
        place,
        address: proxy.through(place.store),
        book,
        spreadMs: rounds * (silence.forMs + silence.peaceMs),
        act: async (engine) => {
          for (let round = 1; round <= rounds && engine.isAlive; round++) {
            await wait(round === 1 ? 3000 : silence.peaceMs);
            const from = Date.now();
            silence.begin(proxy);
            await wait(silence.forMs);
            // Before it ends: an answer may be acted on while we are still busy with that.
            spans.push([from, Date.now()]);
            proxy.disturb();
          }
          await wait(1000);
        },
      });
      const batches = await readBatches(place.store);
      const againMs = spans.flatMap(([, to]) => {
        const next = batches.find(({ at }) => at >= to);
        return next === undefined ? [] : [next.at - to];
      });
      const begun = readLedger(place.ledger).filter(({ calledAt }) =>
        spans.some(([from, to]) => calledAt > from + momentMs && calledAt < to),
      );
      if (silence.isDumb && begun.length > 0)
        problems.push(
          `${silence.name}: ${begun.length} calls were begun without an answer of the server: ${JSON.stringify({ spans, begun })}`,
        );
      problems.push(...found.map((text) => `${silence.name}: ${text}`));
      return [
        `${silence.name}, ${rounds} times: ${describeVerdict(book, verdict)}`,
        `  ${describeMs("its end to the engine's next batch", againMs)}${silence.isDumb ? `; calls begun meanwhile ${begun.length}` : ""}`,
      ];
    });
    lines.push(...told);
    say(silence.name);
  }
  return report("silent", lines, problems);
}
