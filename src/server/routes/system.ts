// What says how the service is, to whoever asks.

import type { Engine } from "../../engine/engine.ts";
import type { App } from "../door.ts";
import { readVersion } from "../version.ts";

const statuses = { ok: 200, degraded: 503 } as const;

export function addSystemRoutes(app: App, engine: Engine): void {
  app.get("/health", async (context) => {
    const { isOwner, ...health } = await engine.health();
    return context.json(
      { ...health, is_owner: isOwner, version: readVersion(), now: Date.now() },
      statuses[health.status],
    );
  });
  // The same for everybody, and it takes a while to make.
  let described: string | undefined;
  app.get("/api/openapi.json", (context) => {
    described ??= JSON.stringify(describeAll(app));
    return context.body(described, 200, { "content-type": "application/json" });
  });
}

function describeAll(app: App): object {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Stepwell",
      version: readVersion(),
      description: "Workflows, runs, and what can be done with them.",
    },
  });
}
