// Which step is looked at. Until somebody chooses one, it is the one that most likely matters: what failed, what waits, what
// runs; so the page follows a run by itself, and stays where it was put.

import { useCallback, useState } from "react";
import type { Outline, Step } from "../../model/run.ts";
import { nodeOf, rowsOf, stepToShow } from "../../model/run-view.ts";
import { runRoute, useShow } from "./route.ts";

export type Selection = {
  readonly key: string | null;
  /** The try that is looked at; null: the run has not come there. */
  readonly row: Step | null;
  readonly rows: readonly Step[];
  /** The address names a step that there is not. */
  readonly unknown: string | null;
  /** Somebody has chosen it. */
  readonly isChosen: boolean;
  readonly select: (key: string | null) => void;
  readonly selectRow: (row: Step) => void;
  readonly hovered: string | null;
  readonly hover: (key: string | null) => void;
};

export function useSelection(outline: Outline): Selection {
  const search = runRoute.useSearch();
  const show = useShow();
  const [isCleared, setCleared] = useState(false);
  const [hovered, hover] = useState<string | null>(null);
  const isKnown =
    search.step !== undefined && (nodeOf(outline, search.step) !== null || rowsOf(outline, search.step).length > 0);
  const chosen = isKnown ? (search.step ?? null) : null;
  const key = chosen ?? (isCleared ? null : stepToShow(outline));
  const rows = key === null ? [] : rowsOf(outline, key);
  const row = rows.find(({ id }) => String(id) === search.row) ?? rows.at(-1) ?? null;
  const select = (next: string | null): void => {
    setCleared(next === null);
    show({ step: next ?? undefined, row: undefined });
  };
  const selectRow = (next: Step): void => show({ step: next.key, row: String(next.id) });
  const unknown = isKnown ? null : (search.step ?? null);
  return {
    key,
    row,
    rows,
    unknown,
    isChosen: chosen !== null,
    select,
    selectRow,
    hovered,
    hover: useCallback(hover, []),
  };
}
