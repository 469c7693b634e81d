import { ChevronDown, ChevronRight } from "lucide-react";
import { JsonView } from "../../../components/json-view.tsx";
import { describe, kindOf } from "../../../model/history.ts";
import type { HistoryEntry } from "../../../model/run.ts";
import { showAbsolute, showClock, showDuration } from "../../../model/time.ts";

type HistoryRowProps = {
  readonly entry: HistoryEntry;
  /** When what stands above it happened. */
  readonly before: number;
  readonly name: string | null;
  readonly isOpen: boolean;
  readonly isLit: boolean;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
  readonly onHover: (isOver: boolean) => void;
};

const actors = { failed: "system", human: "person", system: "system" } as const;

export function HistoryRow({ entry, before, name, isOpen, isLit, isSelected, onToggle, onHover }: HistoryRowProps) {
  const kind = kindOf(entry);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div
      data-testid="history-row"
      data-kind={kind}
      data-hovered={isLit}
      className={`border-s-2 border-b border-b-border ${isSelected ? "border-s-accent" : "border-s-transparent"} ${isLit ? "bg-sunken" : ""}`}
      onMouseEnter={() => onHover(true)}
      onMouseLeave={() => onHover(false)}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-h-7 w-full min-w-0 items-center gap-2 px-3 text-start text-table hover:bg-sunken focus-visible:outline-offset-[-2px]"
      >
        <Chevron size={14} strokeWidth={1.75} aria-hidden className="shrink-0 text-text3" />
        <span className="mono w-9 shrink-0 text-end text-text3">{entry.n}</span>
        <time
          dateTime={new Date(entry.at).toISOString()}
          title={showAbsolute(entry.at)}
          className="mono w-24 shrink-0 text-text2"
        >
          {showClock(entry.at)}
        </time>
        <span className="mono hidden w-20 shrink-0 text-end text-text3 sm:inline">
          +{showDuration(entry.at - before)}
        </span>
        <span className="hidden w-20 shrink-0 truncate text-text2 md:inline">{entry.by ?? actors[kind]}</span>
        <span className="min-w-0 truncate">
          {name === null ? null : (
            <>
              <strong className="font-medium">{name}</strong>
              {entry.kind === "event" ? ": " : " "}
            </>
          )}
          <span className={kind === "failed" ? "text-danger" : kind === "human" ? "text-warn" : ""}>
            {describe(entry)}
          </span>
        </span>
      </button>
      {isOpen ? (
        <div className="border-t border-border bg-bg px-4 py-2">
          <JsonView value={entry.raw} root={null} label={`Entry ${entry.n}`} />
        </div>
      ) : null}
    </div>
  );
}
