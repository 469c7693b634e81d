import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/remote/server.ts";
import { connect, type ServerClient } from "../connect.ts";
import type { StoreNews } from "../engine/changes.ts";
import { systemClock } from "../engine/clock.ts";
import type { RunView } from "../engine/verb-options.ts";
import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { ToolContext } from "../tool/function.ts";
import { parseServerUrl } from "./address.ts";
import { followRun } from "./follow-run.ts";
import { Wire } from "./wire.ts";

const gate = {
  format: "stepwell/v1",
  name: "ask",
  start: "review",
  steps: { review: { gate: { title: "Go?" }, next: "send" }, send: { tool: "work", done: true } },
};
const oneStep = { start: { tool: "work", effect: "read", done: true } };
const tools = { work: () => "done" };

let folder = "";
let server: TestServer;
let client: ServerClient;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-remote-"));
  server = await startServer({ store: join(folder, "stepwell.db"), durability: "fast", tools });
  client = await connect({ url: server.url });
});

afterEach(async () => {
  await client.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function codeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => "nothing",
    (error: unknown) => (error instanceof StepwellError ? error.code : String(error)),
  );
}

async function firstStep(run: number): Promise<number> {
  return (await client.get(run)).steps[0]?.id ?? 0;
}

describe("a client of a server", () => {
  test("starts, follows, answers and reads as an engine does", async () => {
    const { id, status } = await client.start(gate, { input: { a: 1 }, idempotencyKey: "one" });
    expect(status).toBe("running");
    expect((await client.start(gate, { input: { a: 1 }, idempotencyKey: "one" })).id).toBe(id);
    const seen: string[] = [];
    for await (const { step, name, status: told } of client.watch(id)) {
      seen.push(`${name} ${told}`);
      if (step !== null && name === "review" && told === "pending") await client.approve(step, { comment: "go" });
    }
    expect(seen.slice(0, 2)).toEqual(["review pending", "ask running"]);
    expect(seen.slice(-2)).toEqual(["send done", "ask completed"]);
    expect(await client.result(id)).toMatchObject({ status: "completed", terminalKind: "success", output: "done" });
    const [here, there] = [await server.engine.get(id), await client.get(id)];
    expect(there).toMatchObject({ uid: here.uid, input: { a: 1 }, output: "done", updatedAt: here.updatedAt });
    expect(there.steps.map(({ gate: asked }) => asked)).toEqual(here.steps.map(({ gate: asked }) => asked));
    expect(await client.history(id)).toEqual(await server.engine.history(id));
    expect(await client.flow(id)).toEqual(gate);
    expect(await client.overview.find(String(id).slice(0, 11))).toEqual({ runs: [id], steps: [] });
    expect((await client.overview.find(here.uid)).runs).toEqual([id]);
    expect((await client.overview.find(String(here.steps[1]?.id))).steps).toEqual([{ id: here.steps[1]?.id, run: id }]);
  });

  test("hears how far the tools of a run are, and that workflows have changed", async () => {
    const [heard, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = async (_args: unknown, { progress }: ToolContext): Promise<void> => {
      await heard.promise;
      progress(0.5, "half of it");
      await over.promise;
    };
    await server.engine.tools.load({ slow });
    const news = client.changes();
    await news.next();
    await client.workflows.save({ name: "slow", steps: { start: { tool: "slow", done: true } } });
    expect((await news.next()).value).toMatchObject({ kind: "changed", what: "workflows" });
    await news.return();
    const { id } = await client.start("slow");
    const seen: unknown[] = [];
    for await (const { step, status, progress } of client.watch(id)) {
      if (step !== null && status === "running") heard.resolve();
      if (progress === undefined) continue;
      seen.push(progress);
      over.resolve();
    }
    expect(seen).toEqual([{ fraction: 0.5, message: "half of it" }]);
  });

  test("removes a run that has ended", async () => {
    const { id } = await client.start(oneStep);
    await client.result(id);
    expect(await client.remove(id)).toEqual({ runs: 1 });
    expect(await codeOf(client.remove(id))).toBe("RUN_NOT_FOUND");
  });

  test("waits for a run no longer than it says, and is told what is refused", async () => {
    const { id } = await client.start(gate);
    expect(await codeOf(client.result(id, { timeout: "30ms" }))).toBe("WAIT_TIMED_OUT");
    expect(await codeOf(client.get(7))).toBe("RUN_NOT_FOUND");
    expect(await codeOf(client.watch(7).next())).toBe("RUN_NOT_FOUND");
    expect(await codeOf(client.start({ start: { tool: 7 } }))).toBe("FLOW_INVALID");
    await client.cancel(id, { reason: "no need" });
    expect(await codeOf(client.approve(await firstStep(id)))).toBe("REFUSED");
  });

  test("does under a key what is asked once, however often it is asked", async () => {
    const { id } = await client.start(gate);
    const step = await firstStep(id);
    const keyed = client.under("mine");
    await Promise.all([keyed.approve(step), keyed.approve(step)]);
    await client.result(id, { timeout: "20s" });
    const answers = (await client.history(id)).filter((entry) => entry.kind === "event" && entry.event === "answered");
    expect(answers.length).toBeLessThanOrEqual(1);
  });

  test.each([
    { verb: "cancel", ask: (id: number, expectedUpdatedAt: number) => client.cancel(id, { expectedUpdatedAt }) },
    { verb: "pause", ask: (id: number, expectedUpdatedAt: number) => client.pause(id, { expectedUpdatedAt }) },
    { verb: "resume", ask: (id: number, expectedUpdatedAt: number) => client.resume(id, { expectedUpdatedAt }) },
    {
      verb: "fire",
      ask: (id: number, expectedUpdatedAt: number) => client.fire(id, { transition: "go", expectedUpdatedAt }),
    },
  ])("$verb is done only if the run is as it was seen", async ({ ask, verb }) => {
    const { id } = await client.start(gate);
    if (verb === "resume") await client.pause(id);
    const { status, updatedAt } = await client.get(id);
    await expect(ask(id, updatedAt - 1)).rejects.toMatchObject({
      code: "REFUSED",
      details: { code: "version_changed", expected: updatedAt - 1, actual: updatedAt },
    });
    expect((await client.get(id)).status).toBe(status);
    // This run is no machine.
    if (verb === "fire") return;
    await ask(id, updatedAt);
    expect((await client.get(id)).status).not.toBe(status);
  });

  test("hears of a run's end also after the server's clock was set back", async () => {
    const { id } = await client.start(gate);
    const step = await firstStep(id);
    const wire = new Wire({
      address: parseServerUrl(server.url),
      token: undefined,
      patienceMs: 5000,
      clock: systemClock,
    });
    const read = async (): Promise<RunView> => ({ ...(await client.get(id)), updatedAt: Date.now() + 3_600_000 });
    const seen: string[] = [];
    for await (const { name, status } of followRun(wire, { run: id, read })) {
      seen.push(`${name} ${status}`);
      if (seen.length === 2) await client.approve(step);
    }
    wire.stop();
    expect(seen.at(-1)).toBe("ask completed");
  });

  test("goes through long lists page by page", async () => {
    for (let no = 0; no < 5; no += 1) await client.start(gate, { name: `n${no % 2}`, input: { no } });
    const names = async (search: object): Promise<readonly Json[]> =>
      (await client.overview.search(search)).runs.map(({ run }) => run.input["no"] ?? null);
    expect(await names({ limitMax: 2000 })).toEqual([4, 3, 2, 1, 0]);
    expect(await names({ name: "n1", status: "live" })).toEqual([3, 1]);
    expect(await names({ field: { path: ["no"], value: 2 } })).toEqual([2]);
    const { runs, next } = await client.overview.search({ limitMax: 2 });
    expect(next).toBe(runs[1]?.run.id);
    expect(await client.overview.stats()).toMatchObject({ runs: 5, isComplete: true });
    const told = await client.overview.readTime("in 30 minutes", { tz: "Europe/Berlin" });
    expect(told).toMatchObject({ zone: "Europe/Berlin", inMs: 1_800_000 });
    expect(told.text).toContain("(Europe/Berlin)");
    expect(await client.list({ statuses: ["failed", "completed"], status: "all" })).toEqual([]);
  });

  test("knows tools, breakers and health of the engine behind it, and says what cannot be done from afar", async () => {
    expect((await client.tools.list()).map(({ name }) => name)).toEqual(["work"]);
    expect(await client.tools.call("work", {}, { timeout: "20s" })).toMatchObject({ result: "done", error: null });
    expect(await codeOf(client.tools.get("nothing"))).toBe("TOOL_NOT_FOUND");
    expect(await client.breakers.list()).toEqual([]);
    expect(await client.breakers.reset("work")).toBe(false);
    expect(await client.health()).toMatchObject({ status: "ok", reasons: [], isOwner: true });
    expect(await client.validate({ start: { tool: "wrk", done: true } })).toMatchObject({ ok: true });
    expect((await client.validate(oneStep)).plan?.start).toBe("start");
    const refused = [
      client.prune({ endedBefore: 1 }),
      client.secrets.rotate(),
      client.overview.figures(),
      client.tools.load({ other: () => 1 }),
      client.tools.unload("work"),
      client.access.tokens.check("swt_x"),
      client.access.sessions.open("ann", "pass"),
      client.access.rightsOf({ user: "ann", via: null, scopes: null }),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => "USAGE"));
    expect(() => client.overview.mask("text")).toThrow(/^Hiding secrets in a text cannot be done through a server;/);
  });
});

