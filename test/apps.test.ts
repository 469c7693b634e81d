import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

type App = { readonly url: string; readonly stop: (signal: NodeJS.Signals) => Promise<void> };

async function startApp(name: string, store: string): Promise<App> {
  const env = { ...process.env, PORT: "0", STORE: store };
  const child = spawn(process.execPath, [`examples/apps/${name}.ts`], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await once(child, "exit");
  };
  return { url: said.toString().trim(), stop };
}

async function ask(
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<readonly [number, unknown]> {
  const post = {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  };
  const response = await fetch(url, body === undefined ? {} : post);
  return [response.status, await response.json()];
}

test.each(["express", "hono"])(
  "the app with %s takes an order, survives a kill, and ships when it is told to",
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), "stepwell-app-"));
    const store = join(folder, "orders.db");
    try {
      const first = await startApp(name, store);
      const lamps = { item: "lamp", count: 2 };
      const [status, started] = await ask(`${first.url}/orders`, lamps, { "idempotency-key": "one" });
      expect([status, started]).toEqual([202, { id: expect.any(Number), status: "running" }]);
      const { id } = started as { readonly id: number };
      expect((await ask(`${first.url}/orders`, lamps, { "idempotency-key": "one" }))[1]).toMatchObject({ id });
      expect(await ask(`${first.url}/orders`, { item: "lamp" })).toMatchObject([422, { code: "INPUT_INVALID" }]);
      expect(await ask(`${first.url}/orders/7`)).toMatchObject([404, { code: "RUN_NOT_FOUND" }]);
      await first.stop("SIGKILL");
      const second = await startApp(name, store);
      expect(await ask(`${second.url}/orders/${id}`)).toMatchObject([
        200,
        { status: "running", steps: ["reserve done", "review pending"] },
      ]);
      expect(await ask(`${second.url}/orders/${id}/approve`, {})).toMatchObject([
        200,
        { status: "completed", output: { parcel: "parcel of lamp-2" } },
      ]);
      expect(await ask(`${second.url}/flows/health`)).toMatchObject([200, { status: "ok" }]);
      expect(await ask(`${second.url}/flows/api/workflow`)).toMatchObject([401, { code: "NOT_LOGGED_IN" }]);
      expect(await ask(`${second.url}/flows/api/workflow`, { name: "x" })).toMatchObject([
        401,
        { code: "NOT_LOGGED_IN" },
      ]);
      await second.stop("SIGTERM");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
