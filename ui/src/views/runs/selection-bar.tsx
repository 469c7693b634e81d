// What can be done with the runs that are chosen.

import { useQueryClient } from "@tanstack/react-query";
import { Ban, RotateCcw, X } from "lucide-react";
import { useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { cancelRun, startAgain } from "../../api/runs.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import type { Run } from "../../model/run.ts";
import type { Selection } from "../../model/selection.ts";
import { hasRunEnded } from "../../model/status.ts";
import { doToEach, showTally } from "../../model/tally.ts";
import { ExportMenu } from "./run-tools.tsx";

type Verb = "cancel" | "retry";

const words: { readonly [verb in Verb]: { readonly label: string; readonly done: string; readonly about: string } } = {
  cancel: {
    label: "Cancel",
    done: "cancelled",
    about: "What runs is aborted, and what can be undone is undone. Those that have ended stay as they are.",
  },
  retry: {
    label: "Retry",
    done: "retried",
    about: "Each begins again where it failed, as a new run. Those that have not failed are refused.",
  },
};

type BarProps = { readonly rows: readonly Run[]; readonly selection: Selection; readonly onClear: () => void };

export function SelectionBar({ rows, selection, onClear }: BarProps) {
  const [asked, setAsked] = useState<Verb | null>(null);
  const client = useQueryClient();
  const notCancel = useRefused("cancel");
  const notStart = useRefused("start");
  const chosen = rows.filter(({ id }) => selection.has(id));
  if (chosen.length === 0) return null;
  const count = showCount(chosen.length);
  const act = async (verb: Verb): Promise<void> => {
    const results = await doToEach(chosen, ({ id }) => (verb === "cancel" ? cancelRun(id) : startAgain(id, "retry")));
    const text = showTally(words[verb].done, results);
    if (results.some(({ ok }) => !ok)) tellProblem(text);
    else tell(text);
    onClear();
    await client.invalidateQueries({ queryKey: ["runs"] });
  };
  return (
    <div
      role="toolbar"
      aria-label="Chosen runs"
      data-testid="selection-bar"
      className="absolute inset-x-2 bottom-3 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-card border border-strong bg-surface px-3 py-1.5 shadow-lg"
    >
      <span className="font-medium" aria-live="polite">
        {count} chosen
      </span>
      <Button
        isSmall
        look="danger"
        icon={Ban}
        disabled={notCancel !== undefined || chosen.every(({ status }) => hasRunEnded(status))}
        title={notCancel}
        onClick={() => setAsked("cancel")}
      >
        Cancel
      </Button>
      <Button
        isSmall
        icon={RotateCcw}
        disabled={notStart !== undefined || !chosen.some(({ status }) => status === "failed")}
        title={notStart}
        onClick={() => setAsked("retry")}
      >
        Retry
      </Button>
      <ExportMenu read={() => Promise.resolve({ runs: chosen, isCut: false })} what={count} isSmall />
      <Button isSmall look="quiet" icon={X} onClick={onClear}>
        <span className="max-md:sr-only">Clear</span>
      </Button>
      {asked === null ? null : (
        <Confirm
          isOpen
          title={`${words[asked].label} ${count}?`}
          verb={`${words[asked].label} ${count}`}
          onClose={() => setAsked(null)}
          act={() => act(asked)}
        >
          <p>{words[asked].about}</p>
        </Confirm>
      )}
    </div>
  );
}

function showCount(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}
