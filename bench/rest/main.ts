// `npm run bench:rest`: how many runs are started over REST, one by one and in batches, over 64 connections that stay open,
// beside what the same server answers when there is nothing to do. Each start is on disk before its answer. All three take
// turns, so that a busy machine hurts them alike.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { openEngine } from "../../src/open-engine.ts";
import { createApp } from "../../src/server/app.ts";
import { listen } from "../../src/server/serve.ts";
import { median } from "../statistics.ts";
import type { Load } from "./load.ts";

const turns = 5;
const perBatch = 100;
const one = { name: "n", flow: { start: { tool: "t", done: true } }, input: { topic: "tides" } };

const loads: readonly (Omit<Load, "address"> & { readonly name: string; readonly each: number })[] = [
  { name: "empty", path: "/empty", body: null, count: 10_000, each: 1 },
  { name: "start", path: "/api/workflow", body: JSON.stringify(one), count: 5000, each: 1 },
  {
    name: `batches of ${perBatch}`,
    path: "/api/workflow/batch",
    body: JSON.stringify({ runs: Array.from({ length: perBatch }, () => one) }),
    count: 100,
    each: perBatch,
  },
];

mkdirSync(".stepwell", { recursive: true });
const folder = mkdtempSync(join(".stepwell", "bench-rest-"));
const found = new Map<string, number[]>();
try {
  await using engine = await openEngine({ store: join(folder, "stepwell.db"), tools: { t: () => ({ ok: true }) } });
  const app = createApp(engine, { isLoopback: true });
  const bare = new Hono().get("/empty", (context) => context.json({}));
  const listener = await listen({ host: "127.0.0.1", port: 0 });
  listener.handle((request) => (request.url.endsWith("/empty") ? bare.fetch(request) : app.fetch(request)));
  // The first turn is for the compiler.
  for (let turn = 0; turn <= turns; turn++)
    for (const { name, each, ...load } of loads) {
      const perSecond = (await drive({ ...load, address: `http://127.0.0.1:${listener.port}` })) * each;
      if (turn > 0) found.set(name, [...(found.get(name) ?? []), perSecond]);
    }
  await listener.close();
} finally {
  rmSync(folder, { recursive: true });
}
const empty = median(found.get("empty") ?? []);
for (const [name, values] of found)
  console.log(
    `${name}: ${Math.round(median(values))}/s (${values.map(Math.round).join(", ")}), ${(median(values) / empty).toFixed(2)} of empty`,
  );

/** In a process of its own: whoever asks has work to do as well. */
async function drive(load: Load): Promise<number> {
  const program = fileURLToPath(new URL("load.ts", import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(load)], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The load on ${load.path} failed.`);
  return Number(text);
}
