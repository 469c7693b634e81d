// What can be done with the runs that are chosen.

import { useQueryClient } from "@tanstack/react-query";
import { Ban, RotateCcw, Trash2, X } from "lucide-react";
import { useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { cancelRun, removeRun, startAgain } from "../../api/runs.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { useLiveDesk } from "../../components/live.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import type { Run } from "../../model/run.ts";
import type { Selection } from "../../model/selection.ts";
import { hasRunEnded } from "../../model/status.ts";
import { doToEach, showTally } from "../../model/tally.ts";
import { ExportMenu } from "./run-tools.tsx";

type Verb = "cancel" | "retry" | "remove";

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
  remove: {
    label: "Delete",
    done: "deleted",
    about: "They go for good, with their steps, values and history, and with the runs that they have started.",
  },
};

const acts: { readonly [verb in Verb]: (run: number) => Promise<unknown> } = {
  cancel: (run) => cancelRun(run),
  retry: (run) => startAgain(run, "retry"),
  remove: removeRun,
};

type BarProps = { readonly rows: readonly Run[]; readonly selection: Selection; readonly onClear: () => void };

export function SelectionBar({ rows, selection, onClear }: BarProps) {
  const [asked, setAsked] = useState<Verb | null>(null);
  const act = useActing(onClear);
  const chosen = rows.filter(({ id }) => selection.has(id));
  if (chosen.length === 0) return null;
  const count = showCount(chosen.length);
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
      <Verbs chosen={chosen} onAsk={setAsked} />
      <ExportMenu read={() => Promise.resolve({ runs: chosen, isCut: false })} what={count} isSmall />
      <Button isSmall look="quiet" icon={X} onClick={onClear}>
        <span className="max-md:sr-only">Clear</span>
      </Button>
      {asked === null ? null : <Asking verb={asked} chosen={chosen} onClose={() => setAsked(null)} act={act} />}
    </div>
  );
}

type AskingProps = {
  readonly verb: Verb;
  readonly chosen: readonly Run[];
  readonly onClose: () => void;
  readonly act: (verb: Verb, chosen: readonly Run[]) => Promise<void>;
};

/** What is still alive is never deleted: it is said before, and not tried. */
function Asking({ verb, chosen, onClose, act }: AskingProps) {
  const meant = verb === "remove" ? chosen.filter(isEnded) : chosen;
  const stays = chosen.filter((run) => !meant.includes(run));
  const { label, about } = words[verb];
  const all = showCount(chosen.length);
  return (
    <Confirm
      isOpen
      title={`${label} ${stays.length === 0 ? nameOf(chosen) : `${meant.length} of ${all}`}?`}
      verb={`${label} ${stays.length === 0 ? all : `${meant.length} of ${chosen.length}`}`}
      onClose={onClose}
      act={() => act(verb, meant)}
    >
      <p>{about}</p>
      {verb === "remove" && chosen.length > 1 ? <Names chosen={meant} /> : null}
      {stays.length === 0 ? null : (
        <>
          <p className="mt-3">
            {stays.length === 1 ? "It has not ended, and stays:" : "They have not ended, and stay:"}
          </p>
          <Names chosen={stays} />
        </>
      )}
    </Confirm>
  );
}

function useActing(onClear: () => void): (verb: Verb, chosen: readonly Run[]) => Promise<void> {
  const client = useQueryClient();
  const desk = useLiveDesk();
  return async (verb, chosen) => {
    const results = await doToEach(chosen, ({ id }) => acts[verb](id));
    const text = showTally(words[verb].done, results);
    if (results.some(({ ok }) => !ok)) tellProblem(text);
    else tell(text);
    onClear();
    if (verb === "remove")
      desk.forgetRuns(chosen.filter((_, at) => results[at]?.ok === true).map((loaded) => loaded.id));
    await client.invalidateQueries({ queryKey: ["runs"] });
  };
}

function isEnded({ status }: Run): boolean {
  return hasRunEnded(status);
}

type VerbsProps = { readonly chosen: readonly Run[]; readonly onAsk: (verb: Verb) => void };

function Verbs({ chosen, onAsk }: VerbsProps) {
  const notCancel = useRefused("cancel");
  const notStart = useRefused("start");
  const notRemove = useRefused("admin");
  return (
    <>
      <Button
        isSmall
        look="danger"
        icon={Ban}
        disabled={notCancel !== undefined || chosen.every(isEnded)}
        title={notCancel}
        onClick={() => onAsk("cancel")}
      >
        Cancel
      </Button>
      <Button
        isSmall
        icon={RotateCcw}
        disabled={notStart !== undefined || !chosen.some(({ status }) => status === "failed")}
        title={notStart}
        onClick={() => onAsk("retry")}
      >
        Retry
      </Button>
      <Button
        isSmall
        look="danger"
        icon={Trash2}
        disabled={notRemove !== undefined || !chosen.some(isEnded)}
        title={notRemove}
        onClick={() => onAsk("remove")}
      >
        Delete
      </Button>
    </>
  );
}

const namedMax = 6;

function Names({ chosen }: { readonly chosen: readonly Run[] }) {
  const more = chosen.length - namedMax;
  return (
    <ul className="mt-3 text-table text-text2">
      {chosen.slice(0, namedMax).map(({ id, name }) => (
        <li key={id} className="truncate">
          {name} <span className="mono">{id}</span>
        </li>
      ))}
      {more > 0 ? <li>and {more.toLocaleString("en")} more</li> : null}
    </ul>
  );
}

/** One by its name, more by their number. */
function nameOf(chosen: readonly Run[]): string {
  const [first] = chosen;
  return chosen.length === 1 && first !== undefined ? `run ${first.id} of ${first.name}` : showCount(chosen.length);
}

function showCount(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}
