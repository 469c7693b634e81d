// One more server of tools, as somebody says it in a form: from what is typed or pasted to what stands in a file of servers.
// What is said there may be a secret: no problem repeats it.

import { isObject, type Json, type JsonObject } from "./json.ts";
import { toPlainJson } from "./jsonc.ts";
import { splitWords } from "./shell-words.ts";

type Wrong = { readonly ok: false; readonly problem: string };
type Read<Value> = { readonly ok: true; readonly value: Value } | Wrong;

export type ServerWay = "program" | "address" | "paste";

export type ServerDraft = {
  readonly way: ServerWay;
  readonly name: string;
  readonly command: string;
  readonly environment: string;
  readonly url: string;
  readonly headers: string;
  readonly pasted: string;
  /** Which of those that were pasted. */
  readonly chosen: number;
};

export const emptyServer: ServerDraft = {
  way: "program",
  name: "",
  command: "",
  environment: "",
  url: "",
  headers: "",
  pasted: "",
  chosen: 0,
};

/** What can be wrong with each field; empty fields are missing, and nothing is wrong with them yet. */
export type ServerProblems = { readonly [field in keyof ServerDraft]?: string };

export type ReadServer = {
  /** null: something is missing or wrong. */
  readonly settings: JsonObject | null;
  readonly problems: ServerProblems;
};

/** As the engine has it, which says the rest: names of its own groups are taken. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/u;

export function readServer(draft: ServerDraft): ReadServer {
  const name = draft.name === "" || namePattern.test(draft.name) ? {} : { name: nameRule };
  const { settings, problems } = readWay(draft);
  return { settings, problems: { ...name, ...problems } };
}

const nameRule = "A name has 1 to 64 letters, digits, _ and -: steps call its tools by it, as name.tool.";

function readWay(draft: ServerDraft): ReadServer {
  switch (draft.way) {
    case "program":
      return readProgram(draft);
    case "address":
      return readAddress(draft);
    case "paste": {
      const found = readPasted(draft.pasted);
      if (!found.ok) return { settings: null, problems: draft.pasted.trim() === "" ? {} : { pasted: found.problem } };
      return { settings: found.value[draft.chosen]?.settings ?? null, problems: {} };
    }
  }
}

function readProgram({ command: line, environment }: ServerDraft): ReadServer {
  const split = splitWords(line);
  const env = readPairs(environment, "=");
  const [command, ...args] = split.ok ? split.words : [];
  const problems = {
    ...(split.ok ? (isAssignment(command) ? { command: assignmentRule } : {}) : { command: split.problem }),
    ...(env.ok ? {} : { environment: env.problem }),
  };
  const isUsable = command !== undefined && command !== "" && Object.keys(problems).length === 0 && env.ok;
  return { settings: isUsable ? { command, args, ...pairsAs("env", env.value) } : null, problems };
}

const assignmentRule =
  "It begins with NAME=VALUE: that belongs to the environment below, and the program comes first here.";

function isAssignment(word: string | undefined): boolean {
  return word !== undefined && /^[A-Za-z_]\w*=/u.test(word);
}

function readAddress({ url: typed, headers: lines }: ServerDraft): ReadServer {
  const url = typed.trim();
  const headers = readPairs(lines, "=:");
  const problems = {
    ...(url === "" || /^https?:\/\/\S+$/iu.test(url) || url.startsWith("${") ? {} : { url: urlRule }),
    ...(headers.ok ? {} : { headers: headers.problem }),
  };
  const isUsable = url !== "" && Object.keys(problems).length === 0 && headers.ok;
  return { settings: isUsable ? { url, ...pairsAs("headers", headers.value) } : null, problems };
}

const urlRule = "An address begins with http:// or https://.";

function pairsAs(key: string, pairs: { readonly [name: string]: string }): JsonObject {
  return Object.keys(pairs).length === 0 ? {} : { [key]: pairs };
}

/** One to a line. `signs`: what stands between name and value; headers are often written with a colon. */
export function readPairs(text: string, signs: "=" | "=:"): Read<{ readonly [name: string]: string }> {
  const pairs = new Map<string, string>();
  for (const [at, line] of text.split("\n").entries()) {
    const said = line.trim();
    if (said === "" || said.startsWith("#")) continue;
    const cut = said.search(signs === "=" ? /=/u : /[=:]/u);
    const name = said.slice(0, Math.max(cut, 0)).trim();
    if (name === "" || /\s/u.test(name)) return { ok: false, problem: `Line ${at + 1} is no NAME=VALUE.` };
    if (pairs.has(name)) return { ok: false, problem: `Line ${at + 1} says ${name} once more.` };
    pairs.set(name, said.slice(cut + 1).trim());
  }
  return { ok: true, value: Object.fromEntries(pairs) };
}

