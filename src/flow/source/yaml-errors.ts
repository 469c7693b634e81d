// The library's complaints, and our own, as sentences that say what to do. One per line of the text: the others are
// mostly consequences of the first.

import type { Scalar } from "yaml";
import type { PlaceFinder } from "./places.ts";
import { quote, templateMessage, type Problem } from "./reading.ts";

export type YamlError = { readonly at: number; readonly code: string; readonly message: string };

/** First match wins; `$1` is the group of the pattern. Errors at one place are told by the sentence that stands first. */
const sentences: readonly { readonly when: RegExp; readonly say: string }[] = [
  {
    when: /^TAB_AS_INDENT/,
    say: "A tab indents this line; YAML indents with spaces only, so replace it.",
  },
  {
    when: /^UNEXPECTED_TOKEN Unexpected block-seq-ind/,
    say: "A list item (-) cannot stand here; start the list on a line of its own, under its key.",
  },
  {
    when: /^BLOCK_AS_IMPLICIT_KEY Nested/,
    say: 'A second ": " stands in this value; put the value in quotes, or start it on a new, indented line.',
  },
  {
    when: /^BLOCK_AS_IMPLICIT_KEY/,
    say: "This list item does not line up with the others; give all of them the same indentation.",
  },
  {
    when: /^BAD_INDENT All/,
    say: "This line does not line up with those around it; give it the same indentation as its neighbours.",
  },
  {
    when: / must (?:be sufficiently indented and )?end with a (.)$/,
    say: "Something that was opened is not closed before this; add a $1.",
  },
  {
    when: /^BAD_INDENT/,
    say: "The lines of this text are not indented alike; indent all of them by the same number of spaces.",
  },
  {
    when: /^MULTILINE_IMPLICIT_KEY/,
    say: "A key and its : must stand on one line; is a : missing here, or is a line indented too far?",
  },
  {
    when: / closing (.)quote$/,
    say: "The text that starts here is never closed; add a $1 at its end.",
  },
  {
    when: /^MISSING_CHAR Implicit map keys/,
    say: "This key has no value; put a : and a space behind it.",
  },
  {
    when: /^(?:BLOCK_IN_FLOW|MISSING_CHAR Missing , )/,
    say: "A comma is missing here, or a bracket that closes what was opened before.",
  },
  {
    when: /^MISSING_CHAR Missing space/,
    say: "A space is missing behind the colon.",
  },
  {
    when: /^MISSING_CHAR Missing directives-end/,
    say: "A line with --- must stand between the % lines and the document.",
  },
  {
    when: /^MISSING_CHAR Block collection/,
    say: "The document must start on a new line behind ---.",
  },
  {
    when: /^MISSING_CHAR .*Comments/i,
    say: "A comment needs a space before its #; if this is part of a text, quote the text.",
  },
  {
    when: /^MISSING_CHAR Sequence item/,
    say: "This line stands in a list; start it with a dash, or indent it as its neighbours.",
  },
  {
    when: /^BAD_SCALAR_START .* (.)$/,
    say: "A text that starts with $1 must stand in quotes.",
  },
  {
    when: /^BAD_DQ_ESCAPE .*(\\.*)$/,
    say: "$1 is no escape of YAML; write \\\\ for a backslash, or use single quotes.",
  },
  {
    when: /^(?:BAD_ALIAS|ALIAS_PROPS|UNEXPECTED_TOKEN Unexpected alias)/,
    say: "A * or & starts an alias or an anchor of YAML here; if it belongs to a text, put the whole text in quotes.",
  },
  {
    when: /^UNEXPECTED_TOKEN (?:Block scalar header|Not a YAML token)/,
    say: "Nothing may stand behind | or > on the same line; start the text on the next one, or quote it.",
  },
  {
    when: /^UNEXPECTED_TOKEN Unexpected (.) in flow/,
    say: "This $1 has nothing before it; remove it.",
  },
  {
    when: /^UNEXPECTED_TOKEN Unexpected .* at node end/,
    say: "The value is complete before this; put the whole value in quotes, or remove what follows.",
  },
  {
    when: /^UNEXPECTED_TOKEN/,
    say: "This cannot stand here; if it belongs to a text, put the text in quotes.",
  },
  {
    when: /^KEY_OVER_1024_CHARS/,
    say: "This key is longer than 1,024 characters; shorten it.",
  },
  {
    when: /^(?:MULTIPLE_ANCHORS|MULTIPLE_TAGS|BAD_PROP_ORDER|MISSING_CHAR (?:Tags|Missing newline))/,
    say: "An anchor (&) or a tag (!) stands in the wrong place here; remove it, or quote a text that starts like one.",
  },
  {
    when: /^BAD_DIRECTIVE/,
    say: "This % line is none that YAML knows; remove it.",
  },
  {
    when: /^TAG_RESOLVE_FAILED/,
    say: "A ! starts a tag of YAML, and this is no valid one; remove it, or quote a text that starts with it.",
  },
];

