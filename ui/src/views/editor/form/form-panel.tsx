// A form beside the text: of the step at the cursor, else of the whole workflow. What is changed in it is changed in the
// text, which keeps its comments, and is undone there.

import { useMemo, type RefObject } from "react";
import type { Known } from "../../../model/completion.ts";
import type { Path } from "../../../model/patch.ts";
import { readFlow } from "../../../model/read-flow.ts";
import { findStep } from "../../../model/step-form.ts";
import type { EditorHandle } from "../code-editor.tsx";
import type { Draft } from "../use-draft.ts";
import type { EditQueue } from "../use-edit-queue.ts";
import { StepForm } from "./step-form.tsx";
import { editIn } from "./edit.ts";
import { WorkflowForm } from "./workflow-form.tsx";

type FormPanelProps = {
  readonly draft: Draft;
  readonly known: Known;
  readonly handle: RefObject<EditorHandle | null>;
  readonly queue: EditQueue;
  /** Of what is at the cursor; null: of nothing that is drawn. */
  readonly path: Path | null;
  readonly isNew: boolean;
};

export function FormPanel({ draft, known, handle, queue, path, isNew }: FormPanelProps) {
  const read = useMemo(() => readFlow(draft.text), [draft.text]);
  const edit = editIn(handle, queue);
  const place = read.ok && path !== null ? findStep(read.flow, path) : null;
  return (
    <section
      aria-label="Form"
      data-testid="form"
      tabIndex={0}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto bg-surface p-3"
    >
      {!read.ok ? (
        <p role="status" className="text-text2">
          {read.problem}
        </p>
      ) : place !== null ? (
        <StepForm key={place.path.join("/")} flow={read.flow} place={place} tools={known.tools} edit={edit} />
      ) : path !== null ? (
        <p className="text-text2">What stands here is written in the text; it has no form.</p>
      ) : (
        <WorkflowForm flow={read.flow} name={draft.name} isNew={isNew} taken={known.workflows} edit={edit} />
      )}
    </section>
  );
}
