// Asks before a run is cancelled, and says what that would do.

import { useQuery } from "@tanstack/react-query";
import { useState, type KeyboardEvent } from "react";
import { previewQuery, type Preview } from "../../../api/run-values.ts";
import { cancelRun } from "../../../api/runs.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field, Input } from "../../../components/field.tsx";
import { Loaded, Skeleton } from "../../../components/page.tsx";
import type { Outline } from "../../../model/run.ts";
import { useAct } from "./use-act.ts";

type CancelProps = {
  readonly outline: Outline;
  readonly onClose: () => void;
  /** It is cancelled, and the dialog closes. */
  readonly onDone: () => void;
};

export function CancelDialog({ outline: { run }, onClose, onDone }: CancelProps) {
  const [reason, setReason] = useState("");
  const query = useQuery(previewQuery(run.id));
  const { isBusy, act } = useAct(run.id);
  const cancel = async (): Promise<void> => {
    const isDone = await act(
      () => cancelRun(run.id, reason === "" ? undefined : reason),
      `Run ${run.id} is cancelled.`,
    );
    if (isDone) onDone();
  };
  const isAllowed = query.data?.isAllowed ?? false;
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !isAllowed || isBusy) return;
    event.preventDefault();
    void cancel();
  };
  return (
    <Dialog
      title={`Cancel run ${run.id} of ${run.name}?`}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" isBusy={isBusy} disabled={!isAllowed} onClick={() => void cancel()}>
            Cancel run
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {query.data?.isAllowed === false ? null : (
          // There from the first moment on: whoever begins to type must not type into something else.
          <Field label="Reason" help="It stands in the history.">
            {(given) => (
              <Input
                {...given}
                value={reason}
                maxLength={1000}
                onChange={(event) => setReason(event.target.value)}
                onKeyDown={press}
              />
            )}
          </Field>
        )}
        <Loaded query={query} skeleton={<Skeleton lines={2} />}>
          {(preview) =>
            preview.isAllowed ? (
              <Effects preview={preview} />
            ) : (
              <p data-testid="refused">It cannot be cancelled now: {preview.refused}</p>
            )
          }
        </Loaded>
      </div>
    </Dialog>
  );
}

function Effects({ preview: { aborted, cleanup, undone } }: { readonly preview: Preview }) {
  if (aborted.length + cleanup.length + undone.length === 0)
    return <p>Nothing is under way: it just ends. This cannot be taken back.</p>;
  return (
    <div className="flex flex-col gap-3">
      <Names
        title="Stops at once"
        names={aborted.map(({ name, mayHaveHappened }) =>
          mayHaveHappened ? `${name} (what it does may have happened)` : name,
        )}
      />
      <Names title="Runs to clean up" names={cleanup} />
      <Names title="Is undone" names={undone.map((loaded) => loaded.name)} />
      <p className="text-text2">This cannot be taken back.</p>
    </div>
  );
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <h3 className="text-table font-medium">{title}</h3>
      <ul className="list-inside list-disc">
        {names.slice(0, 20).map((name, at) => (
          <li key={at} className="mono">
            {name}
          </li>
        ))}
      </ul>
      {names.length > 20 ? (
        <p className="text-meta text-text2">and {(names.length - 20).toLocaleString("en")} more</p>
      ) : null}
    </div>
  );
}
