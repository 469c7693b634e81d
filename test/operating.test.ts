// A service as somebody has it who keeps it running: its log, its doctor, the same answers from the command line, and a copy
// that is made while it works and put to use elsewhere.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../src/flow/json.ts";
import { readText } from "./example-files.ts";
import { makePlace, type Place, type Started } from "./cli/command.ts";

let place: Place;
let service: Started;
let address: string;

beforeAll(async () => {
  place = makePlace();
  service = place.start("up", "--port", "0", "--log", "json");
  [, address = ""] = await service.said(/is up on (http:\/\/\S+),/);
  await service.said(/Ctrl\+C stops it/);
}, 60_000);

afterAll(async () => {
  await place.remove();
});

async function send(method: string, path: string, body?: unknown): Promise<JsonObject> {
  const response = await fetch(`${address}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as JsonObject;
}

async function read(path: string): Promise<readonly JsonObject[]> {
  return (await send("GET", path)) as unknown as readonly JsonObject[];
}

async function command(...args: readonly string[]): Promise<readonly JsonObject[]> {
  const { exitCode, stdout, stderr } = await place.run(...args, "--json");
  expect([exitCode, stderr]).toEqual([0, expect.anything()]);
  return JSON.parse(stdout) as readonly JsonObject[];
}

async function startRuns(count: number, input: JsonObject): Promise<readonly number[]> {
  const flow = { start: { tool: "demo.echo", args: { text: "{{ input.who }}" }, done: true } };
  const runs = Array.from({ length: count }, () => ({ name: "echo", flow, input }));
  const { runs: started } = await send("POST", "/api/workflow/batch", { runs });
  return (started as readonly JsonObject[]).map(({ id }) => Number(id));
}

/** Those of them that have not ended. */
async function ended(ids: readonly number[]): Promise<void> {
  const isOver = async (): Promise<boolean> => {
    const runs = await read("/api/workflow?status=completed&limit=1000");
    return ids.every((id) => runs.some((run) => run["id"] === id));
  };
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
}

describe("a service that is kept running", () => {
  test("answers as the command line does: runs, what waits, tools, breakers", async () => {
    const ids = await startRuns(2, { who: "Grace", order: { no: 17 } });
    await ended(ids);
    const gated = { start: { gate: { title: "Go?" }, done: true } };
    const { id } = await send("POST", "/api/workflow", { name: "gated", flow: gated });
    await expect.poll(() => read("/api/inbox")).toHaveLength(1);
    expect(await command("list", "--text", "GRACE", "--field", "order.no=17")).toEqual(
      await read("/api/workflow?text=GRACE&field=order.no=17"),
    );
    expect(await command("list", "--text", "grace", "-q")).toHaveLength(2);
    expect(await command("list", "--status", "live,failed", "--since", "1h")).toMatchObject([{ id }]);
    const [item] = await read("/api/inbox");
    const { actions, ...waiting } = item ?? {};
    const [asked] = await command("inbox");
    const { commands, ...told } = asked ?? {};
    expect(told).toEqual(waiting);
    const step = Number(item?.["step_id"]);
    expect([actions, commands]).toMatchObject([
      [{ path: `/api/workflow/${step}/approve` }, { method: "POST" }],
      [`stepwell approve ${step}`, `stepwell reject ${step}`],
    ]);
    expect(await command("tool", "list")).toEqual(await read("/api/tools"));
    expect(await command("breaker", "list")).toEqual(await read("/api/breakers"));
  });

  test("is backed up while it works; the copy, restored elsewhere, has the same runs", async () => {
    const before = await startRuns(200, { who: "before" });
    await ended(before);
    // While the copy is made, others begin.
    const [backup, during] = await Promise.all([
      place.run("backup", "copy.db", "--json"),
      startRuns(500, { who: "during" }),
    ]);
    expect(backup.exitCode).toBe(0);
    const elsewhere = join(place.folder, "elsewhere", "stepwell.db");
    expect((await place.run("restore", "copy.db", "--store", elsewhere)).exitCode).toBe(0);
    const copied = await command("list", "--status", "all", "--limit", "10000", "--store", elsewhere);
    const runs = await read("/api/workflow?status=all&limit=1000");
    for (const id of before)
      expect(copied.find((run) => run["id"] === id)).toEqual(runs.find((run) => run["id"] === id));
    // What began meanwhile is in it up to one instant, and from there on not at all.
    const isIn = new Set(copied.map(({ id }) => id));
    const kept = during.map((id) => isIn.has(id));
    expect(kept.lastIndexOf(true)).toBe(kept.filter(Boolean).length - 1);
    const checks = await command("doctor", "--store", elsewhere);
    expect(checks.filter(({ state }) => state === "failed")).toEqual([]);
    await ended(during);
  });

  test("has a doctor: health, version, clock, API, and who one is", async () => {
    const checks = await command("doctor", "--url", address);
    expect(checks.map(({ name, state }) => [name, state])).toEqual(
      ["service", "health", "version", "clock", "api", "you"].map((name) => [name, "ok"]),
    );
    expect(checks.find(({ name }) => name === "you")?.["message"]).toMatch(/, by local$/);
    const wrong = await place.run("doctor", "--url", address, "--token", "swt_nothing", "--json");
    expect(wrong.exitCode).toBe(5);
    expect(JSON.parse(wrong.stdout)).toContainEqual({
      name: "you",
      state: "failed",
      message: "The token is none, has expired, or was revoked.",
    });
    const nowhere = await place.run("doctor", "--url", "http://127.0.0.1:9");
    expect([nowhere.exitCode, nowhere.stdout]).toEqual([5, expect.stringContaining("does not answer")]);
    expect((await place.run("doctor", "--url", "nowhere")).exitCode).toBe(2);
  });

  test.each(["stepwell.service", "Containerfile"])("is started by %s with flags that it knows", async (name) => {
    const [, line = ""] = /^(?:ExecStart=|CMD )(.*"?\bup\b.*)$/mu.exec(readText(`examples/deploy/${name}`)) ?? [];
    const given = [...line.matchAll(/--[a-z-]+/gu)].map(([flag]) => flag);
    const { stdout } = await place.run("help", "up");
    expect(given).toContain("--log");
    for (const flag of given) expect(stdout).toContain(flag);
  });

  test("logs each request by its route, and nothing of what it holds", async () => {
    await fetch(`${address}/api/workflow/17?reason=very-private`, {
      headers: { authorization: "Bearer swt_very-private" },
    });
    const [, line = ""] = await service.said(/(\{[^\n]*"\/api\/workflow\/:id","status":401[^\n]*\})/u);
    expect(JSON.parse(line)).toMatchObject({
      level: "warn",
      msg: "request",
      method: "GET",
      route: "/api/workflow/:id",
      user: null,
    });
    const [, known = ""] = await service.said(/(\{[^\n]*"\/api\/inbox"[^\n]*\})/u);
    expect(JSON.parse(known)).toMatchObject({
      level: "info",
      status: 200,
      user: expect.stringMatching(/./) as unknown,
    });
  });

  test("has figures for Prometheus, and stops in good order", async () => {
    const text = await (await fetch(`${address}/metrics`)).text();
    expect(text).toMatch(/^stepwell_calls_total\{tool="demo\.echo",outcome="done"\} [1-9]\d*$/mu);
    expect(text).toMatch(/^stepwell_store_bytes\{part="file"\} [1-9]\d*$/mu);
    service.child.kill("SIGTERM");
    const { exitCode, stderr } = await service.finished;
    expect(exitCode).toBe(0);
    expect(stderr).not.toMatch(/very-private|Grace/);
  });
});
