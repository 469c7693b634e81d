// A workflow as it is written: its name and state above, text and drawing below, and what one is asked on the way.

import { useEffect, useRef, useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { Page } from "../../components/page.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { useStart } from "../../shell/use-start.ts";
import { offerDraft } from "../start/open-draft.ts";
import type { EditorHandle } from "./code-editor.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { EditorActions, EditorFacts, EditorFoot } from "./editor-bars.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { Panels } from "./panels.tsx";
import { TryStep } from "./try-step.tsx";
import { useDraft, type Begun, type Draft } from "./use-draft.ts";
import { useEditQueue, writeFocusedField } from "./use-edit-queue.ts";

export function Editor({ begun }: { readonly begun: Begun }) {
  const draft = useDraft(begun);
  const [cursor, setCursor] = useState(0);
  const [isTrying, setTrying] = useState(false);
  const handle = useRef<EditorHandle>(null);
  const title = begun.name === null ? "New workflow" : `Edit ${begun.name}`;
  const refused = useRefused("save");
  const queue = useEditQueue();
  const start = useStart();
  const save = async (): Promise<string | null> => {
    writeFocusedField();
    return (await queue.settled()) ? await draft.save() : null;
  };
  /** As it stands here, and never as it was saved before. */
  const run = async (): Promise<void> => {
    writeFocusedField();
    if (!(await queue.settled())) return;
    const isSaved = draft.version > 0 && !draft.isUnsaved();
    const name = isSaved ? draft.name : await draft.save();
    if (name !== null) start(name);
  };
  const tryStep = async (): Promise<void> => {
    writeFocusedField();
    if (await queue.settled()) setTrying(true);
  };
  useOffer(draft, save);
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
          onTry={() => void tryStep()}
          onFormat={() => void format(handle.current)}
          onRun={() => void run()}
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

/** To whoever starts it from elsewhere: the palette, the bar above, a key. A new one that has the name of another is not
 *  what they mean. */
function useOffer({ name, version, isUnsaved }: Draft, save: () => Promise<string | null>): void {
  const newest = useRef({ isUnsaved, save });
  useEffect(() => {
    newest.current = { isUnsaved, save };
  });
  const isKnown = version > 0;
  useEffect(() => {
    if (!isKnown) return undefined;
    return offerDraft({
      name,
      isUnsaved: () => newest.current.isUnsaved(),
      save: async () => (await newest.current.save()) !== null,
    });
  }, [name, isKnown]);
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
