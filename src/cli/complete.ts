// What a shell is told when somebody presses the key: `stepwell complete -- words`, of which the last is the one to
// complete. One candidate a line with a tab and what it is, then a line without one that tells the shell how to take
// them: `:files`. Never says that something is wrong: whoever types does not want to know.

import { toPlainText } from "../flow/draw/text.ts";
import type { Command, Completing, Flag, Flags, Listed } from "./command.ts";
import { commands } from "./commands.ts";
import { listServerNames, listToolNames, listWorkflowNames, type Candidate } from "./complete-names.ts";
import { findConfig } from "./config.ts";
import { globalFlags } from "./global-flags.ts";
import { splitArguments } from "./leading-flags.ts";
import { parseFlags } from "./parse-flags.ts";
import { readRowsOf } from "../server/inbox.ts";
import type { Surroundings } from "./surroundings.ts";
import { openView } from "./open-view.ts";
import { hasPlace, type View } from "./view.ts";
import { needsPerson } from "../engine/doing.ts";

type Completion = {
  readonly candidates: readonly Candidate[];
  /** How the shell takes them: with files, as they are, or in this order. */
  readonly directive: "files" | "plain" | "ordered";
};

export async function printCompletion(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { candidates, directive } = await completeWords(words, surroundings).catch(() => nothing);
  for (const { value, about } of candidates) {
    // What breaks a line cannot be handed to a shell line by line.
    if (!/\p{Cc}/u.test(value)) surroundings.stdout.write(`${value}\t${about}\n`);
  }
  surroundings.stdout.write(`:${directive}\n`);
  return 0;
}

const nothing: Completion = { candidates: [], directive: "plain" };

async function completeWords(given: readonly string[], surroundings: Surroundings): Promise<Completion> {
  const current = given.at(-1) ?? "";
  const { before: leading, words: before } = splitArguments(given.slice(0, -1));
  const found = findCommand(before);
  const command = found === undefined ? undefined : (await found.listed.load()).command;
  const flags: Flags = { ...command?.flags, ...globalFlags };
  const context = { before: [...leading, ...(found?.rest ?? before)], command, surroundings };
  const flag = flagBefore(given.at(-2), flags);
  if (flag !== undefined) {
    // Without the flag itself: its value is still to come.
    const settled = { ...context, before: context.before.slice(0, -1) };
    return startingWith(current, await completeFrom(flag.completes ?? flag.choices, settled));
  }
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (name !== undefined && value !== undefined) return completeAttached(name, value, { ...context, flags });
  if (current.startsWith("-")) return startingWith(current, completeFlags(flags));
  if (command === undefined) return startingWith(current, completeNames(before));
  return startingWith(current, await completeOperand(command, context));
}

/** `--status=run`: the candidates are whole words. */
async function completeAttached(
  name: string,
  value: string,
  context: Context & { readonly flags: Flags },
): Promise<Completion> {
  const flag = flagBefore(name, context.flags);
  const { candidates, directive } = startingWith(value, await completeFrom(flag?.completes ?? flag?.choices, context));
  return { candidates: candidates.map((each) => ({ ...each, value: `${name}=${each.value}` })), directive };
}

type Context = {
  /** The words before its name and after it. */
  readonly before: readonly string[];
  readonly command: Command | undefined;
  readonly surroundings: Surroundings;
};

function findCommand(
  words: readonly string[],
): { readonly listed: Listed; readonly rest: readonly string[] } | undefined {
  for (const count of [2, 1]) {
    const listed = commands.get(words.slice(0, count).join(" "));
    if (listed !== undefined && words.length >= count) return { listed, rest: words.slice(count) };
  }
  return undefined;
}

/** A flag that waits for its value. */
function flagBefore(word: string | undefined, flags: Flags): Flag | undefined {
  if (word?.startsWith("-") !== true) return undefined;
  const [, flag] =
    Object.entries(flags).find(([name, { short }]) => word === `--${name}` || word === `-${short ?? "-"}`) ?? [];
  return flag?.value === undefined ? undefined : flag;
}

function completeFlags(flags: Flags): Completion {
  const candidates = Object.entries(flags).map(([name, { about }]) => ({ value: `--${name}`, about }));
  return { candidates, directive: "plain" };
}

