// The figures as Prometheus reads them: lines of text, each a name, labels and a number.

import type { BreakerView } from "../engine/breaker-verbs.ts";
import type { Figures, Stats } from "../engine/overview.ts";
import { bounds, type RouteFigures } from "./traffic.ts";

export type Measured = {
  readonly version: string;
  readonly figures: Figures;
  /** Of the runs since midnight, UTC. */
  readonly today: Stats;
  readonly breakers: readonly BreakerView[];
  readonly tools: number;
  readonly routes: readonly RouteFigures[];
  readonly memory: { readonly rss: number; readonly heapUsed: number };
  readonly uptimeSeconds: number;
};

type Labels = { readonly [name: string]: string };
type Sample = readonly [labels: Labels, value: number, suffix?: string];

const states: readonly BreakerView["state"][] = ["closed", "half_open", "open"];
const statuses = ["scheduled", "running", "paused", "completed", "failed", "cancelled"] as const;
/** Of an error in a label. */
const errorMax = 200;

export function writeMetrics(measured: Measured): string {
  const { version, figures, today, breakers, tools, routes, memory, uptimeSeconds } = measured;
  const { live, space, calls = [] } = figures;
  return [
    ...family("stepwell_info", "gauge", "The version that runs", [[{ version }, 1]]),
    ...family("stepwell_uptime_seconds", "gauge", "Since the process began", [[{}, uptimeSeconds]]),
    ...family(
      "stepwell_runs_live",
      "gauge",
      "Runs that have not ended",
      (["scheduled", "running", "paused"] as const).map((status) => [{ status }, live[status] ?? 0]),
    ),
    ...family(
      "stepwell_runs_today",
      "gauge",
      "Runs created since midnight (UTC) by their status now",
      statuses.map((status) => [{ status }, today.statuses[status] ?? 0]),
    ),
    ...family(
      "stepwell_calls_total",
      "counter",
      "Calls of tools by what came of them, in this process",
      calls.map(({ tool, outcome, calls: count }) => [{ tool, outcome }, count]),
    ),
    ...family("stepwell_calls_under_way", "gauge", "Calls of tools at this moment", [[{}, figures.callsUnderWay ?? 0]]),
    ...family("stepwell_commits_total", "counter", "Commits of the store", [[{}, figures.commits]]),
    ...family("stepwell_mailbox_messages", "gauge", "What waits to be decided", [[{}, figures.mailbox ?? 0]]),
    ...family("stepwell_runs_held", "gauge", "Runs in memory", [[{}, figures.runsHeld ?? 0]]),
    ...family("stepwell_followers", "gauge", "Those who follow runs", [[{}, figures.followers]]),
    ...family("stepwell_tools", "gauge", "Tools that steps can call", [[{}, tools]]),
    ...writeBreakers(breakers),
    ...family("stepwell_store_bytes", "gauge", "What the store takes", [
      [{ part: "file" }, space.fileBytes],
      [{ part: "wal" }, space.walBytes],
      [{ part: "free" }, space.freeBytes],
    ]),
    ...writeRoutes(routes),
    ...family("process_resident_memory_bytes", "gauge", "Memory of the process", [[{}, memory.rss]]),
    ...family("stepwell_heap_used_bytes", "gauge", "Memory that objects take", [[{}, memory.heapUsed]]),
    "",
  ].join("\n");
}

function writeBreakers(breakers: readonly BreakerView[]): readonly string[] {
  return [
    ...family(
      "stepwell_breaker_state",
      "gauge",
      "Of tools that have failed: 0 closed, 1 half open, 2 open",
      breakers.map(({ tool, state }) => [{ tool }, states.indexOf(state)]),
    ),
    ...family(
      "stepwell_breaker_failures",
      "gauge",
      "Failures in a row",
      breakers.map(({ tool, count }) => [{ tool }, count]),
    ),
    ...family(
      "stepwell_breaker_info",
      "gauge",
      "The last error of each",
      breakers.map(({ tool, lastError }) => [{ tool, last_error: (lastError ?? "").slice(0, errorMax) }, 1]),
    ),
  ];
}

function writeRoutes(routes: readonly RouteFigures[]): readonly string[] {
  const requests = routes.flatMap(({ method, route, statuses: counted }) =>
    [...counted].map(([status, count]): Sample => [{ method, route, status: String(status) }, count]),
  );
  const durations = routes.flatMap(({ method, route, taken, sumMs }): readonly Sample[] => {
    let count = 0;
    const buckets = taken.map((more, at): Sample => {
      count += more;
      const bound = bounds[at];
      return [{ method, route, le: bound === undefined ? "+Inf" : String(bound / 1000) }, count, "_bucket"];
    });
    return [...buckets, [{ method, route }, sumMs / 1000, "_sum"], [{ method, route }, count, "_count"]];
  });
  return [
    ...family("stepwell_http_requests_total", "counter", "Requests by route and status", requests),
    ...family("stepwell_http_request_seconds", "histogram", "How long requests took", durations),
  ];
}

function family(name: string, type: string, help: string, samples: readonly Sample[]): readonly string[] {
  if (samples.length === 0) return [];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value, suffix = ""]) => `${name}${suffix}${showLabels(labels)} ${value}`),
  ];
}

function showLabels(labels: Labels): string {
  const shown = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return shown.length === 0 ? "" : `{${shown.join(",")}}`;
}

function escape(value: string): string {
  return value
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`);
}
