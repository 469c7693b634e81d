// `stepwell up`, and what `stepwell` alone does: engine and service in one process, until somebody stops it.

import type { Engine } from "../../engine/engine.ts";
import { StepwellError } from "../../error.ts";
import { isLoopbackHost } from "../../server/loopback.ts";
import { isServerAddress } from "../../store/address.ts";
import type { Log, LogLevel, LogOptions } from "../../server/log.ts";
import type { Rate } from "../../server/rate-limit.ts";
import type { Listener } from "../../server/serve.ts";
import { defineCommand, type Call, type Command, type Values } from "../command.ts";
import { findOpener, openBrowser } from "../open-browser.ts";
import { commandOf, program } from "../program.ts";
import { forEngine, readSettings } from "../settings.ts";
import { onStopSignal } from "../signals.ts";
import { supervise } from "../supervise.ts";
import { showStore, storeOf, wholeStoreFlag } from "../view.ts";
import { findWatched, whereToListen, type Watched } from "../watched.ts";

const flags = {
  port: { value: "N", about: "where it listens; 7700, or the next one that is free" },
  host: { value: "HOST", about: "127.0.0.1 unless given; any other demands users" },
  "allow-host": { value: "NAME", about: "another name by which it is called", isRepeated: true },
  rate: { value: "N", about: "requests a second for each token, session or address; 300" },
  "trust-proxy": { value: "ADDRESS", about: "a proxy whose x-forwarded-for is believed", isRepeated: true },
  log: { value: "text|json", about: "a line for every request", choices: ["text", "json"] },
  "log-level": { value: "LEVEL", about: "warn, or info with --log: also debug, error, off", choices: levels() },
  "no-demo": { about: "save no demo workflows in a new store" },
  "no-open": { about: "leave the browser alone; STEPWELL_NO_OPEN" },
  supervise: { about: "start it again when the demo pulls its plug; so it is at a terminal, with a file" },
} as const;

/** Least first. */
function levels(): readonly LogLevel[] {
  return ["debug", "info", "warn", "error", "off"];
}

export const command: Command = defineCommand({
  operands: [],
  flags,
  isNobodys: true,
  isLocal: true,
  details:
    "The engine, the service and the page, on this machine alone unless --host says otherwise. Ctrl+C stops it in good order.",
  examples: ["up", "up --port 8080 --store postgres://ann@db.example.com/app"],
  async act(call) {
    const { out } = call;
    using watched = findWatched(call.surroundings.environment);
    if (watched === null && wantsWatch(call)) return supervise(out.say);
    const stopping = Promise.withResolvers<void>();
    using _ = onStopSignal(() => stopping.resolve());
    const service = await open(call, watched);
    for (const line of service.greeting) out.say(line);
    if (watched === null || watched.portBefore === null) showPage(call, service.address);
    await stopping.promise;
    out.say("stopping: what is under way may finish; Ctrl+C once more ends it at once");
    await service.stop();
    return 0;
  },
});

type UpCall = Call & { readonly values: Values<typeof flags> };

/** Where somebody tries it out: the demo may pull its plug. */
function wantsWatch(call: UpCall): boolean {
  const { values, surroundings } = call;
  if (values.supervise) return true;
  const isAtTerminal = surroundings.stdout === process.stdout && process.stdout.isTTY;
  const store = storeOf(call);
  const isInFile = !isServerAddress(store) && store !== ":memory:";
  return isAtTerminal && isInFile && !values["no-demo"] && isLoopbackHost(hostOf(call));
}

function hostOf({ values }: UpCall): string {
  return values.host ?? "127.0.0.1";
}

function showPage({ values, surroundings }: UpCall, address: string): void {
  const opener = values["no-open"] ? null : findOpener({ ...surroundings, platform: process.platform });
  if (opener !== null) openBrowser(opener, address);
}

type Service = {
  readonly address: string;
  readonly greeting: readonly string[];
  readonly stop: () => Promise<void>;
};

async function open(call: UpCall, watched: Watched | null): Promise<Service> {
  const { values, out } = call;
  const host = hostOf(call);
  const settings = readSettings(call);
  const [{ openEngine }, { gatherTools }, { listen }, { createLog }] = await Promise.all([
    import("../../open-engine.ts"),
    import("../tool-modules.ts"),
    import("../../server/serve.ts"),
    import("../../server/log.ts"),
    // Used below; all at once they load sooner.
    import("../../server/app.ts"),
  ]);
  const [place, rate] = [whereToListen(watched, readPort(values.port)), readRate(values.rate)];
  const listener = await listen({ host, ...place });
  watched?.listening(listener.port);
  // Until the engine is there, nobody has opened a secret.
  let mask: ((text: string) => string) | null = null;
  const log = createLog({ ...readLog(values), write: out.say, now: Date.now, mask: (text) => mask?.(text) ?? text });
  try {
    const engine = await openEngine({
      store: storeOf(call),
      durability: values.durability === "fast" ? "fast" : "full",
      role: "up",
      address: listener.address,
      tools: await gatherTools(settings, out.say),
      ...forEngine(settings),
      onProblem: log.problem,
      ...(values.tz === undefined ? {} : { tz: values.tz }),
    });
    mask = (text) => engine.overview.mask(text);
    if (!isLoopbackHost(host) && (await engine.access.isOpen())) {
      await engine.stop();
      throw nobodyKnown(host);
    }
    return await serve(call, { engine, listener, log, rate, watched });
  } catch (error) {
    await listener.close();
    throw error;
  }
}

