import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { validationQuery } from "../../api/writing.ts";
import { useDebounced } from "../../components/debounced.ts";
import type { Finding } from "../../model/finding.ts";
import type { Graph } from "../../model/run.ts";

/** So long after the last letter it is looked at. */
const settleMs = 300;
const none: readonly Finding[] = [];

export type Validated = {
  readonly findings: readonly Finding[];
  /** Of the last text that could be drawn. */
  readonly graph: Graph | null;
  /** It is of the text as it stands. */
  readonly isDrawn: boolean;
  readonly isChecking: boolean;
  /** It was looked at once: no findings are then good news. */
  readonly isKnown: boolean;
};

export function useValidation(text: string): Validated {
  const settled = useDebounced(text, settleMs);
  const { data, isFetching, isPlaceholderData } = useQuery({
    ...validationQuery(settled),
    placeholderData: keepPreviousData,
  });
  const graph = useLast(data?.graph ?? null);
  return {
    findings: data?.findings ?? none,
    graph,
    isDrawn: data !== undefined && data.graph !== null,
    isKnown: data !== undefined,
    isChecking: isFetching || isPlaceholderData || settled !== text,
  };
}

/** The last that was there; the same object as long as it says the same, so that nothing is laid out anew. */
function useLast(graph: Graph | null): Graph | null {
  const [last, setLast] = useState(graph);
  if (graph === null || graph === last) return last;
  if (last !== null && JSON.stringify(last) === JSON.stringify(graph)) return last;
  setLast(graph);
  return graph;
}
