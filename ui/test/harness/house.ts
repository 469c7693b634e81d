// A service for the browser: a real engine on a real file behind a real port, in this process.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../../src/engine/engine.ts";
import { openEngine, type EngineOptions } from "../../../src/open-engine.ts";
import { createApp, type AppOptions } from "../../../src/server/app.ts";
import { builtPage } from "../../../src/server/page.ts";
import { listen } from "../../../src/server/serve.ts";
import { saveDemos } from "../../../src/server/demo-workflows.ts";
import { createBuiltinTools } from "../../../src/tool/builtin/builtin.ts";
import type { Tools } from "../../../src/tool/registry.ts";

export interface House extends AsyncDisposable {
  readonly engine: Engine;
  readonly address: string;
  /** The file. */
  readonly store: string;
}

export type HouseWish = {
  readonly tools?: Tools;
  readonly mcpServers?: EngineOptions["mcpServers"];
  readonly hasDemos?: boolean;
  readonly app?: Partial<AppOptions>;
};

export async function openHouse(wish: HouseWish = {}): Promise<House> {
  const { tools = {}, mcpServers, hasDemos = false, app: options = {} } = wish;
  // Demos call what comes with the program.
  const builtin = hasDemos ? createBuiltinTools({ now: Date.now, say: () => {} }) : [];
  const folder = mkdtempSync(join(tmpdir(), "stepwell-page-"));
  const store = join(folder, "stepwell.db");
  const engine = await openEngine({
    store,
    tools: { ...byName(builtin), ...byName(tools) },
    durability: "fast",
    ...(mcpServers === undefined ? {} : { mcpServers }),
  });
  if (hasDemos) await saveDemos(engine);
  const ending = new AbortController();
  const app = createApp(engine, {
    isLoopback: true,
    rate: null,
    page: builtPage,
    live: { ending: ending.signal },
    ...options,
  });
  const listener = await listen({ host: "127.0.0.1", port: 0 });
  listener.handle((request, env) => app.fetch(request, env));
  return {
    engine,
    address: listener.address,
    store,
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await listener.close();
      await engine.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

type NamedTools = Exclude<Tools, readonly unknown[]>;

function byName(tools: Tools): NamedTools {
  return isList(tools) ? Object.fromEntries(tools.map((tool) => [tool.name, tool])) : tools;
}

function isList(tools: Tools): tools is Exclude<Tools, NamedTools> {
  return Array.isArray(tools);
}
