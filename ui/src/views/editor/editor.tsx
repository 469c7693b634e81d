// A workflow as it is written: its name and state above, text and drawing below, and what one is asked on the way.

import { useEffect, useRef, useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { Page } from "../../components/page.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import type { EditorHandle } from "./code-editor.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { EditorActions, EditorFacts, EditorFoot } from "./editor-bars.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { Panels } from "./panels.tsx";
import { TryStep } from "./try-step.tsx";
import { useDraft, type Begun } from "./use-draft.ts";
import { useEditQueue, writeFocusedField } from "./use-edit-queue.ts";

export function Editor({ begun }: { readonly begun: Begun }) {
  const draft = useDraft(begun);
  const [cursor, setCursor] = useState(0);
  const [isTrying, setTrying] = useState(false);
  const handle = useRef<EditorHandle>(null);
  const title = begun.name === null ? "New workflow" : `Edit ${begun.name}`;
  const refused = useRefused("save");
  const queue = useEditQueue();
  const save = async (): Promise<void> => {
    writeFocusedField();
    if (await queue.settled()) await draft.save();
  };
  useSaveKey(() => (refused === undefined ? void save() : tell(refused)));
  return (
    <Page
      page="editor"
      title={title}
      titles={[title, "Library"]}
      beside={<EditorFacts draft={draft} isNew={begun.name === null} />}
      actions={
        <EditorActions
          draft={draft}
          onTry={() => setTrying(true)}
          onFormat={() => void format(handle.current)}
          onSave={() => void save()}
        />
      }
      isFull
    >
      <Panels
        draft={draft}
        cursor={cursor}
        onCursor={setCursor}
        handle={handle}
        queue={queue}
        isNew={begun.name === null}
      />
      <EditorFoot draft={draft} />
      <ConflictDialog
        draft={draft}
        onTake={(theirs, text) => {
          draft.take(theirs, text);
          handle.current?.setText(text);
        }}
      />
      {isTrying ? <TryStep text={draft.text} offset={cursor} onClose={() => setTrying(false)} /> : null}
      <LeaveGuard isUnsaved={draft.isUnsaved} isDirty={draft.isDirty} />
    </Page>
  );
}

/** What lays texts out is loaded when it is first asked for. */
async function format(handle: EditorHandle | null): Promise<void> {
  if (handle === null) return;
  try {
    const { formatFlow } = await import("../../model/format.ts");
    const formatted = formatFlow(handle.text());
    if (formatted.ok) handle.setText(formatted.text);
    else tellProblem(new Error(formatted.problem));
  } catch (error) {
    tellProblem(error);
  }
}

/** Ctrl+S, wherever the focus is; the browser's own saving helps nobody here. */
function useSaveKey(save: () => void): void {
  const newest = useRef(save);
  useEffect(() => {
    newest.current = save;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      newest.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
