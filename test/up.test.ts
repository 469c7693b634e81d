// `stepwell up` as a person has it, from its greeting to its end, and the lines of the README that speak to it.

import { execFileSync, spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePlace, type Place, type Started } from "./cli/command.ts";
import { readText } from "./example-files.ts";

let place: Place;
let service: Started;
let address: string;

beforeAll(async () => {
  place = makePlace();
  service = place.start("up", "--port", "0");
  [, address = ""] = await service.said(/is up on (http:\/\/\S+),/);
  await service.said(/Ctrl\+C stops it/);
});

afterAll(async () => {
  await place.remove();
});

const curlLines = [...readText("README.md").matchAll(/^(curl .*)$/gmu)].map(([, line = ""]) => line);
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("The README's curl lines are not run: there is no curl on this machine.");

describe("the README", () => {
  test.skipIf(!hasCurl).each(curlLines)("%s", (line) => {
    const text = execFileSync(
      "sh",
      ["-c", `${line.replaceAll("http://localhost:7700", address)} -sS --fail-with-body`],
      {
        encoding: "utf8",
      },
    );
    expect(JSON.parse(text)).not.toHaveProperty("code");
  });
});

describe("the service", () => {
  test("says on one line each where it is and what to try, and saves the demo workflows once", async () => {
    expect(await (await fetch(`${address}/health`)).json()).toMatchObject({ status: "ok", is_owner: true });
    const workflows: unknown = await (await fetch(`${address}/api/workflow/templates`)).json();
    const names = ["fan-out", "flaky", "hello", "publish", "publish-digest", "survivor"];
    expect(workflows).toMatchObject(names.map((name) => ({ name })));
  });

  test("keeps its store: a second one is refused with the first one's address", async () => {
    const { exitCode, stderr } = await place.run("up", "--port", "0");
    expect(exitCode).toBe(5);
    expect(stderr).toContain(address);
  });

  test("is not called by other names, and speaks to no other site's page", async () => {
    const { port } = new URL(address);
    const foreign = await ask(port, { host: "evil.example" });
    expect(foreign).toMatchObject({ status: 403, code: "NOT_ALLOWED" });
    const page = await fetch(`${address}/api/workflow`, { headers: { origin: "https://evil.example" } });
    expect(page.status).toBe(403);
  });

  test("beyond this machine it wants to know who is who", async () => {
    const other = makePlace();
    const { exitCode, stderr } = await other.run("up", "--port", "0", "--host", "0.0.0.0");
    await other.remove();
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining("stepwell user save")]);
  });

  test("SIGTERM stops it in good order, and what it had begun goes on at the next start", async () => {
    const begun = await fetch(`${address}/api/workflow`, {
      method: "POST",
      body: JSON.stringify({ flow: { start: { tool: null, next: "end" }, end: { tool: "time.now", done: true } } }),
    });
    const { id } = (await begun.json()) as { readonly id: number };
    service.child.kill("SIGTERM");
    expect((await service.finished).exitCode).toBe(0);
    const next = place.start("up", "--port", "0");
    const [, there = ""] = await next.said(/is up on (http:\/\/\S+),/);
    await next.said(/Ctrl\+C stops it/);
    const run = (await (await fetch(`${there}/api/workflow/${id}`)).json()) as {
      readonly status: string;
      readonly steps: readonly { readonly id: number }[];
    };
    expect(run.status).toBe("running");
    await fetch(`${there}/api/workflow/${run.steps[0]?.id ?? 0}/ready`, { method: "POST" });
    const { stdout } = await place.run("watch", String(id), "--json");
    expect(JSON.parse(stdout)).toMatchObject({ id, status: "completed" });
  });
});

/** A browser that was told another name for this machine; `fetch` would not lie about the host. */
async function ask(port: string, headers: { readonly host: string }): Promise<unknown> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", path: "/api/workflow", headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode, ...(JSON.parse(text) as object) }));
    })
      .on("error", reject)
      .end();
  });
}
