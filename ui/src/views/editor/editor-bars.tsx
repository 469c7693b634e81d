import { AlignLeft, FlaskConical, Play, Save } from "lucide-react";
import { useRefused } from "../../api/rights.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { syntaxOf } from "../../model/flow-text.ts";
import type { Draft } from "./use-draft.ts";

export function EditorFacts({ draft, isNew }: { readonly draft: Draft; readonly isNew: boolean }) {
  const refused = useRefused("save");
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 text-meta text-text2">
      {isNew ? (
        <span className="w-44">
          <Input
            aria-label="Name of the workflow"
            placeholder="Name"
            value={draft.name}
            onChange={({ target }) => draft.setName(target.value)}
          />
        </span>
      ) : (
        <span>Version {draft.version}</span>
      )}
      <span role="status" data-testid="draft-state" className={draft.isDirty ? "text-warn" : ""}>
        {draft.isDirty ? "Not saved yet" : isNew ? "Not changed yet" : "Saved"}
      </span>
      {refused === undefined ? null : <span data-testid="may-not-save">{refused}</span>}
    </div>
  );
}

type ActionsProps = {
  readonly draft: Draft;
  readonly onTry: () => void;
  readonly onFormat: () => void;
  readonly onRun: () => void;
  readonly onSave: () => void;
};

export function EditorActions({ draft, onTry, onFormat, onRun, onSave }: ActionsProps) {
  const notStart = useRefused("start");
  const notSave = useRefused("save");
  const isSaved = draft.version > 0 && !draft.isDirty;
  const notRun = notStart ?? (isSaved ? undefined : notSave);
  return (
    <>
      <Button look="quiet" icon={AlignLeft} title="Lay the text out anew; comments stay" onClick={onFormat}>
        Format
      </Button>
      <Button
        look="quiet"
        icon={FlaskConical}
        disabled={notStart !== undefined}
        title={notStart ?? "Call the tool of the step at the cursor"}
        onClick={onTry}
      >
        Try step
      </Button>
      <Button
        icon={Play}
        isBusy={draft.isSaving}
        disabled={notRun !== undefined}
        title={notRun}
        data-testid="run"
        onClick={onRun}
      >
        {isSaved ? "Run" : "Save and run"}
      </Button>
      <Button
        look="primary"
        icon={Save}
        isBusy={draft.isSaving}
        disabled={notSave !== undefined}
        title={notSave ?? "Save (Ctrl+S)"}
        data-testid="save"
        onClick={onSave}
      >
        Save
      </Button>
    </>
  );
}

export function EditorFoot({ draft }: { readonly draft: Draft }) {
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-border bg-surface px-3 py-1.5 text-meta text-text2">
      <span className="min-w-40 flex-1 md:max-w-96">
        <Input
          aria-label="What is new in this version"
          placeholder="What is new (optional)"
          value={draft.note}
          onChange={({ target }) => draft.setNote(target.value)}
        />
      </span>
      <span className="uppercase">{syntaxOf(draft.text)}</span>
      <span className="hidden md:inline">Ctrl+Space completes · Ctrl+F finds · Esc, then Tab leaves the text</span>
    </div>
  );
}
