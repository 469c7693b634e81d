// `stepwell run` and its neighbours, as processes on one file.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { areStoresFiles } from "../../src/testing/store-place.ts";
import { demoFlow, makePlace, type Place, type Started } from "./command.ts";

let place: Place;

beforeEach(() => {
  place = makePlace();
});

afterEach(async () => {
  await place.remove();
});

function write(name: string, text: string): string {
  const path = join(place.folder, name);
  writeFileSync(path, text);
  return path;
}

/** Two calls that take so long that somebody can come in between. */
function slowFlow(ms: number): string {
  const call = (next: string): string => `{ tool: demo.sleep, args: { ms: ${ms} }, ${next} }`;
  return write(
    "slow.yaml",
    `format: stepwell/v1\nname: slow\nsteps:\n  one: ${call("next: two")}\n  two: ${call("done: true")}\n`,
  );
}

function echoFlow(): string {
  return write(
    "echo.yaml",
    "format: stepwell/v1\nname: echo\nsteps: { greet: { tool: demo.echo, args: { text: Hi }, done: true } }\n",
  );
}

async function runIdOf(started: Started): Promise<string> {
  const [, id = ""] = await started.said(/ (\d{13,}) running/);
  return id;
}

describe("stepwell run", () => {
  test("follows a flow on stderr and gives its output on stdout", async () => {
    const { exitCode, stdout, stderr } = await place.run("run", demoFlow("hello"), "who=Ada");
    expect([exitCode, stdout]).toEqual([0, "Hello Ada!\n"]);
    expect(stderr).toMatch(/^store: .+\n/);
    expect(stderr.split("\n")[0]).toContain(place.storeName);
    // On a busy machine it may be later than a second.
    expect(stderr).toMatch(/^ +(?:\d+ ms|\d+\.\d+ s) {2}breathe {2}demo\.sleep {2}done {2}(?:\d+ ms|\d+\.\d+ s)$/m);
    expect(stderr).toMatch(/hello \d+ completed\n$/);
  });

  test("with --jsonl tells every change, and then the result", async () => {
    const { exitCode, stdout } = await place.run("run", echoFlow(), "--jsonl", "--as", "ada");
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(exitCode).toBe(0);
    expect(lines).toContainEqual(expect.objectContaining({ type: "change", name: "greet", status: "done" }));
    expect(lines.at(-1)).toMatchObject({
      type: "result",
      status: "completed",
      terminal_kind: "success",
      created_by: "ada",
    });
  });

  test("ends with 8 when the time is up, and the run goes on with watch", async () => {
    const left = await place.run("run", slowFlow(500), "--timeout", "10ms", "--json");
    expect(left.exitCode).toBe(8);
    const { id } = JSON.parse(left.stdout) as { readonly id: number };
    const flag = areStoresFiles() ? "" : ` --store '${place.storeName}'`;
    expect(left.stderr).toContain(`goes on with: stepwell watch ${id}${flag}\n`);
    const watched = await place.run("watch", String(id));
    expect([watched.exitCode, watched.stdout]).toEqual([0, '{\n  "slept_ms": 500\n}\n']);
  });

  test("detached gives the id, and a watcher does the work", async () => {
    const started = await place.run("run", echoFlow(), "--detach");
    expect(started.exitCode).toBe(0);
    expect(started.stdout).toMatch(/^\d+\n$/);
    expect((await place.run("watch", started.stdout.trim())).stdout).toBe("Hi\n");
  });
});

