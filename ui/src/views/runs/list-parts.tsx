// What stands around the lines of the list.

import { ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { allOrNone, type Selection } from "../../model/selection.ts";

export function NewRuns({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-10 z-20 flex justify-center">
      <Button
        look="primary"
        isSmall
        icon={ArrowUp}
        data-testid="new-runs"
        onClick={onShow}
        className="pointer-events-auto shadow-lg"
      >
        {count >= 100 ? "100 or more new runs" : count === 1 ? "1 new run" : `${count} new runs`}
      </Button>
    </div>
  );
}

export function Cards({
  items,
  height,
  start,
}: {
  readonly items: readonly ReactNode[];
  readonly height: number;
  readonly start: number;
}) {
  return (
    <div role="list" aria-label="Runs" style={{ height, paddingTop: start }} className="box-border">
      {items}
    </div>
  );
}

export function SelectAll({
  ids,
  selection,
  onSelection,
}: {
  readonly ids: readonly number[];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
}) {
  const isAll = ids.length > 0 && ids.every((id) => selection.has(id));
  return (
    <label className="grid size-6 place-items-center">
      <input
        type="checkbox"
        aria-label="Select all runs that are loaded"
        checked={isAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = !isAll && selection.size > 0;
        }}
        onChange={() => onSelection(allOrNone(selection, ids))}
        className="size-4 accent-accent"
      />
    </label>
  );
}