/** The first word, or the second of a family; a flow's file may stand in place of a command. */
function completeNames(before: readonly string[]): Completion {
  const [family] = before;
  const listed = [...commands.values()].flatMap(({ name, about }) => {
    const [first = "", second] = name.split(" ");
    if (family === undefined) return [{ value: first, about }];
    return first === family && second !== undefined ? [{ value: second, about }] : [];
  });
  return { candidates: listed, directive: family === undefined ? "files" : "plain" };
}

async function completeOperand(command: Command, context: Context): Promise<Completion> {
  const given = operandsIn(context.before, command);
  const operand =
    command.operands[given.length] ??
    (command.operands.at(-1)?.isRepeated === true ? command.operands.at(-1) : undefined);
  return operand?.completes === undefined ? nothing : completeFrom(operand.completes, context);
}

function operandsIn(words: readonly string[], command: Command): readonly string[] {
  try {
    return parseFlags(words, { ...command.flags, ...globalFlags }, "").operands;
  } catch {
    return words.filter((word) => !word.startsWith("-"));
  }
}

async function completeFrom(completing: Completing | undefined, context: Context): Promise<Completion> {
  if (completing === undefined) return nothing;
  if (completing === "file") return { candidates: [], directive: "files" };
  if (typeof completing !== "string") {
    return { candidates: completing.map((value) => ({ value, about: "" })), directive: "plain" };
  }
  if (completing === "tool") return { candidates: await listToolNames(), directive: "plain" };
  const { surroundings, command, before } = context;
  const { values } = parseFlags(
    before.filter((word) => word !== "--help"),
    { ...command?.flags, ...globalFlags },
    "",
  );
  const wish = { values, surroundings: { ...surroundings, config: await findConfig(surroundings.environment) } };
  if (completing === "server") return { candidates: await listServerNames(wish), directive: "plain" };
  const directive = completing === "flow" ? "files" : completing === "workflow" ? "plain" : "ordered";
  if (!(await hasPlace(wish))) return { candidates: [], directive };
  await using view = await openView({ ...wish, patienceMs });
  const given = command === undefined ? [] : operandsIn(before, command);
  return { candidates: await listFrom(view, completing, given), directive };
}

/** Whoever has pressed a key does not wait for a server that is away. */
const patienceMs = 1000;

/** So many of the newest runs. */
const runsMax = 20;

type FromStore = Exclude<Extract<Completing, string>, "file" | "tool" | "server">;

async function listFrom(view: View, what: FromStore, given: readonly string[]): Promise<readonly Candidate[]> {
  switch (what) {
    case "run": {
      const runs = await view.list({ status: "all", limitMax: runsMax });
      return runs.map(({ run }) => ({ value: String(run.id), about: toPlainText(`${run.name} ${run.status}`) }));
    }
    case "step":
      return listWaitingSteps(view);
    case "step-name":
      return listStepNames(view, given[0]);
    case "workflow":
    case "flow":
      return listWorkflowNames(view);
  }
}

async function listWaitingSteps(view: View): Promise<readonly Candidate[]> {
  const runs = await view.list({ status: "live", limitMax: runsMax });
  const rows = await readRowsOf(
    view,
    runs.map(({ run }) => run.id),
  );
  return runs.flatMap(({ run }) => {
    const waiting = (rows.get(run.id) ?? []).filter(needsPerson);
    return waiting.map(({ id, name }) => ({ value: String(id), about: toPlainText(`${name} of ${run.name}`) }));
  });
}

async function listStepNames(view: View, text: string | undefined): Promise<readonly Candidate[]> {
  const [run] = text === undefined || !/^\d+$/.test(text) ? [] : await view.ids.findIds("run", text);
  if (run === undefined) return [];
  const names = (await view.listRows(run)).map((row) => toPlainText(row.name));
  return [...new Set(names)].map((value) => ({ value, about: "" }));
}

function startingWith(current: string, { candidates, directive }: Completion): Completion {
  const seen = new Set<string>();
  const kept = candidates.filter(({ value }) => value.startsWith(current) && !seen.has(value) && seen.add(value));
  return { candidates: kept, directive };
}