describe("a signal", () => {
  test("X22: SIGTERM lets the call under way finish, ends with 0, and nothing is lost", async () => {
    const running = place.start("run", slowFlow(2500));
    const id = await runIdOf(running);
    running.child.kill("SIGTERM");
    const { exitCode, stderr } = await running.finished;
    expect(exitCode).toBe(0);
    expect(stderr).toContain("Stopping: 1 under way may finish.");
    const watched = await place.run("watch", id, "--jsonl");
    expect(watched.exitCode).toBe(0);
    // It was not called again: what it had done was on disk.
    expect(watched.stdout).toContain('"name":"one","status":"done"');
    expect(watched.stdout).not.toContain('"name":"one","status":"running"');
  });

  test("Ctrl+C does the same and ends with 130", async () => {
    const running = place.start("run", slowFlow(2500));
    await runIdOf(running);
    running.child.kill("SIGINT");
    const { exitCode, stderr } = await running.finished;
    expect(exitCode).toBe(130);
    expect(stderr).toContain("goes on with: stepwell watch");
  });

  test("X22: the second one ends it at once", async () => {
    const running = place.start("run", slowFlow(60_000));
    await runIdOf(running);
    running.child.kill("SIGTERM");
    await running.said(/Stopping: 1 under way/);
    // Two that come together count as one: npm hands on what the terminal sends as well.
    const again = setInterval(() => running.child.kill("SIGTERM"), 100);
    const { exitCode } = await running.finished;
    clearInterval(again);
    expect(exitCode).toBe(130);
  });
});

describe("a second process on the same file", () => {
  test("is a guest: it starts a run, approves a gate and cancels while the first one works", async () => {
    const owner = place.start("run", demoFlow("publish"));
    const [, gate = ""] = await owner.said(/stepwell approve (\d+)/);
    const guest = await place.run("run", demoFlow("hello"), "who=Guest");
    expect([guest.exitCode, guest.stdout]).toEqual([0, "Hello Guest!\n"]);
    expect(guest.stderr).toContain("as a guest");

    const second = place.start("run", demoFlow("publish"));
    const [, other = ""] = await second.said(/publish (\d+) running/);
    expect(await place.run("cancel", other)).toMatchObject({ exitCode: 0, stdout: `${other}\n` });
    expect((await second.finished).exitCode).toBe(7);

    expect(await place.run("approve", gate, "--as", "bob")).toMatchObject({ exitCode: 0, stdout: `${gate}\n` });
    expect(await owner.finished).toMatchObject({ exitCode: 0, stdout: "Published: All about tides\n" });
    const again = await place.run("approve", gate, "--as", "eve");
    expect(again.exitCode).toBe(10);
  });

  test("takes over when the first one is killed", async () => {
    const owner = place.start("run", slowFlow(1500));
    const id = await runIdOf(owner);
    const guest = place.start("watch", id, "--json");
    await guest.said(/as a guest/);
    owner.child.kill("SIGKILL");
    const { exitCode, stdout } = await guest.finished;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: Number(id), status: "completed" });
  });

  test("finds a write that was cut off, asks a person, and takes the answer", async () => {
    const call = "{ tool: demo.sleep, effect: write, args: { ms: 60000 }, done: true }";
    const owner = place.start("run", write("pay.yaml", `name: pay\nformat: stepwell/v1\nsteps: { pay: ${call} }\n`));
    const id = await runIdOf(owner);
    owner.child.kill("SIGKILL");
    await owner.finished;
    expect((await place.run("watch", id, "--exit-on-wait")).exitCode).toBe(9);
    const { stdout } = await place.run("inbox");
    expect(stdout).toMatch(/^! Nobody knows whether "pay" happened/);
    expect(stdout).toMatch(/^ {4}stepwell resolve \d+ done$/m);
    expect((await place.run("resolve", id, "done", "--data", '{"paid": true}')).exitCode).toBe(0);
    expect((await place.run("watch", id)).stdout).toBe('{\n  "paid": true\n}\n');
  });

  test("goes with Ctrl+C, and the run goes on", async () => {
    const owner = place.start("run", demoFlow("publish"));
    await owner.said(/stepwell approve (\d+)/);
    const guest = place.start("run", slowFlow(2500));
    const id = await runIdOf(guest);
    guest.child.kill("SIGINT");
    const { exitCode, stderr } = await guest.finished;
    expect(exitCode).toBe(130);
    expect(stderr).toContain("goes on in the process that runs");
    expect((await place.run("watch", id)).exitCode).toBe(0);
  });
});
