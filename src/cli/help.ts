// Help, from the declarations alone.

import { usageOf, type Command, type Flags, type Group, type Listed } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { globalFlags } from "./global-flags.ts";

/** Of `stepwell help`. */
export function helpText(groups: readonly Group[]): string {
  const sections = groups.flatMap(({ title, commands }) => [
    title,
    ...inColumns(commands.map(({ name, about }) => [name, about])),
    "",
  ]);
  return [
    "stepwell <command>, or stepwell <file> to run a flow",
    "",
    ...sections,
    "Every command takes",
    ...flagLines(globalFlags),
    "",
    "More: stepwell help <command>, stepwell help exit-codes",
  ].join("\n");
}

/** Of `stepwell help run`. */
export function commandHelpText({ name, about }: Listed, command: Command): string {
  const { flags, examples, details } = command;
  const own = flagLines(flags);
  const usage = usageOf(name, { ...command, flags: {} });
  return [
    `${about.slice(0, 1).toUpperCase()}${about.slice(1)}${about.endsWith("?") ? "" : "."}`,
    "",
    `  ${usage}${own.length === 0 ? "" : " [flags]"}`,
    ...(details === undefined ? [] : ["", details]),
    ...(own.length === 0 ? [] : ["", "Flags", ...own]),
    ...(examples.length === 0 ? [] : ["", "Examples", ...examples.map((example) => `  stepwell ${example}`)]),
    "",
    "Flags of every command: stepwell help",
  ].join("\n");
}

/** Of `stepwell help workflow`, when there are `workflow save` and others. */
export function familyHelpText(name: string, members: readonly Listed[]): string {
  return [`stepwell ${name} <command>`, "", ...inColumns(members.map((member) => [member.name, member.about]))].join(
    "\n",
  );
}

export function exitCodesText(): string {
  return [...exitCodes].map(([code, about]) => `${String(code).padEnd(5)}${about}`).join("\n");
}

function flagLines(flags: Flags): readonly string[] {
  return inColumns(
    Object.entries(flags).map(([name, { value, short, about }]) => [
      `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
      about,
    ]),
  );
}

function inColumns(rows: readonly (readonly [left: string, right: string])[]): readonly string[] {
  const width = rows.reduce((most, [left]) => Math.max(most, left.length), 0);
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
