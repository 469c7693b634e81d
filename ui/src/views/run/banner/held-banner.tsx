// Something is held until a person decides: what is known about it, and what can be said.

import { CircleQuestionMark } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { Preview } from "../../../components/json-row.tsx";
import type { InboxItem, Outline } from "../../../model/run.ts";
import { DecisionButtons } from "../decision-buttons.tsx";
import type { Selection } from "../use-selection.ts";

type HeldProps = { readonly item: InboxItem; readonly outline: Outline; readonly selection: Selection };

export function HeldBanner({ item, outline, selection }: HeldProps) {
  const row = outline.steps.find(({ id }) => id === item.step);
  return (
    <section
      aria-label="What to decide"
      data-testid="held-banner"
      data-kind={item.kind}
      className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-border bg-warn-tint px-4 py-2.5 text-warn md:px-5"
    >
      <CircleQuestionMark size={18} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0" />
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-2">
        <p className="font-medium break-words">{item.title}</p>
        {item.message === null ? null : <p className="break-words text-text">{item.message}</p>}
        {item.call?.error === null || item.call === null ? null : (
          <p className="mono break-words text-text">{item.call.error.message}</p>
        )}
        {item.crossroads === null ? null : (
          <p className="mono min-w-0 truncate text-text">
            It gave <Preview value={item.crossroads.value} />
          </p>
        )}
        <div className="text-text">
          <DecisionButtons item={item} run={outline.run.id} isAllowed={outline.can.operate} />
        </div>
      </div>
      {row === undefined || selection.row?.id === row.id ? null : (
        <Button isSmall onClick={() => selection.selectRow(row)}>
          Show step
        </Button>
      )}
    </section>
  );
}