/** One of those that were pasted. */
export type Candidate = {
  /** A name that it can have here; empty: none was given. */
  readonly name: string;
  readonly settings: JsonObject;
  /** Its program or address, for people. */
  readonly target: string;
};

const pastedLengthMax = 1_048_576;
const nothingFound = "There is no server in it: none of mcpServers, servers, command and url is there.";

/** A whole file, the map of servers alone, or one server; with the quotes of its name around it or without. */
export function readPasted(text: string): Read<readonly Candidate[]> {
  if (text.length > pastedLengthMax) return { ok: false, problem: "It is longer than 1 MB." };
  const document = parsePasted(text);
  if (!document.ok) return document;
  const found = findCandidates(document.value);
  return found.length === 0 ? { ok: false, problem: nothingFound } : { ok: true, value: found };
}

/** The first of those that are left, as it is taken up into the form; null: none is. */
export function nextPasted(
  text: string,
  added: ReadonlySet<number>,
): (Pick<ServerDraft, "chosen"> & Partial<Pick<ServerDraft, "name">>) | null {
  const found = readPasted(text);
  const at = found.ok ? found.value.findIndex((_, each) => !added.has(each)) : -1;
  if (!found.ok || at === -1) return null;
  const name = found.value[at]?.name ?? "";
  return { chosen: at, ...(name === "" ? {} : { name }) };
}

function parsePasted(text: string): Read<Json> {
  const plain = toPlainJson(text);
  // As pages of servers often show it: a member, without the braces around it.
  const tries = /^\s*"/u.test(plain) ? [`{${plain.replace(/,\s*$/u, "")}}`, plain] : [plain];
  for (const each of tries)
    try {
      return { ok: true, value: JSON.parse(each) as Json };
    } catch {
      // Told below, by the text as it was pasted.
    }
  return { ok: false, problem: "It is no JSON: a comma, a quote or a brace is missing or too many." };
}

function findCandidates(document: Json): readonly Candidate[] {
  if (!isObject(document)) return [];
  if (isServer(document)) return [toCandidate("", document)];
  const inner = own(document, "mcp");
  const holders: readonly (readonly [JsonObject, string])[] = [
    [document, "mcpServers"],
    [document, "servers"],
    ...(isObject(inner) ? ([[inner, "servers"]] as const) : []),
    [document, "mcp.servers"],
  ];
  for (const [holder, key] of holders) {
    const servers = own(holder, key);
    if (isObject(servers)) return toCandidates(servers, own(holder, "inputs"));
  }
  return toCandidates(document, undefined);
}

/** What an editor would ask for goes along with each, since it stands outside of them. */
function toCandidates(servers: JsonObject, inputs: Json | undefined): readonly Candidate[] {
  return Object.entries(servers).flatMap(([key, server]) => {
    if (!isObject(server) || !isServer(server)) return [];
    return [toCandidate(key, inputs === undefined ? server : { inputs, ...server })];
  });
}

function toCandidate(key: string, settings: JsonObject): Candidate {
  const given = own(settings, "as");
  return {
    name: toName(typeof given === "string" ? given : key),
    settings,
    target: textIn(settings, "command") === null ? (addressIn(settings) ?? "") : commandIn(settings),
  };
}

/** One that could stand in its place: `io.github.upstash/context7` is no name here. */
function toName(key: string): string {
  return key
    .replaceAll(/[^A-Za-z0-9_-]+/gu, "_")
    .replaceAll(/^_+|_+$/gu, "")
    .slice(0, 64);
}

function isServer(value: JsonObject): boolean {
  return textIn(value, "command") !== null || addressIn(value) !== null;
}

function addressIn(value: JsonObject): string | null {
  return textIn(value, "url") ?? textIn(value, "serverUrl") ?? textIn(value, "httpUrl");
}

function commandIn(value: JsonObject): string {
  const args = own(value, "args");
  return [textIn(value, "command") ?? "", ...(Array.isArray(args) ? args : [])].map(String).join(" ");
}

function textIn(value: JsonObject, key: string): string | null {
  const found = own(value, key);
  return typeof found === "string" ? found : null;
}

function own(value: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
