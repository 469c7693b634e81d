// Every entry of a run's history; new ones are added at the end as they happen. `P` pauses that, as it does everywhere.

import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { Choice } from "../../../components/choice.tsx";
import { Loaded } from "../../../components/page.tsx";
import { useLive } from "../../../components/live.tsx";
import { kindOf, type HistoryKind } from "../../../model/history.ts";
import type { HistoryEntry, Outline } from "../../../model/run.ts";
import { hasRunEnded } from "../../../model/status.ts";
import { runRoute, useShow } from "../route.ts";
import { useHistory } from "../use-history.ts";
import type { Selection } from "../use-selection.ts";
import { HistoryRow } from "./history-row.tsx";

type HistoryProps = { readonly outline: Outline; readonly selection: Selection };

export function HistoryTab({ outline, selection }: HistoryProps) {
  const query = useHistory(outline.run.id, !hasRunEnded(outline.run.status));
  return (
    <Loaded query={query}>{(entries) => <History entries={entries} outline={outline} selection={selection} />}</Loaded>
  );
}

const filters: readonly { readonly id: "all" | HistoryKind; readonly word: string }[] = [
  { id: "all", word: "All" },
  { id: "failed", word: "Failed" },
  { id: "human", word: "People" },
  { id: "system", word: "System" },
];

function History({ entries, outline, selection }: HistoryProps & { readonly entries: readonly HistoryEntry[] }) {
  const { entries: wanted } = runRoute.useSearch();
  const show = useShow();
  const filter = filters.find(({ id }) => id === wanted)?.id ?? "all";
  const shown = useMemo(
    () => (filter === "all" ? entries : entries.filter((entry) => kindOf(entry) === filter)),
    [entries, filter],
  );
  const { line } = useLive();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-border px-3 py-1">
        <Choice
          label="Which entries"
          choices={filters}
          chosen={filter}
          onChoose={(id) => show({ entries: id === "all" ? undefined : id })}
        />
        <span className="text-meta text-text2">
          {shown.length} of {entries.length}
          {line === "paused" ? ", paused (P goes on)" : ""}
        </span>
      </div>
      <Entries key={filter} shown={shown} outline={outline} selection={selection} />
    </div>
  );
}

function Entries({ shown, outline, selection }: HistoryProps & { readonly shown: readonly HistoryEntry[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const names = useMemo(() => new Map(outline.steps.map((step) => [step.id, step])), [outline.steps]);
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => 28,
    overscan: 12,
    getItemKey: (at) => shown[at]?.n ?? at,
  });
  const toggle = (n: number): void => {
    const next = new Set(open);
    if (!next.delete(n)) next.add(n);
    setOpen(next);
  };
  if (shown.length === 0) return <p className="p-4 text-text2">Nothing of this kind has happened.</p>;
  return (
    <div
      ref={box}
      tabIndex={0}
      role="region"
      aria-label="History"
      data-testid="history"
      className="min-h-0 flex-1 overflow-auto"
    >
      <ol className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const entry = shown[index];
          if (entry === undefined) return null;
          const step = entry.step === null ? undefined : names.get(entry.step);
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <HistoryRow
                entry={entry}
                before={shown[index - 1]?.at ?? outline.run.createdAt}
                name={step?.name ?? entry.name}
                isOpen={open.has(entry.n)}
                isLit={step !== undefined && step.key === selection.hovered}
                isSelected={step !== undefined && step.key === selection.key}
                onToggle={() => toggle(entry.n)}
                onHover={(isOver) => selection.hover(isOver ? (step?.key ?? null) : null)}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