describe("who asks", () => {
  test("is whom the token belongs to, and nobody else", async () => {
    await client.access.save("ann", { keys: ["130001", "tool:*"] });
    expect(await codeOf(connect({ url: server.url }))).toBe("NOT_LOGGED_IN");
    expect(await codeOf(connect({ url: server.url, token: "swt_wrong" }))).toBe("NOT_LOGGED_IN");
    const { text } = await server.engine.access.tokens.create({ user: "ann", name: "test" });
    await using ann = await connect({ url: server.url, token: text });
    const { id } = await ann.start(gate, { as: "bob" });
    expect((await ann.get(id)).createdBy).toBe("ann");
    await ann.access.save("bob", { keys: ["130001.read.own"], groups: [] });
    const bobs = await ann.access.tokens.create({
      user: "bob",
      name: "b",
      scopes: ["read"],
      expiresAt: "tomorrow at 9am",
    });
    expect(await ann.access.tokens.list()).toHaveLength(2);
    await using bob = await connect({ url: server.url, token: bobs.text });
    expect(await codeOf(bob.get(id))).toBe("RUN_NOT_FOUND");
    expect(await bob.overview.find(String(id))).toEqual({ runs: [], steps: [] });
    expect(await bob.overview.find(String(id).slice(0, 8))).toEqual({ runs: [], steps: [] });
    expect(await codeOf(bob.access.list())).toBe("NOT_ALLOWED");
    expect((await ann.access.audit({ verb: "token.create" })).map(({ user }) => user)).toContain("ann");
    await ann.access.tokens.revoke(bobs.id);
    expect(await codeOf(bob.list())).toBe("NOT_LOGGED_IN");
  });

  test("finds the engine where a program has mounted it", async () => {
    await server.engine.access.save("ann", { keys: ["130001", "tool:*"] });
    const { text } = await server.engine.access.tokens.create({ user: "ann", name: "test" });
    const handle = server.engine.node();
    const own = createServer((request, response) => {
      request.url = request.url?.replace("/flows", "") ?? "/";
      handle(request, response);
    });
    own.listen(0, "127.0.0.1");
    await once(own, "listening");
    const address = own.address();
    const port = typeof address === "object" ? address?.port : 0;
    await using mounted = await connect({ url: `http://127.0.0.1:${port}/flows/`, token: text });
    const { id } = await mounted.start(oneStep);
    expect((await mounted.result(id, { timeout: "20s" })).output).toBe("done");
    await mounted.stop();
    own.closeAllConnections();
    own.close();
  });
});

