// What the validator says, for people: place, sentence, and the cure where there is one. Pure.

import type { Finding, PatchOperation } from "../flow/finding.ts";
import { paint, toHarmless } from "./table.ts";
import type { Look } from "./terminal.ts";

export function drawFinding(found: Finding, look: Look): readonly string[] {
  const { severity, code, message, line, column, pointer, patch } = found;
  const place = line === undefined ? pointer : `${line}:${column ?? 1}`;
  const word = paint(severity, severity === "error" ? "red" : "yellow", look);
  return [
    `  ${place}  ${word} ${code}: ${toHarmless(message, look)}`,
    ...(patch ?? []).map(
      (operation) => `      ${paint(`fix: ${toHarmless(tellOperation(operation), look)}`, "gray", look)}`,
    ),
  ];
}

function tellOperation(operation: PatchOperation): string {
  switch (operation.op) {
    case "add":
      return `add ${operation.path}: ${JSON.stringify(operation.value)}`;
    case "replace":
      return `set ${operation.path} to ${JSON.stringify(operation.value)}`;
    case "remove":
      return `remove ${operation.path}`;
    case "move":
      return `rename ${operation.from} to ${operation.path}`;
  }
}
