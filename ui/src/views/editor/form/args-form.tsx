import { useState } from "react";
import { SchemaForm } from "../../../components/schema-form.tsx";
import type { Json } from "../../../model/json.ts";
import { isSameValue } from "../../../model/patch.ts";
import { useNews } from "./use-news.ts";
import { usePause } from "./use-pause.ts";

type ArgsFormProps = {
  /** null: anything. */
  readonly schema: Json;
  readonly args: Json;
  readonly onWrite: (args: Json) => void;
};

/** What is filled in goes into the text when one pauses or leaves a field, and what is chosen at once. */
export function ArgsForm({ schema, args, onWrite }: ArgsFormProps) {
  const [draft, setDraft] = useState(args);
  // Fields are drawn anew only for what was not written here: whoever goes from one to the next keeps the focus.
  const [count, setCount] = useState(0);
  const { tellWritten, isThere } = useNews(args, isSameValue, () => {
    if (isSameValue(draft, args)) return;
    setDraft(args);
    setCount(count + 1);
  });
  const write = (next: Json): void => {
    if (isThere(next)) return;
    tellWritten(next);
    onWrite(next);
  };
  const change = (next: Json): void => {
    setDraft(next);
    if (!isTyping()) write(next);
  };
  usePause(draft, () => write(draft));
  return (
    <div onBlur={() => write(draft)}>
      <SchemaForm
        key={count}
        schema={schema}
        value={draft}
        onChange={change}
        takesExpressions
        jsonLabel="Arguments (JSON)"
      />
    </div>
  );
}

function isTyping(): boolean {
  const { activeElement } = document;
  return activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
}
