// The door of the language: from a text to a JSON value, with the place of everything in it. Never throws; what is
// wrong with the text comes back as findings.

import { finding, type Finding } from "../finding.ts";
import type { Json } from "../json.ts";
import type { Pointer } from "../pointer.ts";
import { readJson } from "./json-source.ts";
import { bytesLimit } from "./limits.ts";
import { findMark, findPlacesIn, type Place, type PlaceFinder } from "./places.ts";
import { unreadable, type Problem, type Reading } from "./reading.ts";
import { readYaml, type NodesTaker } from "./yaml-source.ts";

export type Syntax = "json" | "yaml";

export type Source = {
  /** Undefined when the text cannot be read; the findings then say why. */
  readonly value: Json | undefined;
  readonly syntax: Syntax;
  readonly findings: readonly Finding[];
  /** Where the value at the pointer stands, or else the nearest value around it; undefined when nothing was read. */
  readonly locate: (pointer: Pointer) => Place | undefined;
  /** Where its key stands; an item of a list, which has none, is its own. */
  readonly locateKey: (pointer: Pointer) => Place | undefined;
};

type Read = { readonly syntax: Syntax; readonly reading: Reading };

export type ReadOptions = {
  readonly syntax?: Syntax;
  /** Called where the text is YAML that can be read. */
  readonly takeNodes?: NodesTaker;
};

/** Reads JSON or YAML: the given syntax, or else whichever the text is. */
export function readText(text: string, options: ReadOptions = {}): Source {
  // Editors on Windows put a byte order mark in front; it is no part of the document, nor of the first column.
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const placeAt = findPlacesIn(body);
  const { syntax, reading } = isTooLarge(body)
    ? { syntax: options.syntax ?? guessSyntax(body), reading: unreadable(tooLarge()) }
    : read(body, options, placeAt);
  const { root } = reading;
  return {
    value: reading.value,
    syntax,
    findings: reading.problems.map((problem) => toFinding(problem, placeAt)),
    locate: (pointer) => (root === undefined ? undefined : placeAt(findMark(root, pointer).at)),
    locateKey: (pointer) => {
      if (root === undefined) return undefined;
      const mark = findMark(root, pointer);
      return placeAt(mark.keyAt ?? mark.at);
    },
  };
}

function read(text: string, { syntax, takeNodes }: ReadOptions, placeAt: PlaceFinder): Read {
  switch (syntax ?? guessSyntax(text)) {
    case "yaml":
      return { syntax: "yaml", reading: readYaml(text, placeAt, takeNodes) };
    case "json": {
      const reading = readJson(text, placeAt);
      if (syntax === "json" || !isPerhapsYaml(text, reading)) return { syntax: "json", reading };
      const other = readYaml(text, placeAt, takeNodes);
      // Neither: whoever starts with a bracket most likely meant JSON, so its error is the one that helps.
      return hasCode(other, "not_yaml") ? { syntax: "json", reading } : { syntax: "yaml", reading: other };
    }
  }
}

function guessSyntax(text: string): Syntax {
  return /^\s*[[{]/.test(text) ? "json" : "yaml";
}

/**
 * Brackets with a quoted text behind them are JSON: YAML would read some slips of the pen as something else (`{"tool": }`
 * as a gate). It has no // comments either, but would take them for part of a key.
 */
function isPerhapsYaml(text: string, reading: Reading): boolean {
  if (/^[\s[{]*"/.test(text)) return false;
  return reading.problems.some(({ code, at }) => code === "not_json" && text.charAt(at) !== "/");
}

function hasCode(reading: Reading, code: Problem["code"]): boolean {
  return reading.problems.some((problem) => problem.code === code);
}

function isTooLarge(text: string): boolean {
  return text.length > bytesLimit || new TextEncoder().encode(text).length > bytesLimit;
}

function tooLarge(): Problem {
  const message = "The text is larger than 1 MB (1,048,576 bytes); split the flow, or keep large data outside of it.";
  return { code: "too_large", pointer: "", at: 0, message };
}

function toFinding({ code, pointer, at, message, patch }: Problem, placeAt: PlaceFinder): Finding {
  return { ...finding(code, pointer, message, patch), ...placeAt(at) };
}
