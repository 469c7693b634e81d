// What can be done with a run: cancel, pause, run it again, answer what it asks.

import {
  Ban,
  ChevronDown,
  Download,
  Ellipsis,
  GitFork,
  Hand,
  Pause,
  Pencil,
  Play,
  RotateCcw,
  RotateCw,
  SquareTerminal,
  Terminal,
  Trash2,
} from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { lazyPart } from "../../../components/lazy-part.ts";
import { meQuery } from "../../../api/queries.ts";
import { addressOfRun } from "../../../api/run-values.ts";
import { pauseRun } from "../../../api/runs.ts";
import { Button } from "../../../components/button.tsx";
import { copyText } from "../../../components/copy-text.ts";
import { Menu, type MenuEntry } from "../../../components/menu.tsx";
import { useIsNarrow } from "../../../components/narrow.ts";
import { curlCommand, rerunCommand } from "../../../model/command.ts";
import type { Outline, Run } from "../../../model/run.ts";
import { hasRunEnded } from "../../../model/status.ts";
import { focusTitle } from "../focus-title.ts";
import { useShow } from "../route.ts";
import type { Selection } from "../use-selection.ts";
import { OneMenu } from "./one-menu.tsx";
import { useAct } from "./use-act.ts";
import { useAgain } from "./use-again.ts";

const CancelDialog = lazyPart(
  () => import("./cancel-dialog.tsx"),
  (loaded) => loaded.CancelDialog,
);
const ForkDialog = lazyPart(
  () => import("./fork-dialog.tsx"),
  (loaded) => loaded.ForkDialog,
);
const RemoveDialog = lazyPart(
  () => import("./remove-dialog.tsx"),
  (loaded) => loaded.RemoveDialog,
);

type ActionsProps = { readonly outline: Outline; readonly selection: Selection };

export function RunActions({ outline, selection }: ActionsProps) {
  const [dialog, setDialog] = useState<"cancel" | "cancelled" | "fork" | "remove" | null>(null);
  const { run, can } = outline;
  const isNarrow = useIsNarrow();
  const again = useAgainEntries({ outline, selection, onFork: () => setDialog("fork") });
  const more = useMoreEntries(outline, () => setDialog("remove"));
  const onCancel = (): void => setDialog("cancel");
  // The button that has opened the dialog goes; the dialog gives it the focus a moment after it has closed.
  useEffect(() => {
    if (dialog !== "cancelled") return undefined;
    const timer = setTimeout(focusTitle, 0);
    return () => clearTimeout(timer);
  }, [dialog]);
  return (
    <>
      {isNarrow ? (
        <>
          <AnswerButton outline={outline} />
          <OneMenu outline={outline} onCancel={onCancel} again={again} more={more} />
        </>
      ) : (
        <>
          <PauseButton outline={outline} />
          {hasRunEnded(run.status) ? null : (
            <Button
              icon={Ban}
              look="plain"
              onClick={onCancel}
              disabled={!can.cancel && can.cancelRefused === null}
              title={can.cancelRefused ?? undefined}
            >
              Cancel
            </Button>
          )}
          <Menu
            trigger={
              <Button icon={RotateCw}>
                Rerun
                <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
              </Button>
            }
            entries={again}
          />
          <AnswerButton outline={outline} />
          <Menu trigger={<Button look="quiet" icon={Ellipsis} aria-label="More" />} entries={more} />
        </>
      )}
      <Suspense fallback={null}>
        {dialog === "cancel" ? (
          <CancelDialog outline={outline} onClose={() => setDialog(null)} onDone={() => setDialog("cancelled")} />
        ) : null}
        {dialog === "fork" ? <ForkDialog outline={outline} onClose={() => setDialog(null)} /> : null}
        {dialog === "remove" ? <RemoveDialog run={run} onClose={() => setDialog(null)} /> : null}
      </Suspense>
    </>
  );
}