describe("a server that goes away and comes back", () => {
  async function restart(between: () => Promise<void> = async () => {}): Promise<void> {
    await server.stop();
    await between();
    server = await startServer({ store: join(folder, "stepwell.db"), durability: "fast", tools, port: server.port });
  }

  test("is followed on from where it was, and what was asked meanwhile is done once", async () => {
    const { id } = await client.start(gate);
    const changes = client.watch(id);
    const seen: string[] = [];
    const next = async (): Promise<boolean> => {
      const { value } = await changes.next();
      if (value !== undefined) seen.push(`${value.name} ${value.status}`);
      return value !== undefined;
    };
    await next();
    await next();
    const step = await firstStep(id);
    let approved: Promise<void> = Promise.resolve();
    await restart(async () => {
      approved = client.approve(step);
    });
    await approved;
    while (await next());
    expect(seen.filter((line) => line === "ask completed")).toHaveLength(1);
    expect(new Set(seen).size).toBe(seen.length);
    expect((await client.get(id)).status).toBe("completed");
  });

  test("tells all that has changed, in order and nothing twice", async () => {
    const leaving = new AbortController();
    const changes = client.changes({ workflow: "ask", signal: leaving.signal });
    const news: StoreNews[] = [];
    const runs = (): ReadonlySet<number> =>
      new Set(news.flatMap((each) => (each.kind === "changes" ? each.changes.map(({ run }) => run) : [])));
    const hearOf = async (run: number | null): Promise<void> => {
      for (let isHeard = false; !isHeard; isHeard = run === null || runs().has(run)) {
        const { value } = await changes.next();
        if (value !== undefined) news.push(value);
      }
    };
    await hearOf(null);
    const one = await client.start(gate);
    await hearOf(one.id);
    await restart();
    const two = await client.start(gate);
    await hearOf(two.id);
    leaving.abort();
    expect((await changes.next()).done).toBe(true);
    expect([...runs()]).toEqual([one.id, two.id]);
    expect(news[0]?.kind).toBe("told");
    const cursors = news.map(({ cursor }) => Number(cursor));
    expect(cursors).toEqual(cursors.toSorted((first, second) => first - second));
  });

  test("is given up when it stays away", async () => {
    const { id } = await client.start(gate);
    await using short = await connect({ url: server.url, timeout: "200ms" });
    const changes = short.watch(id);
    await changes.next();
    await changes.next();
    await server.stop();
    expect(await codeOf(changes.next())).toBe("SERVER_UNREACHABLE");
    expect(await codeOf(short.get(id))).toBe("SERVER_UNREACHABLE");
    expect(await codeOf(connect({ url: server.url }))).toBe("SERVER_UNREACHABLE");
  });
});
