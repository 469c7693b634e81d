import { describe, isLog } from "../../../model/history.ts";
import type { HistoryEntry } from "../../../model/run.ts";
import { showAbsolute, showClock } from "../../../model/time.ts";

type LogListProps = {
  readonly entries: readonly HistoryEntry[];
  readonly nameOf: (step: number | null) => string | null;
};

/** What was said while it worked. */
export function LogList({ entries, nameOf }: LogListProps) {
  const logs = entries.filter(isLog);
  if (logs.length === 0) return <p className="p-4 text-text2">Nothing was logged.</p>;
  return (
    <ol data-testid="logs" className="flex flex-col font-mono text-code">
      {logs.map((entry) => (
        <li key={entry.n} className="flex min-w-0 gap-3 px-3 py-0.5 hover:bg-sunken">
          <time
            dateTime={new Date(entry.at).toISOString()}
            title={showAbsolute(entry.at)}
            className="shrink-0 text-text3"
          >
            {showClock(entry.at)}
          </time>
          {nameOf(entry.step) === null ? null : (
            <span className="w-24 shrink-0 truncate text-text2">{nameOf(entry.step)}</span>
          )}
          <span className="min-w-0 break-words whitespace-pre-wrap">{describe(entry)}</span>
        </li>
      ))}
    </ol>
  );
}
