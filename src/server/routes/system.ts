// What says how the service is, to whoever asks.

import type { Engine } from "../../engine/engine.ts";
import type { App } from "../door.ts";

export function addSystemRoutes(app: App, engine: Engine): void {
  app.get("/health", async (context) => {
    const health = await engine.health();
    return context.json(health, health.status === "ok" ? 200 : 503);
  });
  app.get("/api/openapi.json", (context) => {
    const document = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: { title: "Stepwell", version: "0.1.0", description: "Workflows, runs, and what can be done with them." },
    });
    return context.json(document);
  });
}
