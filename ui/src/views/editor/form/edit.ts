// Puts what a form changes into the text, one change after the other, each on top of the text as it then stands.

import type { RefObject } from "react";
import { mendText } from "../../../api/writing.ts";
import { entryAt, scanFlow } from "../../../model/flow-text.ts";
import type { Json } from "../../../model/json.ts";
import type { Patch, Path } from "../../../model/patch.ts";
import { readFlow } from "../../../model/read-flow.ts";
import type { EditorHandle } from "../code-editor.tsx";
import type { EditQueue } from "../use-edit-queue.ts";

/** `stay`: what the cursor is at afterwards, so that the form goes on being about it. */
export type Edit = (change: (flow: Json) => Patch, stay: Path | null) => void;

export function editIn(handle: RefObject<EditorHandle | null>, queue: EditQueue): Edit {
  return (change, stay) => queue.add(() => apply(handle.current, change, stay));
}

/** When somebody has written meanwhile, it is begun again. */
async function apply(editor: EditorHandle | null, change: (flow: Json) => Patch, stay: Path | null): Promise<void> {
  for (let isDone = editor === null; !isDone;) {
    const text = editor?.text() ?? "";
    const read = readFlow(text);
    if (!read.ok) throw new Error(read.problem);
    const patch = change(read.flow);
    if (patch.length === 0) return;
    const mended = await mendText(text, patch);
    isDone = editor?.text() === text;
    if (isDone) editor?.setText(mended, placeOf(mended, stay));
  }
}

function placeOf(text: string, path: Path | null): number | undefined {
  return path === null ? undefined : entryAt(scanFlow(text).entries, path)?.from;
}
