// A server that brings tools, and tools that have changed, as lines. Pure.

import type { ChangedTool, ServerView } from "../tool/servers.ts";
import { paint, toHarmless, type Style } from "./table.ts";
import type { Look } from "./terminal.ts";

export function drawServer(server: ServerView, look: Look): string {
  const { key, status, problem, toolCount, changedCount, name, version, era } = server;
  const itself = [name, version].filter((word) => word !== null).join(" ");
  const parts = [
    status,
    ...(toolCount === 0 ? [] : [`${toolCount} ${toolCount === 1 ? "tool" : "tools"}`]),
    ...(changedCount === 0 ? [] : [`${changedCount} changed`]),
    ...(itself === "" ? [] : [itself]),
    ...(era === null ? [] : [era]),
    ...(problem === null ? [] : [problem]),
  ];
  return `${paint(toHarmless(key, look), "bold", look)}: ${toHarmless(parts.join(", "), look)}`;
}

/** What each kind means for flows that call the tool. */
const meanings: Readonly<Record<ChangedTool["kind"], string>> = {
  description: "only words have changed",
  additive: "it takes or gives more",
  narrowing: "it takes or gives less, or promises less",
  new_required: "it needs an argument that it did not need",
  server: "another program or address stands behind it",
  gone: "the server has it no more",
};

export function drawChanges(changes: readonly ChangedTool[], look: Look): readonly string[] {
  return changes.flatMap(({ tool, kind, lines }, index) => [
    ...(index === 0 ? [] : [""]),
    `${paint(toHarmless(tool, look), "bold", look)}  ${kind}: ${meanings[kind]}`,
    ...lines.map((line) => `  ${paint(toHarmless(line, look), styleOf(line), look)}`),
  ]);
}

function styleOf(line: string): Style | undefined {
  if (line.startsWith("+ ")) return "green";
  return line.startsWith("- ") ? "red" : undefined;
}
