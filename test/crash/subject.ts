// The process that is killed: an engine on a file, with tools that keep a ledger. Commands come by stdin, one line each;
// what the engine has acknowledged goes out by stdout at once.

import { createInterface } from "node:readline";
import { defineTool, errorCodes, openEngine, StepwellError, type Engine, type Json } from "stepwell";
import { flowOf, grandchild } from "./flows.ts";
import { Ledger } from "./ledger.ts";
import {
  parseLine,
  type Acknowledgement,
  type Command,
  type Request,
  type SubjectOptions,
  type Told,
} from "./protocol.ts";
import { createTools } from "./tools.ts";

const options = parseLine(process.argv[2] ?? "") as SubjectOptions | undefined;
if (options === undefined) throw new Error("The subject takes its options as one JSON text.");

const by = "driver";
const isOnServer = options.store.startsWith("postgres:");
const ledger = new Ledger(options.ledger);
const firsts = new Set<string>();
const bench = { ledger, delayMs: options.delayMs, onCall: () => tellFirst("call") };
const tools = Object.entries(createTools(bench)).map(([name, call]) =>
  // Said here, so that the harness does not rest on a default: only a payment may not be repeated.
  defineTool({ name, call, effect: name === "pay" ? "write" : "idempotent" }),
);

// Read at once, so that nothing is lost while the file opens.
const lines = createInterface({ input: process.stdin });
process.on("SIGTERM", () => void carryOut({ id: 0, request: { do: "stop" } }));
// Nobody is left to answer to.
lines.on("close", () => process.exit(1));
const opened = open(options);
lines.on("line", (line) => {
  const command = parseLine(line) as Command | undefined;
  if (command !== undefined) void carryOut(command);
});

async function open({ store, durability }: SubjectOptions): Promise<Engine> {
  try {
    const engine = await openEngine({
      store,
      durability,
      tools,
      flows: { grandchild },
      // Some of the tools fail again and again on purpose.
      breaker: false,
      onProblem: meetProblem,
    });
    tell({ say: "open", isOwner: engine.isOwner, ms: performance.now() });
    watchSeat(engine);
    return engine;
  } catch (error) {
    tell({ say: "problem", ...refusalOf(error) });
    process.exit(error instanceof StepwellError ? errorCodes[error.code].exitCode : 1);
  }
}

/** As `stepwell` itself does: where nobody knows what is on disk, or whose it is, the process ends. A store on a server is
 *  claimed again. */
function meetProblem({ code, message }: StepwellError): void {
  tell({ say: "problem", code, message });
  if (isOnServer) return;
  if (code !== "OUTCOME_UNKNOWN" && code !== "STORE_LOST") return;
  // The store says what it met, then the engine what follows from it: both are heard.
  setTimeout(() => process.exit(errorCodes[code].exitCode), 50);
}

function watchSeat(engine: Engine): void {
  let { isOwner } = engine;
  setInterval(() => {
    if (engine.isOwner === isOwner) return;
    isOwner = engine.isOwner;
    tell({ say: "seat", isOwner, at: Date.now() });
  }, 5).unref();
}

async function carryOut({ id, request }: Command): Promise<void> {
  const engine = await opened;
  let answer: Acknowledgement;
  try {
    answer = { ok: true, value: await ask(engine, request) };
    tellFirst("message");
  } catch (error) {
    answer = { ok: false, ...refusalOf(error) };
  }
  tell({ say: "answer", id, answer });
  if (request.do === "stop") {
    await ledger.close();
    process.exit(0);
  }
}

async function ask(engine: Engine, request: Request): Promise<Json> {
  switch (request.do) {
    case "start": {
      const { kind, key, n, filler } = request;
      const input = filler === 0 ? { n } : { n, filler: "x".repeat(filler) };
      const run = await engine.start(flowOf(kind), { input, as: by, idempotencyKey: key });
      return run.id;
    }
    case "approve":
      await engine.approve(request.step, { by });
      return null;
    case "signal":
      await engine.signal(request.run, "go", { by });
      return null;
    case "cancel":
      await engine.cancel(request.run, { by, reason: "The harness wants it." });
      return null;
    case "resolve":
      await engine.resolve(request.step, { by, how: request.how, result: request.result });
      return null;
    case "look":
      return (await engine.get(request.run)).status;
    case "stop":
      await engine.stop();
      return null;
  }
}

function tellFirst(of: "call" | "message"): void {
  if (firsts.has(of)) return;
  firsts.add(of);
  const { user, system } = process.cpuUsage();
  tell({ say: "first", of, ms: performance.now(), cpuMs: (user + system) / 1000 });
}

function tell(told: Told): void {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

function refusalOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof StepwellError) return { code: error.code, message: error.message };
  return { code: "UNEXPECTED", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
