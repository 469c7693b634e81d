// Lays the text of a flow out anew. What it says stays as it is, to the digit, and so do its comments.

import {
  isCollection,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type ParseOptions,
  type ScalarTag,
  type SchemaOptions,
  type Tags,
} from "yaml";
import { syntaxOf } from "./flow-text.ts";

export type Formatted =
  | { readonly ok: true; readonly text: string }
  /** Why not, for people. */
  | { readonly ok: false; readonly problem: string };

const byteOrderMark = "\uFEFF";

export function formatFlow(text: string): Formatted {
  const front = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  const body = text.slice(front.length).replaceAll("\r\n", "\n");
  const formatted = syntaxOf(body) === "json" ? formatJson(body) : formatYaml(body);
  return formatted.ok ? { ok: true, text: front + formatted.text.replaceAll("\n", lineEnd) } : formatted;
}

/** Numbers are written as they were: what a machine takes them for may be another one. */
const reading: ParseOptions & SchemaOptions = {
  merge: false,
  customTags: (tags) => tags.map((tag) => (isOfNumbers(tag) ? { ...tag, stringify: asItWas } : tag)),
};

function isOfNumbers(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === "object" && /:(?:int|float)$/.test(tag.tag);
}

const asItWas: ScalarTag["stringify"] & {} = ({ source, value }) => source ?? String(value);

function formatYaml(text: string): Formatted {
  const document = parseDocument(text, reading);
  const [error] = document.errors;
  if (error !== undefined)
    return refuse(error.linePos?.[0].line ?? null, error.message.split(/ at line| in "/)[0] ?? "");
  const before = meaningOf(document);
  markBeside(document, text);
  const written = document.toString({ lineWidth: 0 }).replaceAll(marked, " #");
  if (meaningOf(parseDocument(written, reading)) !== before)
    return { ok: false, problem: "It could not be laid out anew without changing what it says." };
  return { ok: true, text: written };
}

/** What it says, with the digits of its numbers. */
function meaningOf(document: Document): string {
  const digits: (string | undefined)[] = [];
  visit(document, {
    Scalar: (_, { value, source }) => {
      if (typeof value === "number") digits.push(source);
    },
  });
  return JSON.stringify([document.toJS(), digits]);
}

/** A sign for private use. */
const mark = "\uE000";
const marked = /\n[ \t]*#\uE000/g;

/** A comment beside a key, above what is below it: the library would put it on a line of its own. */
function markBeside(document: Document, text: string): void {
  if (text.includes(mark)) return;
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || !isCollection(value) || typeof value.commentBefore !== "string") return;
      if (/^[ \t]*:[ \t]*#/.test(text.slice(key.range?.[1] ?? text.length)))
        value.commentBefore = `${mark}${value.commentBefore}`;
    },
  });
}

function refuse(line: number | null, why: string): Formatted {
  const place = line === null ? "" : ` Line ${line}: ${why.replace(/[:.]$/, "")}.`;
  return { ok: false, problem: `It can be laid out when it can be read.${place}` };
}

/** As it is written: reading numbers and writing them again would change some. */
function formatJson(text: string): Formatted {
  try {
    JSON.parse(text);
  } catch (error) {
    return refuse(null, error instanceof Error ? error.message : String(error));
  }
  return { ok: true, text: `${layOut(text.match(tokens) ?? [])}\n` };
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

function layOut(words: readonly string[]): string {
  let indent = "";
  let written = "";
  for (const [at, word] of words.entries()) {
    const isEmpty = /^[{[]$/.test(words[at - 1] ?? "") && /^[}\]]$/.test(word);
    if (/^[}\]]$/.test(word)) {
      indent = indent.slice(2);
      written += isEmpty ? word : `\n${indent}${word}`;
    } else if (word === ",") written += `,\n${indent}`;
    else if (word === ":") written += ": ";
    else if (/^[{[]$/.test(word)) {
      indent += "  ";
      written += /^[}\]]$/.test(words[at + 1] ?? "") ? word : `${word}\n${indent}`;
    } else written += word;
  }
  return written;
}
