// Finds the command, parses what it is given, runs it, and says what went wrong in one way for all of them.

import { existsSync } from "node:fs";
import { StepwellError } from "../error.ts";
import { nearest } from "../flow/suggest.ts";
import { usageOf, type Command, type Listed } from "./command.ts";
import { commands, groups } from "./commands.ts";
import { findConfig } from "./config.ts";
import { globalFlags } from "./global-flags.ts";
import { splitArguments } from "./leading-flags.ts";
import { createOutput } from "./output.ts";
import { parseFlags } from "./parse-flags.ts";
import { toProblem } from "./problem.ts";
import { refuseTwoPlaces } from "./server-place.ts";
import { withDefaults } from "./settings.ts";
import { surroundingsOf, type Surroundings } from "./surroundings.ts";

/** The exit code. */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Surroundings = surroundingsOf(process),
): Promise<number> {
  try {
    return await act(args, surroundings);
  } catch (error) {
    const { exitCode, lines, document } = toProblem(error);
    if (wantsJson(args)) surroundings.stdout.write(`${JSON.stringify(document)}\n`);
    else surroundings.stderr.write(`${lines.join("\n")}\n`);
    return exitCode;
  }
}

/** Asked of the words themselves: they may be what is wrong. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const flags = end === -1 ? args : args.slice(0, end);
  return flags.includes("--json") || flags.includes("--jsonl");
}

async function act(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { before, words } = splitArguments(args);
  const [first] = words;
  if (first === undefined) return actWithoutCommand(before, surroundings);
  if (first === "complete" && words[1] === "--") {
    const { printCompletion } = await import("./complete.ts");
    return printCompletion(words.slice(2), surroundings);
  }
  const found = findCommand(words);
  if (found !== undefined) return call(found.listed, [...before, ...found.rest], surroundings);
  const family = [...commands.values()].filter(({ name }) => name.startsWith(`${first} `));
  if (family.length > 0 && (words[1] === undefined || words[1].startsWith("-"))) {
    const { familyHelpText } = await import("./help.ts");
    surroundings.stdout.write(`${familyHelpText(first, family)}\n`);
    return words.length === 1 ? 2 : 0;
  }
  // `stepwell my-flow.yaml` can mean only one thing.
  if (/\.(?:json|ya?ml)$/.test(first) || existsSync(first)) return callNamed("run", args, surroundings);
  if (await isValueOfUp(before)) return callNamed("up", args, surroundings);
  throw family.length > 0 ? unknownMember(first, words[1] ?? "", family) : unknownCommand(first);
}

/** `stepwell --port 7701`: what looks like a command belongs to a flag of `up`, whose name may be left out. */
async function isValueOfUp(before: readonly string[]): Promise<boolean> {
  const last = before.at(-1);
  if (last === undefined || !last.startsWith("--")) return false;
  const flags = (await commands.get("up")?.load())?.command.flags ?? {};
  const flag = Object.entries(flags).find(([name]) => last === `--${name}`)?.[1];
  return flag !== undefined && "value" in flag;
}

function unknownCommand(name: string): StepwellError {
  const near = nearest(name, commands.keys());
  const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
  return new StepwellError("USAGE", `There is no command "${name}".${suggestion}`, { hint: "stepwell help" });
}

/** Only the second word may be wrong. */
function unknownMember(family: string, word: string, members: readonly Listed[]): StepwellError {
  const near = nearest(
    word,
    members.map(({ name }) => name.slice(family.length + 1)),
  );
  const suggestion = near === undefined ? "" : ` Did you mean "${family} ${near}"?`;
  const hint = `stepwell help ${family}`;
  return new StepwellError("USAGE", `There is no command "${family} ${word}".${suggestion}`, { hint });
}

type Found = { readonly listed: Listed; readonly rest: readonly string[] };

/** Of two words before one. */
function findCommand(words: readonly string[]): Found | undefined {
  for (const count of [2, 1]) {
    const listed = commands.get(words.slice(0, count).join(" "));
    if (listed !== undefined) return { listed, rest: words.slice(count) };
  }
  return undefined;
}

async function actWithoutCommand(flags: readonly string[], surroundings: Surroundings): Promise<number> {
  if (flags.includes("--help") || flags.includes("-h")) {
    const { helpText } = await import("./help.ts");
    surroundings.stdout.write(`${helpText(groups)}\n`);
    return 0;
  }
  const [only] = flags;
  const asksVersion = flags.length === 1 && (only === "--version" || only === "-v" || only === "-V");
  if (asksVersion) return callNamed("version", [], surroundings);
  return callNamed("up", flags, surroundings);
}

function callNamed(name: string, args: readonly string[], surroundings: Surroundings): Promise<number> {
  const listed = commands.get(name);
  if (listed === undefined) throw unknownCommand(name);
  return call(listed, args, surroundings);
}

async function call(listed: Listed, args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { command } = await listed.load();
  const usage = usageOf(listed.name, command);
  const { values, operands } = parseFlags(args, { ...command.flags, ...globalFlags }, usage);
  if (values.help) {
    const { commandHelpText } = await import("./help.ts");
    surroundings.stdout.write(`${commandHelpText(listed, command)}\n`);
    return 0;
  }
  refuseSurplus(command, operands, usage);
  if (values.as !== undefined && command.isNobodys === true)
    throw new StepwellError("USAGE", `stepwell ${listed.name} acts in nobody's name: leave --as out.`, { hint: usage });
  if (values.url !== undefined && command.isLocal === true) {
    const message = `stepwell ${listed.name} works on this machine and asks no server: leave --url out.`;
    throw new StepwellError("USAGE", message, { hint: usage });
  }
  if (apart.has(listed.name)) {
    return command.act({ values, operands, out: createOutput(values, surroundings), surroundings, usage, groups });
  }
  const told = { ...surroundings, config: await findConfig(surroundings.environment) };
  if (command.isLocal !== true) refuseTwoPlaces({ values, surroundings: told }, usage);
  const settled = withDefaults(values, told);
  if (settled.tz !== undefined) (await import("./time.ts")).createTimeFormat(settled.tz);
  return command.act({
    values: settled,
    operands,
    out: createOutput(values, told),
    surroundings: told,
    usage,
    groups,
  });
}

/** Whatever is wrong with the configuration of a project, these work. */
const apart: ReadonlySet<string> = new Set(["help", "version", "completion", "schema flow", "schema config", "demo"]);

function refuseSurplus({ operands: declared }: Command, given: readonly string[], usage: string): void {
  if (given.length <= declared.length || declared.at(-1)?.isRepeated === true) return;
  throw new StepwellError("USAGE", `"${given.slice(declared.length).join(" ")}" is too much.`, { hint: usage });
}
