// A saved workflow as the page holds it.

import type { Json } from "./json.ts";

export type Workflow = {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  /** Of its newest version; null: nobody has counted them. */
  readonly stepCount: number | null;
  readonly isEnabled: boolean;
  readonly description: string | null;
  readonly input: Json;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedBy: string;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
};

export type WholeWorkflow = Workflow & {
  readonly newestVersion: number;
  /** Under which name MCP clients call it; null: it is not offered to them. */
  readonly mcpTool: string | null;
  readonly note: string | null;
  readonly flow: Json;
  /** As it was written, with comments and layout. */
  readonly text: string | null;
};

export type Version = {
  readonly version: number;
  readonly note: string | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly hash: string;
};

/** How the calls of one step went, in all versions that had it. */
export type CallFigures = {
  /** Its key in the flow. */
  readonly step: string;
  readonly tool: string;
  readonly total: number;
  readonly failed: number;
  /** By all of them together. */
  readonly spentMs: number;
};

/** As it was written, else as JSON. */
export function textOf({ text, flow }: Pick<WholeWorkflow, "text" | "flow">): string {
  return text ?? `${JSON.stringify(flow, null, 2)}\n`;
}

/** `3 steps`; null: nobody has counted them. */
export function saySteps({ stepCount }: Pick<Workflow, "stepCount">): string | null {
  return stepCount === null ? null : `${stepCount} ${stepCount === 1 ? "step" : "steps"}`;
}

export function meanMs({ total, spentMs }: CallFigures): number {
  return total === 0 ? 0 : spentMs / total;
}

/** Slowest first. */
export function slowest(calls: readonly CallFigures[], count: number): readonly CallFigures[] {
  return calls
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => meanMs(other) - meanMs(one))
    .slice(0, count);
}

/** Those that fail, most often first. */
export function flakiest(calls: readonly CallFigures[], count: number): readonly CallFigures[] {
  return calls
    .filter(({ failed }) => failed > 0)
    .toSorted((one, other) => other.failed / other.total - one.failed / one.total)
    .slice(0, count);
}

/** Words anywhere in the name or the description. */
export function filterWorkflows<Item extends Pick<Workflow, "name" | "description">>(
  all: readonly Item[],
  text: string,
): readonly Item[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ name, description }) => {
    const said = `${name} ${description ?? ""}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

/** The same, to choose one of them: first those whose names begin so. */
export function likeliestWorkflows<Item extends Pick<Workflow, "name" | "description">>(
  all: readonly Item[],
  text: string,
): readonly Item[] {
  const start = text.trim().toLowerCase();
  const found = filterWorkflows(all, text);
  const beginsSo = ({ name }: Item): boolean => name.toLowerCase().startsWith(start);
  return [...found.filter(beginsSo), ...found.filter((item) => !beginsSo(item))];
}