export function explainErrors(errors: readonly YamlError[], text: string, placeAt: PlaceFinder): readonly Problem[] {
  const lines = new Map<number, Explained>();
  for (const error of errors) {
    const explained = explainError(error, text);
    const { line } = placeAt(explained.problem.at);
    const other = lines.get(line);
    if (other === undefined || compare(explained, other) < 0) lines.set(line, explained);
  }
  return [...lines.values()].toSorted(compare).map(({ problem }) => problem);
}

type Explained = { readonly problem: Problem; readonly rank: number };

function compare(one: Explained, other: Explained): number {
  return one.problem.at - other.problem.at || one.rank - other.rank;
}

function explainError({ at, code, message }: YamlError, text: string): Explained {
  const { rank, sentence } = toSentence(`${code} ${message}`);
  const problem: Problem = {
    code: code === "TAG_RESOLVE_FAILED" ? "custom_tag" : "not_yaml",
    pointer: "",
    // The library notices an open quote where the text ends; whoever mends it looks for where it starts.
    at: message.endsWith("quote") ? text.lastIndexOf(message.slice(-6, -5), at - 1) : at,
    message: startsTemplate(lineAround(text, at)) ? templateMessage : sentence,
  };
  return { problem, rank };
}

function toSentence(complaint: string): { rank: number; sentence: string } {
  for (const [rank, { when, say }] of sentences.entries()) {
    const match = when.exec(complaint);
    if (match !== null) return { rank, sentence: say.replace("$1", () => String(match[1])) };
  }
  const rest = complaint.slice(complaint.indexOf(" ") + 1);
  return { rank: sentences.length, sentence: `This is not YAML: ${rest}.` };
}

function startsTemplate(line: string): boolean {
  return /[-:,[]\s*\{\{/.test(line);
}

function lineAround(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, end === -1 ? text.length : end);
}

/** Maps and lists as keys; by far the most frequent one is a template without quotes. */
export function explainComplexKey(text: string, at: number): string {
  if (text.startsWith("{{", at - 1)) return templateMessage;
  return "A map or a list cannot be a key; write a text.";
}

/** Why this key is not what its author meant, if it is so. */
export function explainKey(key: Scalar.Parsed, isAlone: boolean): string | undefined {
  if (key.type !== "PLAIN") return undefined;
  if (key.value === "<<")
    return "YAML 1.2 has no merge key <<; write the keys out, or put << in quotes if it is a name.";
  const colon = key.source.indexOf(":");
  if (!isAlone || colon === -1) return undefined;
  return `A space is missing behind the colon of ${quote(key.source)}; without it all of this is one key.`;
}

export function explainTag(tag: string): string {
  const name = tag.replace(/^tag:yaml\.org,2002:/, "!!");
  return `The tag ${quote(name)} is not known or does not fit here; remove it and write the plain value. A text or condition that starts with ! must stand in quotes.`;
}

/** Where the tag of the node at `at` starts: nodes know only where their value does. */
export function findTag(text: string, at: number): number {
  let start = text.lastIndexOf("!", at - 1);
  while (start > 0 && !/[\s,[{]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}
