// The plug of `stepwell up` is pulled for real: processes die, and what they had done stays done.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findLastingPort } from "../scripts/lasting-port.ts";
import { makePlace, type Place, type Started } from "./cli/command.ts";
import { findReasonToSkip } from "./cli/shells.ts";

let place: Place;

beforeEach(() => {
  place = makePlace();
});

afterEach(() => place.remove());

type Up = { readonly started: Started; readonly address: string };

async function startUp(...args: readonly string[]): Promise<Up> {
  const started = place.start("up", "--port", String(await findLastingPort()), ...args);
  const [, address = ""] = await started.said(/is up on (http:\/\/\S+),/);
  await started.said(/Ctrl\+C stops it/);
  return { started, address };
}

async function send(address: string, path: string, body: object = {}): Promise<Record<string, unknown>> {
  const response = await fetch(`${address}${path}`, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as object) };
}

async function read<Told>(address: string, path: string): Promise<Told> {
  return (await (await fetch(`${address}${path}`)).json()) as Told;
}

async function pidOf(address: string): Promise<number> {
  return (await read<{ readonly pid: number }>(address, "/api/system")).pid;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const patience = { timeout: 30_000, interval: 50 };

/** Appends what it is told to a file, where everybody can count it. */
function writeNoteTool(): string {
  const notes = join(place.folder, "notes.txt");
  const path = join(place.folder, "tools.mjs");
  writeFileSync(notes, "");
  const module = `import { appendFileSync } from "node:fs";
export const note = ({ text }) => (appendFileSync(${JSON.stringify(notes)}, text + "\\n"), text);
`;
  writeFileSync(path, module);
  return path;
}

const flow = {
  first: { tool: "note", args: { text: "before" }, next: "long" },
  long: { tool: "demo.sleep", args: { ms: 3000 }, next: "last" },
  last: { tool: "note", args: { text: "after" }, done: true },
};

describe("a service that is watched over", () => {
  test("is killed in the middle of a step, and another one on the same port goes on: each effect once", async () => {
    const { started, address } = await startUp("--supervise", "--tools", writeNoteTool());
    const before = await pidOf(address);
    const { id } = await send(address, "/api/workflow", { name: "mine", flow });
    expect(await send(address, "/api/demo/crash", { run: id })).toMatchObject({ status: 202, run: { id } });
    await started.said(/The plug was pulled/);
    const [, there, pid] = await started.said(/is up again on (http:\/\/\S+), in process (\d+)/);
    expect([there, isAlive(before)]).toEqual([address, false]);
    expect(await pidOf(address)).toBe(Number(pid));
    const { stdout } = await place.run("watch", String(id), "--json");
    expect(JSON.parse(stdout)).toMatchObject({ id, status: "completed" });
    expect(readFileSync(join(place.folder, "notes.txt"), "utf8")).toBe("before\nafter\n");
    const { steps } = await read<{ readonly steps: readonly { name: string; status: string }[] }>(
      address,
      `/api/workflow/${String(id)}`,
    );
    expect(steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "first done",
      "long failed",
      "long done",
      "last done",
    ]);
    started.child.kill("SIGINT");
    expect((await started.finished).exitCode).toBe(0);
    expect(isAlive(Number(pid))).toBe(false);
  });

  test("stepwell demo crash --url starts a run for it, and follows it to its end; again and again", async () => {
    const { address } = await startUp("--supervise");
    const pids = new Set([await pidOf(address)]);
    for (const _ of [1, 2]) {
      const { exitCode, stdout, stderr } = await place.run("demo", "crash", "--url", address);
      expect([exitCode, stdout]).toEqual([0, "Done before the plug is pulled, done once\n"]);
      expect(stderr).toMatch(/The service is killed in the middle of run \d+/);
      pids.add(await pidOf(address));
    }
    expect(pids.size).toBe(3);
  });

  test("ends with whoever watches over it, however that ends", async () => {
    const { started, address } = await startUp("--supervise");
    const pid = await pidOf(address);
    started.child.kill("SIGKILL");
    await vi.waitUntil(() => !isAlive(pid), patience);
    expect(isAlive(pid)).toBe(false);
  });

  test("is not started again when anything else has killed it", async () => {
    const { started, address } = await startUp("--supervise");
    process.kill(await pidOf(address), "SIGKILL");
    const { exitCode, stderr } = await started.finished;
    expect([exitCode, started.child.signalCode]).toEqual([null, "SIGKILL"]);
    expect(stderr).not.toContain("up again");
  });

  test("tells what is wrong, and ends with the same exit code", async () => {
    const { exitCode, stderr } = await place.run("up", "--supervise", "--rate", "no");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"no" is no number of requests a second.')]);
  });
});

const reason = findReasonToSkip("bash");
if (reason !== undefined) console.warn(`The service is not tried at a terminal: ${reason}.`);

describe.skipIf(reason !== undefined)("a service at a terminal", () => {
  const terminal = ["sh", "-c", 'exec script -qfec "$*" /dev/null', "sh"];

  async function startThere(...args: readonly string[]): Promise<Up> {
    const started = place.startWith(terminal, ["up", "--port", "0", "--no-open", ...args]);
    const [, address = ""] = await started.said(/is up on (http:\/\/\S+),/);
    await started.said(/Ctrl\+C stops it/);
    return { started, address };
  }

  test("is watched over, and goes with its terminal", async () => {
    const { started, address } = await startThere();
    expect(await read(address, "/api/demo")).toMatchObject({ can_crash: true });
    const pid = await pidOf(address);
    started.child.kill("SIGKILL");
    await vi.waitUntil(() => !isAlive(pid), patience);
    expect(isAlive(pid)).toBe(false);
  });

  test("is not, where nobody tries it out", async () => {
    const { address } = await startThere("--no-demo");
    expect(await read(address, "/api/demo")).toEqual({ can_crash: false, demos: [], has_survived: false });
  });
});

describe("a service that nobody watches over", () => {
  test("keeps its plug in, and says why", async () => {
    const { address } = await startUp();
    expect(await read(address, "/api/demo")).toMatchObject({ can_crash: false });
    expect(await send(address, "/api/demo/crash")).toMatchObject({
      status: 409,
      code: "REFUSED",
      hint: expect.stringContaining("stepwell up --supervise"),
      details: { code: "not_supervised" },
    });
  });

  test("stepwell demo clean deletes the demo workflows that nobody has changed", async () => {
    const { address } = await startUp();
    await send(address, "/api/workflow/templates", { name: "hello", flow_json: flow });
    const { exitCode, stdout } = await place.run("demo", "clean", "--url", address, "--json");
    const removed = ["flaky", "fan-out", "publish", "publish-digest", "survivor"];
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { removed, kept: ["hello"] }]);
    expect(await read(address, "/api/demo")).toEqual({ can_crash: false, demos: ["hello"], has_survived: false });
    expect((await place.run("demo", "clean")).stdout).toContain("Kept, since somebody has changed them: hello");
  });

  test("stepwell demo clean makes no store", async () => {
    const { exitCode, stderr } = await place.run("demo", "clean");
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining("There is no store")]);
  });

  test("the tour asks no server", async () => {
    const { exitCode, stderr } = await place.run("demo", "--url", "http://localhost:1");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("leave --url out")]);
  });
});
