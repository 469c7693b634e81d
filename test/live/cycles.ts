// Clients that come and go, and some that do not read: memory and descriptors of the server stay as they were.

import { once } from "node:events";
import { get, type ClientRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createServerPlace, type Measured, type Server } from "./server.ts";

export type CyclesOptions = {
  readonly cycles: number;
  readonly stalled: number;
  readonly say: (line: string) => void;
};

export type CyclesReport = { readonly lines: readonly string[]; readonly problems: readonly string[] };

/** At the same time. */
const atOnce = 20;
/** After which the server has what it needs for this. */
const warmUpCycles = 1000;
/** What there is to hear of. */
const runsCount = 400;
/** Garbage that nobody has collected yet. */
const slackMiB = 25;
/** The store opens and closes files of its own. */
const slackDescriptors = 3;

export async function runCycles({ cycles, stalled, say }: CyclesOptions): Promise<CyclesReport> {
  await using server = await createServerPlace("small");
  await server.start();
  const { sockets } = server.measure();
  const lines: string[] = [];
  const problems: string[] = [];
  const look = async (what: string, before?: Measured): Promise<Measured> => {
    const now = await measureAtRest(server, sockets);
    lines.push(tell(what, now));
    say(tell(what, now));
    if (before !== undefined) problems.push(...compare(what, before, now));
    return now;
  };
  await comeAndGo(server, warmUpCycles);
  const warm = await look(`after ${warmUpCycles} cycles to warm up`);
  for (let done = 0; done < cycles; done += 500) {
    await comeAndGo(server, Math.min(500, cycles - done));
    await look(`after ${Math.min(done + 500, cycles)} cycles`, warm);
  }
  await startRuns(server);
  await look(`after ${runsCount} runs that nobody follows`);
  // What is left over is left over each time; what the first time has taken for its buffers serves the second.
  const stall = async (): Promise<void> => {
    const clients = await Promise.all(Array.from({ length: stalled }, () => connect(server.port)));
    for (const { response } of clients) response.pause();
    await startRuns(server);
    lines.push(tell(`with ${stalled} that do not read, and ${runsCount} runs more`, server.measure()));
    for (const { request } of clients) request.destroy();
  };
  await stall();
  const first = await look("when they have gone");
  await stall();
  await look("when as many more have gone", first);
  return { lines, problems };
}

function compare(what: string, before: Measured, now: Measured): readonly string[] {
  const isMore = now.sockets > before.sockets || now.descriptors > before.descriptors + slackDescriptors;
  return [
    ...(isMore ? [`${what}: descriptors are left over`] : []),
    ...(now.memoryMiB > before.memoryMiB + slackMiB ? [`${what}: memory has grown`] : []),
  ];
}

function tell(what: string, { memoryMiB, descriptors, sockets }: Measured): string {
  return `${what}: ${memoryMiB} MiB, ${descriptors} descriptors, ${sockets} of them sockets`;
}

/** What has been closed here is closed there a moment later. */
async function measureAtRest(server: Server, socketsMax: number): Promise<Measured> {
  let measured = server.measure();
  for (let tries = 0; tries < 20 && measured.sockets > socketsMax; tries++) {
    await sleep(200);
    measured = server.measure();
  }
  return measured;
}

async function comeAndGo({ port }: Server, count: number): Promise<void> {
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const { request, response } = await connect(port);
      // Some go at once, others when they have heard something.
      if (left % 2 === 0) await once(response, "data");
      request.destroy();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

async function connect(port: number): Promise<{ readonly request: ClientRequest; readonly response: IncomingMessage }> {
  const request = get({ host: "127.0.0.1", port, path: "/api/events", agent: false });
  request.on("error", () => {});
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => {});
  if (response.statusCode !== 200) throw new Error(`It answers ${response.statusCode}.`);
  return { request, response };
}

async function startRuns({ port }: Server): Promise<void> {
  const flow = { start: { tool: "time.now", next: "then" }, then: { tool: "time.now", done: true } };
  const body = JSON.stringify({ name: "unheard", flow });
  const headers = { connection: "close" };
  for (let run = 0; run < runsCount; run++) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/workflow`, { method: "POST", body, headers });
    const said = await answer.text();
    if (!answer.ok) throw new Error(`It answers ${answer.status}: ${said}`);
  }
}
