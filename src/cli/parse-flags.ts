// A command line against the declaration of a command. What is not understood is told with what was probably meant.

import { StepwellError } from "../error.ts";
import { nearest } from "../flow/suggest.ts";
import type { Flag, Flags, Values } from "./command.ts";

export type Parsed<Declared extends Flags> = {
  readonly values: Values<Declared>;
  readonly operands: readonly string[];
};

/** `usage` is the hint of every refusal. */
export function parseFlags<Declared extends Flags>(
  args: readonly string[],
  flags: Declared,
  usage: string,
): Parsed<Declared> {
  const given: Given = new Map();
  const operands: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      operands.push(...rest);
      break;
    }
    if (!/^-[^\d-]|^--./.test(arg)) operands.push(arg);
    else {
      const { name, value } = readFlag(arg, rest, { flags, usage });
      const before = given.get(name) ?? [];
      if (typeof value === "string" && before.length > 0 && flags[name]?.isRepeated !== true)
        throw refuse(`--${name} is given twice.`, usage);
      given.set(name, [...before, value]);
    }
  }
  return { values: toValues(flags, given), operands };
}

/** Each as often as it stands there. */
type Given = Map<string, readonly (string | true)[]>;

function toValues<Declared extends Flags>(flags: Declared, given: Given): Values<Declared> {
  const entries = Object.entries(flags).map(([name, { value, isRepeated }]) => {
    const values = given.get(name) ?? [];
    return [name, isRepeated === true ? values : (values[0] ?? (value === undefined ? false : undefined))];
  });
  return Object.fromEntries(entries) as Values<Declared>;
}

type Declaration = { readonly flags: Flags; readonly usage: string };

/** Takes its value from what follows. */
function readFlag(
  arg: string,
  rest: string[],
  { flags, usage }: Declaration,
): { readonly name: string; readonly value: string | true } {
  const [, text = arg, attached] = /^([^=]+)=(.*)$/s.exec(arg) ?? [];
  const { name, flag } = findFlag(text, flags, usage);
  if (flag.value === undefined) {
    if (attached !== undefined) throw refuse(`${text} takes no value.`, usage);
    return { name, value: true };
  }
  const value = attached ?? rest.shift();
  if (value === undefined || (attached === undefined && /^--./.test(value)))
    throw refuse(`${text} needs a value: --${name} ${flag.value}`, usage);
  if (flag.choices !== undefined && !flag.choices.includes(value))
    throw refuse(
      `There is no ${name} "${value}".${suggest(value, flag.choices)}`,
      `--${name} ${flag.choices.join("|")}`,
    );
  return { name, value };
}

function findFlag(text: string, flags: Flags, usage: string): { readonly name: string; readonly flag: Flag } {
  const isLong = text.startsWith("--");
  const wanted = text.replace(/^--?/, "");
  for (const [name, flag] of Object.entries(flags)) if ((isLong ? name : flag.short) === wanted) return { name, flag };
  const near = nearest(wanted, Object.keys(flags));
  throw refuse(`There is no flag ${text}.${near === undefined ? "" : ` Did you mean --${near}?`}`, usage);
}

function suggest(text: string, choices: readonly string[]): string {
  const near = nearest(text, choices);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

function refuse(message: string, hint: string): StepwellError {
  return new StepwellError("USAGE", message, { hint });
}
