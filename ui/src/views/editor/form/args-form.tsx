import { useState } from "react";
import { SchemaForm } from "../../../components/schema-form.tsx";
import type { Json } from "../../../model/json.ts";
import { isSameValue } from "../../../model/patch.ts";
import { useNews } from "./use-news.ts";

type ArgsFormProps = {
  /** null: anything. */
  readonly schema: Json;
  readonly args: Json;
  readonly onWrite: (args: Json) => void;
};

/** What is filled in goes into the text when one leaves a field, and what is chosen at once. */
export function ArgsForm({ schema, args, onWrite }: ArgsFormProps) {
  const [draft, setDraft] = useState(args);
  // Fields are drawn anew only for what was not written here: whoever goes from one to the next keeps the focus.
  const [count, setCount] = useState(0);
  const tellWritten = useNews(args, isSameValue, () => {
    if (isSameValue(draft, args)) return;
    setDraft(args);
    setCount(count + 1);
  });
  const write = (next: Json): void => {
    if (isSameValue(next, args)) return;
    tellWritten(next);
    onWrite(next);
  };
  const change = (next: Json): void => {
    setDraft(next);
    if (!isTyping()) write(next);
  };
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
