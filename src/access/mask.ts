// Keeps known secrets out of what tools say: every occurrence of a value, also as it looks inside JSON, an address, HTML,
// hex or base64, becomes `[secret NAME]` before anybody else sees it.

import { isArray, isObject, type Json } from "../flow/json.ts";

/** Shorter values would be found everywhere. */
export const secretLengthMin = 4;

/** A text may have been cut in the middle of a secret only if it is about as long as what is cut. */
const cutLengthMin = 1900;
/** Of base64 that begins before the secret and ends behind it, only so much is a sign of it. */
const innerLengthMin = 8;
const shortLengthMax = 256;

export class Masker {
  /** What is looked for → the secret's name. */
  readonly #names = new Map<string, string>();
  readonly #values = new Set<string>();
  /** Longest first, so that nothing is left of what contains another. Null: something was learned since. */
  #search: Search | null = null;

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** A value stays known, even when the secret gets another. */
  learn(name: string, value: string): void {
    if (this.#values.has(value)) return;
    this.#values.add(value);
    for (const form of formsOf(value)) if (!this.#names.has(form)) this.#names.set(form, name);
    this.#search = null;
  }

  maskText(text: string): string {
    if (this.isEmpty) return text;
    this.#search ??= createSearch(this.#names.keys());
    const { long, short } = this.#search;
    let masked = text;
    for (const form of long) masked = masked.replaceAll(form, () => this.#maskOf(form));
    return masked.replace(short, (found) => this.#maskOf(found));
  }

  /** Of an error or a line of a log, which are cut when they are long. */
  maskMessage(text: string): string {
    const masked = this.maskText(text);
    return text.length < cutLengthMin ? masked : this.#maskEnd(masked);
  }

  maskJson(value: Json): Json {
    return this.isEmpty ? value : this.#mask(value);
  }

  /** The same value when there is nothing to mask in it: most have nothing. */
  #mask(value: Json): Json {
    if (typeof value === "string") return this.maskText(value);
    if (typeof value === "number") return this.#maskNumber(value);
    if (isArray(value)) return this.#maskList(value);
    return isObject(value) ? this.#maskMembers(value) : value;
  }

  #maskNumber(value: number): Json {
    const text = String(value);
    const masked = this.maskText(text);
    return masked === text ? value : masked;
  }

  #maskList(list: readonly Json[]): Json {
    const masked = list.map((item) => this.#mask(item));
    return masked.some((item, index) => item !== list[index]) ? masked : list;
  }

  #maskMembers(members: { readonly [key: string]: Json }): Json {
    const masked: { [key: string]: Json } = {};
    let isSame = true;
    for (const [key, member] of Object.entries(members)) {
      const shown = this.#mask(member);
      const name = freeName(masked, this.maskText(key));
      if (shown !== member || name !== key) isSame = false;
      // By assignment `__proto__` would change the prototype instead.
      Object.defineProperty(masked, name, { configurable: true, enumerable: true, writable: true, value: shown });
    }
    return isSame ? members : masked;
  }

  #maskOf(form: string): string {
    return `[secret ${this.#names.get(form) ?? ""}]`;
  }

  /** What was cut off may have left the beginning of a secret at the end. */
  #maskEnd(text: string): string {
    const end = text.replace(/…$/, "");
    let from = end.length;
    let name: string | undefined;
    for (const [form, owner] of this.#names) {
      const at = findCut(end, form);
      if (at < from) [from, name] = [at, owner];
    }
    return name === undefined ? text : `${end.slice(0, from)}[secret ${name}]…`;
  }
}

/** Where the beginning of the form is all that is left of the text; its length: nowhere. */
function findCut(text: string, form: string): number {
  const start = form.slice(0, secretLengthMin);
  let at = text.indexOf(start, Math.max(0, text.length - form.length));
  while (at >= 0 && !form.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
  return at < 0 ? text.length : at;
}

type Search = { readonly long: readonly string[]; readonly short: RegExp };

/** One pattern for all, but for what is so long that the pattern would grow out of hand. */
function createSearch(all: Iterable<string>): Search {
  const forms = [...all].toSorted((one, other) => other.length - one.length);
  const short = forms.filter(({ length }) => length <= shortLengthMax);
  // Without any, it finds nothing.
  const pattern = short.length === 0 ? "(?!)" : short.map(escapePattern).join("|");
  return { long: forms.filter(({ length }) => length > shortLengthMax), short: new RegExp(pattern, "g") };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function freeName(taken: object, name: string): string {
  let free = name;
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${name} ${count}`;
  return free;
}

/** Every text by which the value can be told. */
function formsOf(value: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const text of new Set([value, value.trim()])) {
    if (text.length < secretLengthMin) continue;
    for (const form of [text, ...escapedForms(text), ...encodedForms(text)]) forms.add(form);
  }
  // Who prints a key of many lines often prints them one by one.
  for (const line of value.split(/\r?\n/)) if (line.length >= innerLengthMin) forms.add(line).add(escapeJson(line));
  return forms;
}

function escapedForms(text: string): readonly string[] {
  const json = escapeJson(text);
  const ascii = json.replaceAll(/[^ -~]/g, (sign) => String.raw`\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const attribute = html.replaceAll('"', "&quot;");
  const quoted = [attribute.replaceAll("'", "&#39;"), attribute.replaceAll("'", "&apos;")];
  return [json, escapeJson(json), json.replaceAll("/", String.raw`\/`), ascii, html, attribute, ...quoted];
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function encodedForms(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  return [...addressForms(text.toWellFormed()), hex, hex.toUpperCase(), ...base64Forms(bytes)];
}

function addressForms(text: string): readonly string[] {
  const whole = encodeURIComponent(text);
  const strict = whole.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  const forms = [whole, strict, form, encodeURI(text)];
  return [...forms, ...forms.map((one) => one.replaceAll(/%[0-9A-F]{2}/g, (sign) => sign.toLowerCase()))];
}

/** By itself, and inside a longer text, whose bytes before it may number 0, 1 or 2 more than a multiple of three. */
function base64Forms(bytes: Buffer): readonly string[] {
  const whole = bytes.toString("base64");
  const inner = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // Signs that also depend on the bytes around are left out.
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const part = text.slice(from, to);
    return part.length < innerLengthMin ? [] : [part];
  });
  const forms = [whole, whole.replace(/=+$/, ""), ...inner];
  return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}
