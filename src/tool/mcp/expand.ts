// Fills in what a configuration leaves to the surroundings, when a server is connected to: `${VAR}`, `${VAR:-x}`,
// `${env:X}`, `${input:id}`, `${workspaceFolder}` and the like. Nothing that was filled in is kept or told; what cannot be
// filled in refuses the server, since it would be sent as it is written.

import { basename, isAbsolute, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import type { HttpTarget, StdioTarget } from "./contract.ts";
import type { ConfiguredServer, ServerInput } from "./parse-servers.ts";
import { isPlainValue, isSecretValue } from "./plain-value.ts";

export type ResolvedServer =
  | {
      readonly ok: true;
      readonly target: StdioTarget | HttpTarget;
      /** Each value that came from outside the file and may be a secret, to be hidden where the server speaks to people. */
      readonly filled: readonly string[];
      /** Of these, what surely is one: to be hidden wherever it comes back. */
      readonly secrets: readonly string[];
    }
  /** Why it cannot be connected to, with the names of what is missing and no value. */
  | { readonly ok: false; readonly problem: string };

export type Surroundings = {
  readonly environment: { readonly [name: string]: string | undefined };
  /** A secret of the store; undefined: there is none of this name. */
  readonly findSecret: (name: string) => string | undefined;
  readonly home: string;
  /** The text of a file; null: it cannot be read. */
  readonly readFile: (path: string) => Promise<string | null>;
};

/** Of a file of variables. */
const envFileLengthMax = 1_048_576;
/** What is taken in the place of one may hold another: nobody writes more of them in one another. */
const nestedMax = 10;

type Found =
  /** `isGiven`: it does not stand in the file; `isSecret`: it was kept, or is asked for, as a secret. */
  | { readonly value: string; readonly isGiven: boolean; readonly isSecret?: boolean }
  /** What is written for the case that there is none. */
  | { readonly fallback: string }
  | { readonly why: string };

export async function resolveServer(server: ConfiguredServer, around: Surroundings): Promise<ResolvedServer> {
  const filler = new Filler(server, around);
  const { target } = server.entry;
  const resolved = target.kind === "http" ? filler.fillHttp(target) : await filler.fillStdio(target);
  const [problem] = filler.problems;
  if (problem === undefined)
    return { ok: true, target: resolved, filled: [...filler.filled], secrets: [...filler.secrets] };
  const others = filler.problems.length - 1;
  const more = others === 0 ? "" : ` (and ${others} more like it)`;
  return { ok: false, problem: `${problem}${more}.` };
}

class Filler {
  readonly problems: string[] = [];
  readonly filled = new Set<string>();
  readonly secrets = new Set<string>();
  readonly #server: ConfiguredServer;
  readonly #around: Surroundings;

  constructor(server: ConfiguredServer, around: Surroundings) {
    this.#server = server;
    this.#around = around;
  }

  async fillStdio({ command, args, env, cwd }: StdioTarget): Promise<StdioTarget> {
    const { envFile, folder } = this.#server;
    const fromFile = envFile === null ? {} : await this.#readEnvFile(this.#inFolder(this.#fill(envFile, "envFile")));
    const filled: StdioTarget = {
      kind: "stdio",
      command: this.#fill(command, "command"),
      args: args.map((arg, index) => this.#fill(arg, `args[${index}]`)),
      env: { ...fromFile, ...this.#fillAll(env, "env") },
      cwd: cwd === null ? folder : this.#inFolder(this.#fill(cwd, "cwd")),
    };
    if ([filled.command, ...filled.args, ...Object.values(filled.env)].some((text) => text.includes("\0")))
      this.problems.push("Something that was filled in holds a character that no program can be given");
    return filled;
  }

  fillHttp({ url, headers }: HttpTarget): HttpTarget {
    const filled: HttpTarget = {
      kind: "http",
      url: this.#fill(url, "url"),
      headers: this.#fillAll(headers, "headers"),
    };
    // What is missing has been told already.
    if (this.problems.length === 0) this.#checkHttp(filled);
    return filled;
  }

  #checkHttp({ url, headers }: HttpTarget): void {
    const parsed = URL.parse(url);
    if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:"))
      this.problems.push("Its url is no address that begins with http:// or https://");
    else if (parsed.username !== "" || parsed.password !== "")
      this.problems.push("Its url holds a user or a password; write them as a header");
    for (const [name, value] of Object.entries(headers))
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7E\x80-\xFF]/.test(value))
        this.problems.push(`The header ${JSON.stringify(name)} holds a character that no header can`);
  }

  #fillAll(texts: Readonly<Record<string, string>>, where: string): Record<string, string> {
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, this.#fill(text, `${where}.${name}`)]),
    );
  }

  #fill(text: string, where: string, depth = 0): string {
    if (depth > nestedMax) {
      this.problems.push(`${where} has more than ${nestedMax} placeholders in one another`);
      return "";
    }
    let filled = "";
    let at = 0;
    // Once, from left to right: what was filled in is not looked at again.
    for (let from = text.indexOf("${"); from !== -1; from = text.indexOf("${", at)) {
      const end = findEnd(text, from);
      if (end === -1) {
        this.problems.push(`${where} has a \${ without its }`);
        return "";
      }
      filled += text.slice(at, from) + this.#fillOne(text.slice(from + 2, end), where, depth);
      at = end + 1;
    }
    return filled + text.slice(at);
  }

  #fillOne(inner: string, where: string, depth: number): string {
    const found = this.#find(inner);
    if ("fallback" in found) return this.#fill(found.fallback, where, depth + 1);
    if ("value" in found) {
      if (found.isGiven) this.#note(found.value, `${inner} ${where}`, found.isSecret === true);
      return found.value;
    }
    this.problems.push(`\${${inner}} stands in ${where}, and ${found.why}`);
    return "";
  }

  #note(value: string, names: string, isSecret = false): void {
    if (isSecret || names.startsWith("input:") || !isPlainValue(value, names)) this.filled.add(value);
    if (isSecret || isSecretValue(value, names)) this.secrets.add(value);
  }

  #find(inner: string): Found {
    const place = this.#findPlace(inner);
    if (place !== undefined) return { value: place, isGiven: false };
    if (inner.startsWith("input:")) return this.#findInput(inner.slice("input:".length));
    const [, name = "", fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner) ?? [];
    if (name === "") return { why: "this is none of the placeholders that are known here" };
    const value = this.#fromEnvironment(name);
    // As a shell has it: with another value to take, an empty one counts as none.
    if (value !== undefined && (value !== "" || fallback === undefined)) return { value, isGiven: true };
    return fallback === undefined ? { why: `${name} is not set` } : { fallback };
  }

  /** Nothing that all objects have is a variable of it. */
  #fromEnvironment(name: string): string | undefined {
    const { environment } = this.#around;
    return Object.hasOwn(environment, name) ? environment[name] : undefined;
  }

  #findPlace(inner: string): string | undefined {
    const { folder } = this.#server;
    switch (inner) {
      case "userHome":
        return this.#around.home;
      case "workspaceFolder":
        return folder;
      case "workspaceFolderBasename":
        return basename(folder);
      case "pathSeparator":
      case "/":
        return sep;
    }
    return undefined;
  }

  #findInput(id: string): Found {
    const name = nameOfInput(id);
    const { findSecret } = this.#around;
    const input = this.#server.inputs.find((each: ServerInput) => each.id === id);
    const said = this.#fromEnvironment(`STEPWELL_INPUT_${name}`);
    if (said !== undefined) return { value: said, isGiven: true, isSecret: input?.isPassword === true };
    const kept = findSecret(id) ?? findSecret(name);
    if (kept !== undefined) return { value: kept, isGiven: true, isSecret: true };
    if (input !== undefined && input.fallback !== null) return { value: input.fallback, isGiven: false };
    return { why: `nobody has said it: set STEPWELL_INPUT_${name}, or type stepwell secret set ${name}` };
  }

  async #readEnvFile(path: string): Promise<Record<string, string>> {
    const text = this.problems.length === 0 ? await this.#around.readFile(path) : "";
    if (text === null || text.length > envFileLengthMax) {
      this.problems.push(text === null ? "Its envFile cannot be read" : "Its envFile is larger than 1 MB");
      return {};
    }
    const variables = Object.entries(parseEnv(text)).flatMap(([name, value = null]) =>
      value === null ? [] : [[name, value] as const],
    );
    for (const [name, value] of variables) this.#note(value, name);
    return Object.fromEntries(variables);
  }

  #inFolder(path: string): string {
    return isAbsolute(path) ? path : resolve(this.#server.folder, path);
  }
}

/** Where the placeholder ends that begins here; -1: nowhere. Pairs of braces may stand in it. */
function findEnd(text: string, from: number): number {
  let open = 0;
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "{") open += 1;
    else if (text[at] === "}" && --open === 0) return at;
  }
  return -1;
}

/** `api-key` is `API_KEY`: names of variables know no other signs. */
function nameOfInput(id: string): string {
  return id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
}
