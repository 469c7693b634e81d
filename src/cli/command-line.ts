// Finds the command, runs it, and says what went wrong in one way for all of them.

import { existsSync, readFileSync } from "node:fs";
import { StepwellError } from "../error.ts";
import { nearest } from "../flow/suggest.ts";
import { exitCodesText } from "./exit-codes.ts";
import { toProblem } from "./problem.ts";
import { answerUsage, cancelUsage, demoUsage, examplesUsage, runUsage, watchUsage } from "./usage.ts";

type Command = {
  readonly usage: string;
  readonly about: string;
  readonly act: (args: readonly string[]) => number | Promise<number>;
};

// Loaded when they are needed: help and a typing mistake are answered at once.
const run = async (args: readonly string[]): Promise<number> => (await import("./run.ts")).runFlow(args);
const watch = async (args: readonly string[]): Promise<number> => (await import("./watch.ts")).watchRun(args);
const approve = async (args: readonly string[]): Promise<number> =>
  (await import("./answer.ts")).answerGate("approve", args);
const reject = async (args: readonly string[]): Promise<number> =>
  (await import("./answer.ts")).answerGate("reject", args);
const cancel = async (args: readonly string[]): Promise<number> => (await import("./cancel.ts")).cancelRun(args);
const demo = async (args: readonly string[]): Promise<number> => (await import("./demo.ts")).showDemo(args);
const examples = async (args: readonly string[]): Promise<number> => (await import("./examples.ts")).showExamples(args);

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["run", { usage: runUsage, about: "starts a flow and follows it to its end", act: run }],
  ["watch", { usage: watchUsage, about: "follows a run that is there; works on it if nobody does", act: watch }],
  ["approve", { usage: answerUsage, about: "says yes at a gate", act: approve }],
  ["reject", { usage: answerUsage, about: "says no", act: reject }],
  ["cancel", { usage: cancelUsage, about: "cancels a run, where its flow allows it", act: cancel }],
  ["demo", { usage: demoUsage, about: "runs the demo flows; what stepwell alone does", act: demo }],
  ["examples", { usage: examplesUsage, about: "checks and draws flows, the examples by default", act: examples }],
  ["help", { usage: "stepwell help [command|exit-codes]", about: "this, or more about one of them", act: help }],
  ["version", { usage: "stepwell version", about: "the version", act: tellVersion }],
]);

/** The exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", endWithReader);
  try {
    return await act(args);
  } catch (error) {
    const { exitCode, lines, document } = toProblem(error);
    if (args.includes("--json") || args.includes("--jsonl")) process.stdout.write(`${JSON.stringify(document)}\n`);
    else process.stderr.write(`${lines.join("\n")}\n`);
    return exitCode;
  }
}

let hasReader = true;

/** Whoever read the output has gone, as `head` does: there is nobody left to talk to. A run is left in good order. */
function endWithReader(error: Error): void {
  if (!("code" in error && error.code === "EPIPE")) throw error;
  if (!hasReader) return;
  hasReader = false;
  if (process.listenerCount("SIGTERM") === 0) process.exit(0);
  process.emit("SIGTERM", "SIGTERM");
}

async function act(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) return demo([]);
  if (name === "--help" || name === "-h") return help(rest);
  if (name === "--version" || name === "-v") return tellVersion();
  const command = commands.get(name);
  if (command !== undefined) return rest.includes("--help") ? help([name]) : command.act(rest);
  // `stepwell my-flow.yaml` can mean only one thing.
  if (/\.(?:json|ya?ml)$/.test(name) || existsSync(name)) return run(args);
  const near = nearest(name, commands.keys());
  throw new StepwellError(
    "USAGE",
    `There is no command "${name}".${near === undefined ? "" : ` Did you mean "${near}"?`}`,
    {
      hint: "stepwell help",
    },
  );
}

function help([name]: readonly string[]): number {
  if (name === "exit-codes") return tell(exitCodesText);
  const command = name === undefined ? undefined : commands.get(name);
  if (command !== undefined) return tell(`${command.about}\n\n  ${command.usage}`);
  const list = [...commands].map(([each, { about }]) => `  ${each.padEnd(10)}${about}`);
  return tell(
    ["stepwell <command>, or stepwell <file> to run a flow", "", ...list, "", "stepwell help run says how"].join("\n"),
  );
}

function tellVersion(): number {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return tell(version);
}

function tell(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
