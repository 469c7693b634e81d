// A server's program or address in one line, as it may lie in a file that others read: nothing is filled in, and only what
// is no secret for certain can be read. Every other word stands as the beginning of its hash, so that another one is seen;
// what is called a secret is left out altogether, since a weak one could be guessed from its hash. For people there is a
// second form: with the paths of files, by which they know a program, and without hashes, which tell them nothing. Pure.

import { hashOf } from "../../flow/hash.ts";
import type { ServerEntry } from "./contract.ts";

/** Of what is called so, nobody would show the value. */
export const secretName: RegExp = /key|token|secret|pass|pwd|auth|credential|cookie|bearer|signature/i;
const left = "…";
const markLength = 8;

/** What becomes of a word that may be anything. */
type Veil = (word: string) => string;

/** As it may lie in a file that others read. */
export function describeTarget(entry: Pick<ServerEntry, "target">): string {
  return describe(entry, mark);
}

/** For who may start programs on this machine. */
export function tellTarget(entry: Pick<ServerEntry, "target">): string {
  return describe(entry, tellPath);
}

function describe({ target }: Pick<ServerEntry, "target">, veil: Veil): string {
  if (target.kind === "http") return isPlaceholder(target.url) ? target.url : describeUrl(target.url, veil);
  const words = target.args.map((word, index) => describeWord(word, target.args[index - 1] ?? "", veil));
  return [describeCommand(target.command, veil), ...words].join(" ");
}

function mark(word: string): string {
  return `#${hashOf(word).slice(0, markLength)}`;
}

const pathName = String.raw`[\w.@+ -]{1,60}`;
const wholePath = new RegExp(
  String.raw`^(?:\.{1,2}|~|[A-Za-z]:)?(?:[\\/]${pathName})+[\\/]?$|^(?:\.{1,2}|~)[\\/]?$|^[\\/]$`,
);
/** Without a folder it is told by how it ends. */
const fileName = new RegExp(
  String.raw`^${pathName}(?:[\\/]${pathName})*\.(?:[cm]?[jt]s|py|rb|sh|jar|json|ya?ml|toml|db|sqlite)$`,
);

/** The path of a file, but for parts of it that look like keys; of anything else nothing. */
function tellPath(word: string): string {
  if (!wholePath.test(word) && !fileName.test(word)) return left;
  return word.replaceAll(/[^\\/]+/g, (name) => (isLikeKey(name) ? left : name));
}

/** As no folder is called: long, of letters and digits in both cases, or of hexadecimal digits alone. */
function isLikeKey(name: string): boolean {
  return /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{16,}$|^(?=.*\d)[\da-fA-F-]{20,}$/.test(name);
}

/** What is filled in later is no secret yet; what stands in it for the case that nothing is may be one. */
function isPlaceholder(word: string): boolean {
  return /^\$\{(?:env:|input:)?[A-Za-z_/][\w-]*\}$|^\$\{\/\}$/.test(word);
}

function describeCommand(command: string, veil: Veil): string {
  const [, folder = "", name = ""] = /^(?:(.*)[\\/])?([^\\/]*)$/s.exec(command) ?? [];
  if (!/^[A-Za-z][\w.+-]{0,39}$/.test(name)) return isPlaceholder(command) ? command : veil(command);
  return folder === "" ? name : `${veil(folder)}/${name}`;
}

/** Words by which programs are told what to do with the next one. */
const verbs: ReadonlySet<string> = new Set(["run", "exec", "dlx", "tool", "start", "serve", "mcp", "stdio", "--"]);

function describeWord(word: string, before: string, veil: Veil): string {
  if (isPlaceholder(word)) return word;
  if (isOption(before) && secretName.test(before)) return left;
  if (isOption(word) || isPackage(word) || verbs.has(word)) return word;
  const [, option = "", value = ""] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  return isOption(option) ? `${option}=${describeValue(option, value, veil)}` : describeUrl(word, veil);
}

function describeValue(name: string, value: string, veil: Veil): string {
  if (isPlaceholder(value)) return value;
  return secretName.test(name) ? left : describeUrl(value, veil);
}

/** With words of letters alone: what stands behind a short one may belong to it. */
function isOption(word: string): boolean {
  return /^-[A-Za-z]$|^--(?:[A-Za-z]{1,16})(?:-[A-Za-z]{1,16}){0,5}$/.test(word);
}

/** A scope or a version shows that it is one: any other word might be anything. */
function isPackage(word: string): boolean {
  const [, scope, name = "", version] =
    /^(?:@([a-z][a-z\d-]{0,39})\/)?([a-z][a-z\d._-]{0,59})(?:(?:@|==)(v?\d{1,4}(?:\.\d{1,8}){0,3}|latest|next))?$/.exec(
      word,
    ) ?? [];
  return (scope !== undefined || version !== undefined) && !/\d.*[a-z].*\d/.test(`${scope ?? ""}${name}`);
}

const placeholder = String.raw`\$\{[A-Za-z_]\w*\}`;
const host = String.raw`(?:[A-Za-z\d.-]|${placeholder}|\[[\da-f:.]+\])+(?::\d{1,5})?`;
const address = new RegExp(String.raw`^(https?://)(?:[^/?#]*@)?(${host})(/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$`, "is");

/** An address of the web in which there is nothing to hide. */
export function isPlainAddress(text: string): boolean {
  return URL.canParse(text) && describeUrl(text, mark) === text;
}

/** Where it leads, without who goes there. Anything that is no address of the web is a word like any other. */
function describeUrl(url: string, veil: Veil): string {
  const [, scheme, name, path = "", query = ""] = address.exec(url) ?? [];
  if (scheme === undefined || name === undefined) return veil(url);
  const segments = path.split("/").map((segment) => (isPlain(segment) ? segment : veil(segment)));
  const pairs = query.split("&").filter((pair) => pair !== "");
  const asked = pairs.length === 0 ? "" : `?${pairs.map((pair) => describePair(pair, veil)).join("&")}`;
  return `${scheme}${name}${segments.join("/")}${asked}`;
}

/** Words of letters in one case, versions and short numbers; many a service is given its key as a part of the path. */
function isPlain(segment: string): boolean {
  return (
    segment === "" ||
    isPlaceholder(segment) ||
    /^v?\d{1,4}$|^[A-Z]?[a-z]{1,15}(?:[-_.][A-Z]?[a-z]{1,15}){0,4}$/.test(segment)
  );
}

function describePair(pair: string, veil: Veil): string {
  const [, name, value = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
  if (name === undefined) return left;
  return `${isPlain(name) ? name : veil(name)}=${isPlaceholder(value) ? value : secretName.test(name) ? left : veil(value)}`;
}
