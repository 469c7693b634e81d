// Somebody else has saved meanwhile: what differs, and whose counts.

import { Button } from "../../components/button.tsx";
import { Diff } from "../../components/diff.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Ago } from "../../components/time.tsx";
import { withOneEnd } from "../../model/line-ends.ts";
import { textOf, type WholeWorkflow } from "../../model/workflow.ts";
import type { Draft } from "./use-draft.ts";

type ConflictDialogProps = {
  readonly draft: Draft;
  readonly onTake: (theirs: WholeWorkflow, text: string) => void;
};

export function ConflictDialog({ draft, onTake }: ConflictDialogProps) {
  const { theirs, text, name } = draft;
  if (theirs === null) return null;
  const theirText = withOneEnd(textOf(theirs));
  return (
    <Dialog
      title={
        draft.version === 0 ? `There is a workflow ${name} already` : `${theirs.updatedBy} saved ${name} meanwhile`
      }
      isOpen
      isWide
      onClose={draft.forget}
      foot={
        <>
          <Button onClick={draft.forget}>Go on writing</Button>
          <Button onClick={() => onTake(theirs, theirText)}>Take theirs</Button>
          <Button look="primary" isBusy={draft.isSaving} onClick={() => void draft.save(theirs)}>
            Save mine over it
          </Button>
        </>
      }
    >
      <div data-testid="conflict" className="flex flex-col gap-3">
        <p>
          Version {theirs.version} was saved <Ago at={theirs.updatedAt} />
          {theirs.note === null ? "" : ` (${theirs.note})`}. Saving yours puts it on top; taking theirs drops what you
          wrote.
        </p>
        <Diff before={theirText} after={text} beforeName="theirs" afterName="mine" />
      </div>
    </Dialog>
  );
}
