// What a command is: one declaration, from which parsing, help and completion come. A command's file imports nothing
// heavy before `act` runs, so that help and mistakes are answered at once.

import type { globalFlags } from "./global-flags.ts";
import type { Output } from "./output.ts";
import type { Surroundings } from "./surroundings.ts";

/** What may stand in a place of the command line, for completion; a flow is a file or a saved workflow. */
export type Completing =
  | "file"
  | "run"
  | "step"
  | "step-name"
  | "workflow"
  | "flow"
  | "tool"
  | "server"
  | readonly string[];

export type Flag = {
  readonly about: string;
  /** What stands behind it, as help shows it: `FILE`; without it the flag is a yes. */
  readonly value?: string;
  readonly short?: string;
  /** It may stand several times; of one with a value. */
  readonly isRepeated?: true;
  /** The only values that there are. */
  readonly choices?: readonly string[];
  readonly completes?: Completing;
};

export type Flags = { readonly [name: string]: Flag };

/** What was given: a text or nothing, a list of texts, yes or no. */
export type Values<Declared extends Flags> = {
  readonly [Name in keyof Declared]: Declared[Name] extends { readonly isRepeated: true }
    ? readonly string[]
    : Declared[Name] extends { readonly value: string }
      ? string | undefined
      : boolean;
};

export type Operand = {
  /** As help shows it: `<run>`, `[key=value …]`. */
  readonly name: string;
  readonly completes?: Completing;
  /** The last one may stand several times. */
  readonly isRepeated?: boolean;
};

/** Of a command whose own flags do not matter. */
type NoFlags = typeof noFlags;
const noFlags = {} as const;

export type Call<Declared extends Flags = NoFlags> = {
  readonly values: Values<Declared> & Values<typeof globalFlags>;
  readonly operands: readonly string[];
  readonly out: Output;
  readonly surroundings: Surroundings;
  /** How the command is written, for whoever got it wrong. */
  readonly usage: string;
  /** Every command there is. */
  readonly groups: readonly Group[];
};

export type Command = {
  readonly operands: readonly Operand[];
  readonly flags: Flags;
  /** Whole command lines without `stepwell`; `help` shows them, and a test checks that they can be parsed. */
  readonly examples: readonly string[];
  /** What it does is nobody's doing: `--as` would mean nothing, and is refused. */
  readonly isNobodys?: true;
  /** It works on this machine and asks no server: `--url` would mean nothing, and is refused. */
  readonly isLocal?: true;
  /** More than the one line of the list. */
  readonly details?: string;
  /** Its exit code. */
  act(call: Call): number | Promise<number>;
};

type CommandWith<Declared extends Flags> = Omit<Command, "flags" | "act"> & {
  readonly flags: Declared;
  act(call: Call<Declared>): number | Promise<number>;
};

/** Only for its types: what `act` is given follows from the flags. */
export function defineCommand<const Declared extends Flags>(command: CommandWith<Declared>): Command {
  return command;
}

/** As it stands in the list of commands: enough for `stepwell help`. */
export type Listed = {
  /** One word, or two: `workflow save`. */
  readonly name: string;
  readonly about: string;
  readonly load: () => Promise<{ readonly command: Command }>;
};

/** As help shows them. */
export type Group = { readonly title: string; readonly commands: readonly Listed[] };

/** `stepwell run <workflow|file> [key=value …] [--input JSON]` */
export function usageOf(name: string, { operands, flags }: Command): string {
  const options = Object.entries(flags).map(([flag, { value }]) =>
    value === undefined ? `[--${flag}]` : `[--${flag} ${value}]`,
  );
  return ["stepwell", name, ...operands.map((operand) => operand.name), ...options].join(" ");
}
