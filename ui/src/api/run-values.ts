// What the page of a run reads beside its outline, each when somebody looks at it.

import { infiniteQueryOptions, queryOptions, type QueryKey } from "@tanstack/react-query";
import type { PreviewDocument, WholeRunDocument, WholeWorkflowDocument } from "../../../src/server/contract.ts";
import type { Json } from "../model/json.ts";
import type { HistoryEntry, Outline } from "../model/run.ts";
import { ask } from "./request.ts";
import {
  addressOfStepPart,
  listItems,
  readHistory,
  readRunPart,
  readStepPart,
  type ItemPage,
  type StepPart,
} from "./runs.ts";

const historyPage = 1000;
/** So many of the last entries are read anew: what happened in the same millisecond may have come in between. */
const historyOverlap = 50;

/** All that happened; read anew, only its end is asked for. */
export function historyQuery(run: number) {
  return queryOptions({
    queryKey: ["run", run, "history"],
    queryFn: async ({ client, queryKey }): Promise<readonly HistoryEntry[]> => {
      const known = client.getQueryData<readonly HistoryEntry[]>(queryKey) ?? [];
      const entries = known.slice(0, Math.max(0, known.length - historyOverlap));
      for (;;) {
        const page = await readHistory(run, entries.length, historyPage);
        entries.push(...page);
        if (page.length < historyPage) return entries;
      }
    },
  });
}

export type RunPart = "input" | "output" | "error" | "data";

/** A value that may be too large to be sent along: how to have all of it, here or as a file. */
export type ValuePart = { readonly key: QueryKey; readonly read: () => Promise<Json>; readonly address: string };

export function partOfRun(run: number, part: RunPart): ValuePart {
  return {
    key: ["value", run, part],
    read: () => readRunPart(run, part),
    address: `/api/workflow/${run}/value?part=${part}`,
  };
}

export function partOfStep(run: number, step: number, part: StepPart): ValuePart {
  return {
    key: ["value", run, step, part],
    read: () => readStepPart(run, step, part),
    address: addressOfStepPart(run, step, part),
  };
}

export function addressOfRun(run: number): string {
  return `/api/workflow/${run}`;
}

/** As the server tells it. */
export function rawStepQuery(run: number, step: number) {
  return queryOptions({
    queryKey: ["run", run, "raw", step],
    queryFn: ({ signal }) => ask<Json>(`/api/workflow/${run}/steps/${step}`, { signal }),
  });
}

export function itemsQuery(run: number, each: number, status: string | null) {
  return infiniteQueryOptions({
    queryKey: ["run", run, "items", each, status],
    queryFn: ({ pageParam }): Promise<ItemPage> =>
      listItems(run, each, {
        ...(status === null ? {} : { status }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: ItemPage) => last.next,
  });
}

type PreviewStep = { readonly row: number; readonly name: string; readonly mayHaveHappened: boolean };

/** What cancelling now would do. */
export type Preview = {
  readonly isAllowed: boolean;
  readonly refused: string | null;
  readonly aborted: readonly PreviewStep[];
  readonly cleanup: readonly string[];
  readonly undone: readonly PreviewStep[];
};

export function previewQuery(run: number) {
  return queryOptions({
    queryKey: ["run", run, "preview"],
    queryFn: async ({ signal }): Promise<Preview> => {
      const found = await ask<PreviewDocument>(`/api/workflow/${run}/preview`, { signal });
      return {
        isAllowed: found.allowed,
        refused: found.message ?? found.reason ?? null,
        aborted: found.aborted,
        cleanup: found.cleanup,
        undone: found.undone,
      };
    },
  });
}

export type Definition = {
  readonly flow: Json;
  /** As it was written; null: it was handed over as JSON, or never saved. */
  readonly text: string | null;
};

/** The flow that a run goes by. It never changes. Only that of a run that was never saved comes with the whole run. */
export function definitionQuery({ run, version }: Pick<Outline, "run" | "version">) {
  return queryOptions({
    queryKey: ["definition", run.flow, version?.name ?? run.id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Definition> => {
      if (version !== null) {
        const name = encodeURIComponent(`${version.name}@${version.version}`);
        const { flow, text } = await ask<WholeWorkflowDocument>(`/api/workflow/templates/${name}`, { signal });
        return { flow, text };
      }
      const { flow_json: flow } = await ask<WholeRunDocument>(addressOfRun(run.id), { signal });
      return { flow: JSON.parse(flow) as Json, text: null };
    },
  });
}
