// An engine's worth of servers in a process of its own, for tests that measure or kill it: `node holder.ts memory`,
// `node holder.ts unread`, `node holder.ts hold` and, with a store, `node holder.ts engine FILE`. It says what it found in
// lines of JSON.

import { openEngine } from "../../src/open-engine.ts";
import { badEntry, call, configured, createServers, resultOf } from "./servers.ts";

const say = (found: object): void => void process.stdout.write(`${JSON.stringify(found)}\n`);

const [, , mode, store = ""] = process.argv;
if (mode === "hold") await hold();
else if (mode === "engine") await holdEngine();
else if (mode === "unread") await writeUnread();
else await measure();

/** A program that stays, of an engine that owns its store. */
async function holdEngine(): Promise<void> {
  const engine = await openEngine({ store, mcpServers: { bad: configured("stays") } });
  const { id } = await engine.start({ steps: { ask: { tool: "bad.pid", args: {}, done: true } } });
  say({ pid: (await engine.result(id)).output });
}

/** Programs that stay when their input ends, until somebody kills this process. */
async function hold(): Promise<void> {
  const servers = createServers([badEntry("one", "stays"), badEntry("two", "stays")]);
  await servers.open();
  const pids = await Promise.all(["one.pid", "two.pid"].map(async (name) => resultOf(await call(servers, name))));
  say({ pids });
  setInterval(() => {}, 1000);
}

/** How much memory each flood takes, and what a good neighbour answers in the meantime. */
async function measure(): Promise<void> {
  // What is loaded with the first connection is not counted.
  await using first = createServers([badEntry("good")]);
  await first.open();
  await call(first, "good.echo");
  const floods = ["floods", "huge", "floods-notifications"];
  const answers = ["many-values", "many-values-in-text"];
  for (const name of [...floods, ...answers]) {
    const servers = createServers([badEntry("good"), badEntry("bad", name)]);
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    const opening = servers.open();
    let most = 0;
    let answered = 0;
    const given = new AbortController();
    if (!answers.includes(name)) given.abort();
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      for (let asked = 0; asked < 100 || !given.signal.aborted; asked++) {
        const answer = await call(servers, "good.echo", { input: { asked } });
        if (answer.kind === "done") answered += 1;
        most = Math.max(most, process.memoryUsage.rss());
      }
      controller.abort();
    };
    await opening;
    const bad = servers.tools().some((tool) => tool.name === "bad.echo") ? call(servers, "bad.echo", controller) : null;
    void bad?.finally(() => given.abort());
    await ask();
    const answer = await bad;
    say({ name, grownMb: Math.round((most - before) / 1e6), answered, answer, health: servers.health()[1] });
    await servers.stop();
  }
}

/** To a program that does not read: what is written stays here. A call that nobody waits for any more stays, too. */
async function writeUnread(): Promise<void> {
  await using servers = createServers([badEntry("good"), badEntry("bad", "never-reads")]);
  await servers.open();
  await call(servers, "good.echo");
  const text = "x".repeat(1024 * 1024);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let [calls, answered, most] = [0, 0, 0];
  const answers = new Set<string>();
  while (servers.health()[1]?.status === "ready" && calls < 200) {
    const controller = new AbortController();
    const unread = call(servers, "bad.echo", { input: { text }, signal: controller.signal });
    calls += 1;
    if ((await call(servers, "good.echo")).kind === "done") answered += 1;
    controller.abort(new Error("It took too long."));
    answers.add((await unread).kind);
    most = Math.max(most, process.memoryUsage.rss());
  }
  const grownMb = Math.round((most - before) / 1e6);
  say({ calls, answered, answers: [...answers], grownMb, problem: servers.health()[1]?.problem });
}
