// Lays the text of a flow out anew. What it says stays as it is, to the digit, and so do its comments.

import { isCollection, isScalar, parseDocument, visit, type Document } from "yaml";
import { syntaxOf } from "./flow-text.ts";

export type Formatted =
  | { readonly ok: true; readonly text: string }
  /** Why not, for people. */
  | { readonly ok: false; readonly problem: string };

export function formatFlow(text: string): Formatted {
  return syntaxOf(text) === "json" ? formatJson(text) : formatYaml(text);
}

function formatYaml(text: string): Formatted {
  const document = parseDocument(text, { merge: false });
  const [error] = document.errors;
  if (error !== undefined)
    return refuse(error.linePos?.[0].line ?? null, error.message.split(/ at line| in "/)[0] ?? "");
  const before = JSON.stringify(document.toJS());
  markBeside(document, text);
  const written = document.toString({ lineWidth: 0 }).replaceAll(marked, " #");
  if (JSON.stringify(parseDocument(written, { merge: false }).toJS()) !== before)
    return { ok: false, problem: "It could not be laid out anew without changing what it says." };
  return { ok: true, text: written };
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
