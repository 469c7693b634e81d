// Runs it again with another input.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { partOfRun } from "../../../api/run-values.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field, Textarea } from "../../../components/field.tsx";
import { Loaded } from "../../../components/page.tsx";
import { omittedBytes, type Json } from "../../../model/json.ts";
import type { Outline } from "../../../model/run.ts";
import { readJson } from "../../../model/schema-form.ts";
import { useAgain } from "./use-again.ts";

type ForkProps = { readonly outline: Outline; readonly onClose: () => void };

export function ForkDialog({ outline, onClose }: ForkProps) {
  const { run } = outline;
  const isOmitted = omittedBytes(run.input) !== null;
  const part = partOfRun(run.id, "input");
  const query = useQuery({ queryKey: part.key, queryFn: part.read, enabled: isOmitted });
  if (!isOmitted) return <ForkForm input={run.input} outline={outline} onClose={onClose} />;
  if (query.data !== undefined) return <ForkForm input={query.data} outline={outline} onClose={onClose} />;
  return (
    <Dialog title={`Run ${run.name} with another input`} isOpen isWide onClose={onClose}>
      <Loaded query={query}>{() => null}</Loaded>
    </Dialog>
  );
}

function ForkForm({ input, outline: { run }, onClose }: ForkProps & { readonly input: Json }) {
  const [text, setText] = useState(() => JSON.stringify(input, null, 2));
  const [isBusy, setBusy] = useState(false);
  const again = useAgain(run.id);
  const read = readJson(text);
  const go = async (): Promise<void> => {
    if (!read.ok) return;
    setBusy(true);
    if (await again("fork", { input: read.value ?? null })) onClose();
    setBusy(false);
  };
  return (
    <Dialog
      title={`Run ${run.name} with another input`}
      isOpen
      isWide
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button look="primary" isBusy={isBusy} disabled={!read.ok} onClick={() => void go()}>
            Run it
          </Button>
        </>
      }
    >
      <Field
        label="Input"
        help="JSON. A new run begins; this one stays as it is."
        problem={read.ok ? null : read.problem}
      >
        {(given) => (
          <Textarea
            {...given}
            rows={14}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="font-mono text-code"
          />
        )}
      </Field>
    </Dialog>
  );
}