type Parts = {
  readonly engine: Engine;
  readonly listener: Listener;
  readonly log: Log;
  readonly rate: Rate;
  readonly watched: Watched | null;
};

async function serve(call: UpCall, { engine, listener, log, rate, watched }: Parts): Promise<Service> {
  const { values } = call;
  const [{ createApp }, { builtPage }, { saveDemos }, { provideToken }] = await Promise.all([
    import("../../server/app.ts"),
    import("../../server/page.ts"),
    import("../../server/demo-workflows.ts"),
    import("../mcp-token.ts"),
  ]);
  const [host, store] = [hostOf(call), storeOf(call)];
  const isLoopback = isLoopbackHost(host);
  const demos = values["no-demo"] ? 0 : await saveDemos(engine);
  const token = await provideToken(engine, store).catch((error: unknown) => {
    // Other tokens do as well.
    log.problem(error);
    return null;
  });
  const ending = new AbortController();
  const app = createApp(engine, {
    isLoopback,
    rate,
    trustedProxies: values["trust-proxy"],
    live: { ending: ending.signal },
    hosts: [...values["allow-host"], ...(isLoopback ? [] : [host])],
    onProblem: log.problem,
    onRequest: log.request,
    page: builtPage,
    program,
    storeFlag: wholeStoreFlag(store),
    ...(watched === null ? {} : { plug: watched }),
  });
  listener.handle((request, env) => app.fetch(request, env));
  const { address } = listener;
  const isAgain = watched !== null && watched.portBefore !== null;
  return {
    address,
    greeting: isAgain
      ? [`Stepwell is up again on ${address}, in process ${process.pid}`]
      : greet({ address, store: showStore(store), demos, token }),
    stop: async () => {
      // Whoever follows would have it wait.
      ending.abort();
      await listener.close();
      await engine.stop();
    },
  };
}

type LogWish = Pick<Values<typeof flags>, "log" | "log-level">;

function readLog({ log, "log-level": given }: LogWish): Pick<LogOptions, "level" | "format"> {
  const level = levels().find((each) => each === given) ?? (log === undefined ? "warn" : "info");
  return { level, format: log === "json" ? "json" : "text" };
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/u.test(text) && port <= 65_535) return port;
  throw new StepwellError("USAGE", `"${text}" is no port.`, { hint: "--port 7700, of 65535 at most" });
}

/** Twice as many may come at once. */
function readRate(text = "300"): Rate {
  const perSecond = Number(text);
  if (/^\d{1,9}$/u.test(text) && perSecond > 0) return { perSecond, burst: 2 * perSecond };
  throw new StepwellError("USAGE", `"${text}" is no number of requests a second.`, { hint: "--rate 300" });
}

/** Beyond this machine nobody is let in unnamed. */
function nobodyKnown(host: string): StepwellError {
  return new StepwellError("NOT_ALLOWED", `Others can reach ${host}, and nobody is known yet who may do what.`, {
    hint: "stepwell user save YOU --key 130001 --key 'tool:*', then stepwell token create YOU --name mine",
  });
}

type Greeting = {
  readonly address: string;
  readonly store: string;
  readonly demos: number;
  /** The file with the token for MCP. */
  readonly token: string | null;
};

function greet({ address, store, demos, token }: Greeting): readonly string[] {
  const told = demos === 0 ? [] : [`${demos} demo workflows are saved; try:`];
  return [
    `Stepwell is up on ${address}, with ${store}`,
    `  page     ${address}`,
    `  API      ${address}/api/workflow   (described at ${address}/api/openapi.json)`,
    `  health   ${address}/health`,
    `  MCP      ${address}/mcp${token === null ? "" : `   (its token: ${token})`}`,
    ...told,
    `  curl ${address}/api/workflow -d '{"name":"hello","input":{"who":"Ada"}}'`,
    `  curl ${address}/api/workflow`,
    `  ${commandOf("list")}`,
    "Ctrl+C stops it; runs that are under way go on at the next start.",
  ];
}