function PauseButton({ outline: { run, can } }: { readonly outline: Outline }) {
  const { isBusy, act } = useAct(run.id);
  if (can.resume)
    return (
      <Button
        icon={Play}
        isBusy={isBusy}
        onClick={() => void act(() => pauseRun(run.id, "resume"), "The run goes on.")}
      >
        Resume
      </Button>
    );
  if (!can.pause) return null;
  return (
    <Button
      look="quiet"
      icon={Pause}
      isBusy={isBusy}
      aria-label="Pause"
      title="Pause: calls under way finish, nothing new begins"
      onClick={() =>
        void act(() => pauseRun(run.id, "pause"), "The run is paused: calls under way finish, nothing new begins.")
      }
    />
  );
}

/** Leads to where the answer is given. */
function AnswerButton({ outline }: { readonly outline: Outline }) {
  const show = useShow();
  const item = outline.waiting.find(({ kind, step }) => kind === "gate" && step !== null);
  const row = outline.steps.find(({ id }) => id === item?.step);
  if (item === undefined || row === undefined || !outline.can.answer) return null;
  const open = (): void => {
    show({ step: row.key, row: String(row.id), part: undefined });
    focusOnce("decide");
  };
  return (
    <Button look="primary" icon={Hand} onClick={open}>
      Approve…
    </Button>
  );
}

/** As soon as it stands there: the address has to change first, and the form may have to be loaded. */
function focusOnce(id: string, triesLeft = 60): void {
  const found = document.getElementById(id);
  if (found !== null) found.focus();
  else if (triesLeft > 0) requestAnimationFrame(() => focusOnce(id, triesLeft - 1));
}

type AgainProps = ActionsProps & { readonly onFork: () => void };

function useAgainEntries({ outline: { run, can }, selection, onFork }: AgainProps): readonly MenuEntry[] {
  const again = useAgain(run.id);
  const from = selection.row?.id;
  const name = selection.row?.name;
  const why = hasRunEnded(run.status) ? "You may not start this." : "It has not ended yet.";
  return [
    {
      label: "Same input",
      icon: RotateCw,
      act: () => void again("rerun"),
      ...refuse(can.rerun, why),
    },
    {
      label: "Edited input…",
      icon: GitFork,
      act: onFork,
      ...refuse(can.fork, why),
    },
    {
      label: name === undefined ? "From the selected step" : `From ${name}`,
      icon: RotateCcw,
      act: () => void (from === undefined ? undefined : again("rerun", { from })),
      ...(from === undefined ? { refused: "Select a step that the run has come to." } : refuse(can.rerun, why)),
    },
    {
      label: "Retry what failed",
      icon: RotateCw,
      act: () => void again("retry"),
      ...refuse(can.retry, run.status === "failed" ? why : "Only a run that has failed can be retried."),
    },
  ];
}

function refuse(can: boolean, why: string): { readonly refused?: string } {
  return can ? {} : { refused: why };
}

function sayNotRemoved({ status }: Run, parent: Outline["parent"]): string {
  if (!hasRunEnded(status)) return "It has not ended yet: cancel it first.";
  return parent === null ? "You may not delete runs." : `It goes with run ${parent.id}, which has started it.`;
}

function useMoreEntries({ run, version, can, parent }: Outline, onRemove: () => void): readonly MenuEntry[] {
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const download = (): void => {
    const link = document.createElement("a");
    link.href = addressOfRun(run.id);
    link.download = `${run.name}-${run.id}.json`;
    link.click();
  };
  return [
    { label: "Export as JSON", icon: Download, act: download },
    {
      label: "Copy CLI command",
      icon: SquareTerminal,
      act: () => void copyText(rerunCommand(run, me?.program), "Copied the command that runs it again."),
    },
    {
      label: "Copy curl",
      icon: Terminal,
      act: () => void copyText(curlCommand(location.origin, run), "Copied the request that runs it again."),
    },
    {
      label: "Edit the workflow",
      icon: Pencil,
      act: () =>
        void (version === null ? undefined : navigate({ to: "/library/$name/edit", params: { name: version.name } })),
      ...(version === null ? { refused: "It was never saved." } : {}),
    },
    {
      label: "Delete…",
      icon: Trash2,
      act: onRemove,
      isDanger: true,
      ...refuse(can.remove, sayNotRemoved(run, parent)),
    },
  ];
}
