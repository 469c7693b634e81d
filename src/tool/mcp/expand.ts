// Fills in what a configuration leaves to the surroundings, when a server is connected to: `${VAR}`, `${VAR:-x}`,
// `${env:X}`, `${input:id}`, `${workspaceFolder}` and the like. Nothing that was filled in is kept or told; what cannot be
// filled in refuses the server, since it would be sent as it is written.

import { basename, isAbsolute, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import type { HttpTarget, StdioTarget } from "./contract.ts";
import type { ConfiguredServer, ServerInput } from "./parse-servers.ts";

export type ResolvedServer =
  | {
      readonly ok: true;
      readonly target: StdioTarget | HttpTarget;
      /** Each value that was filled in, so that it can be hidden wherever it comes back. */
      readonly filled: readonly string[];
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

export async function resolveServer(server: ConfiguredServer, around: Surroundings): Promise<ResolvedServer> {
  const filler = new Filler(server, around);
  const { target } = server.entry;
  const resolved = target.kind === "http" ? filler.fillHttp(target) : await filler.fillStdio(target);
  const [problem] = filler.problems;
  if (problem === undefined) return { ok: true, target: resolved, filled: [...filler.filled] };
  const others = filler.problems.length - 1;
  const more = others === 0 ? "" : ` (and ${others} more like it)`;
  return { ok: false, problem: `${problem}${more}.` };
}

class Filler {
  readonly problems: string[] = [];
  readonly filled = new Set<string>();
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

  #fill(text: string, where: string): string {
    // Once, from left to right: what was filled in is not looked at again.
    return text.replaceAll(/\$\{([^{}]*)\}/g, (whole, inner: string) => {
      const found = this.#find(inner);
      if (typeof found === "string") {
        this.filled.add(found);
        return found;
      }
      this.problems.push(`${whole} stands in ${where}, and ${found.why}`);
      return "";
    });
  }

  #find(inner: string): string | { readonly why: string } {
    const place = this.#findPlace(inner);
    if (place !== undefined) return place;
    if (inner.startsWith("input:")) return this.#findInput(inner.slice("input:".length));
    const [, name = "", fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner) ?? [];
    if (name === "") return { why: "this is none of the placeholders that are known here" };
    const value = this.#around.environment[name];
    // As a shell has it: with another value to take, an empty one counts as none.
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    return fallback ?? { why: `${name} is not set` };
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

  #findInput(id: string): string | { readonly why: string } {
    const name = nameOfInput(id);
    const { environment, findSecret } = this.#around;
    const given = environment[`STEPWELL_INPUT_${name}`] ?? findSecret(id) ?? findSecret(name);
    if (given !== undefined) return given;
    const input = this.#server.inputs.find((each: ServerInput) => each.id === id);
    if (input !== undefined && input.fallback !== null) return input.fallback;
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
    for (const [, value] of variables) this.filled.add(value);
    return Object.fromEntries(variables);
  }

  #inFolder(path: string): string {
    return isAbsolute(path) ? path : resolve(this.#server.folder, path);
  }
}

/** `api-key` is `API_KEY`: names of variables know no other signs. */
function nameOfInput(id: string): string {
  return id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
}
