// The tries of a step with what went wrong and how long it rested in between; what served it.

import { StatusPill } from "../../../components/status.tsx";
import { Ticking } from "../ticking.tsx";
import type { Outline, Step } from "../../../model/run.ts";
import { showRow } from "../../../model/run-view.ts";
import { sayError } from "../../../model/sentence.ts";
import { showDuration } from "../../../model/time.ts";

type AttemptsProps = {
  readonly tries: readonly Step[];
  readonly row: Step;
  readonly outline: Outline;
  readonly onRow: (row: Step) => void;
};

export function Attempts({ tries, row, outline, onRow }: AttemptsProps) {
  const error = tries[0]?.error ?? null;
  // What was said of a breaker then is not true any more; how it is now stands above.
  if (tries.length < 2) return error === null || error.code === "circuit_open" ? null : <ErrorText error={error} />;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-table font-medium">Attempts</h3>
      <ol className="flex flex-col gap-1">
        {tries.map((each, at) => (
          <li key={each.id}>
            <Rest before={tries[at - 1]} next={each} />
            <button
              type="button"
              aria-current={each.id === row.id ? "true" : undefined}
              onClick={() => onRow(each)}
              className={`flex w-full min-w-0 flex-col gap-1 rounded-control border px-2 py-1.5 text-start ${each.id === row.id ? "border-accent" : "border-border hover:border-strong"}`}
            >
              <span className="flex flex-wrap items-center gap-2 text-table">
                <span className="text-text2">#{each.attempt}</span>
                <StatusPill shown={showRow(each, outline)} />
                {each.startedAt === null ? null : <Ticking from={each.startedAt} to={each.completedAt} />}
              </span>
              {each.error === null ? null : (
                <span className="mono line-clamp-3 break-words text-danger">{sayError(each.error.message)}</span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** How long it rested before it was tried again. */
function Rest({ before, next }: { readonly before: Step | undefined; readonly next: Step }) {
  const from = before?.completedAt ?? null;
  const to = next.startedAt ?? next.nextTryAt;
  if (from === null || to === null || to - from < 1) return null;
  return <p className="py-0.5 ps-2 text-meta text-text2">{`${showDuration(to - from)} of rest`}</p>;
}

export function ErrorText({ error }: { readonly error: { readonly code: string; readonly message: string } }) {
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label="Error"
      className="max-h-80 overflow-auto rounded-card bg-danger-tint p-3 text-danger"
    >
      <p className="mono break-words whitespace-pre-wrap">{sayError(error.message)}</p>
      <p className="mono mt-1 text-meta">{error.code}</p>
    </div>
  );
}

const roleWords: { readonly [role: string]: string } = { undo: "Undoing", probe: "Probe", notify: "Notice" };

export function Servants({ servants, outline }: { readonly servants: readonly Step[]; readonly outline: Outline }) {
  if (servants.length === 0) return null;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-table font-medium">Beside it</h3>
      <ul className="flex flex-col gap-1">
        {servants.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center gap-2 text-table">
            <span>{roleWords[each.role] ?? each.role}</span>
            <code className="text-text2">{each.tool}</code>
            <StatusPill shown={showRow(each, outline)} />
            {each.error === null ? null : (
              <span className="basis-full break-words text-danger">{each.error.message}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
