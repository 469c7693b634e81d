// `/metrics`, for whoever may see all runs: names of tools and what they failed with are not for everybody.

import type { UserEngine } from "../../engine/engine.ts";
import type { Stats } from "../../engine/overview.ts";
import type { App } from "../door.ts";
import type { Entrance } from "../entrance.ts";
import { writeMetrics } from "../metrics.ts";
import type { Traffic } from "../traffic.ts";
import { readVersion } from "../version.ts";

type MetricsParts = {
  readonly entrance: Pick<Entrance, "letIn">;
  readonly traffic: Traffic;
  readonly now: () => number;
};

const dayMs = 24 * 60 * 60_000;
/** Counting a day's runs takes a moment: who asks more often hears the same again. */
const keptMs = 10_000;

export function addMetricsRoute(app: App, { entrance, traffic, now }: MetricsParts): void {
  let kept: { readonly at: number; readonly stats: Promise<Stats> } | null = null;
  const countToday = async (engine: UserEngine): Promise<Stats> => {
    const at = now();
    if (kept === null || at - kept.at > keptMs || at < kept.at) {
      const stats = engine.overview.stats({ since: at - (at % dayMs) });
      // What has failed is not kept.
      stats.catch(() => (kept = null));
      kept = { at, stats };
    }
    return kept.stats;
  };
  app.get("/metrics", async (context) => {
    const { engine } = await entrance.letIn(context);
    // First, since it throws for whoever may not see all.
    const figures = await engine.overview.figures();
    const [today, breakers, tools] = await Promise.all([
      countToday(engine),
      engine.breakers.list(),
      engine.tools.list(),
    ]);
    const text = writeMetrics({
      version: readVersion(),
      figures,
      today,
      breakers,
      tools: tools.length,
      routes: traffic.list(),
      memory: process.memoryUsage(),
      uptimeSeconds: Math.round(process.uptime()),
    });
    return context.text(text, 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  });
}
