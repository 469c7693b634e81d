// Runs it again with another input, asked for by the same form as when it was started.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type KeyboardEvent } from "react";
import { inputProblemsIn } from "../../../api/input-problems.ts";
import { definitionQuery, partOfRun } from "../../../api/run-values.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Failed, Skeleton } from "../../../components/page.tsx";
import { JsonField, SchemaForm, type SchemaFormProps } from "../../../components/schema-form.tsx";
import { tellProblem } from "../../../components/toasts.tsx";
import { omittedBytes, type Json } from "../../../model/json.ts";
import type { Outline } from "../../../model/run.ts";
import { fieldsOf } from "../../../model/schema-form.ts";
import { inputOf } from "../../../model/start.ts";
import { useAgain } from "./use-again.ts";

type ForkProps = { readonly outline: Outline; readonly onClose: () => void };

export function ForkDialog({ outline, onClose }: ForkProps) {
  const { run } = outline;
  const isOmitted = omittedBytes(run.input) !== null;
  const part = partOfRun(run.id, "input");
  const whole = useQuery({ queryKey: part.key, queryFn: part.read, enabled: isOmitted });
  const definition = useQuery(definitionQuery(outline));
  const input = isOmitted ? whole.data : run.input;
  // What it asks for may be unknown: then its input is JSON.
  if (input !== undefined && !definition.isPending) {
    const schema = inputOf(definition.data?.flow ?? null, null).schema;
    return <ForkForm input={input} schema={schema} outline={outline} onClose={onClose} />;
  }
  return (
    <Dialog title={`Run ${run.name} with another input`} isOpen isWide onClose={onClose}>
      {whole.error === null ? (
        <Skeleton lines={3} />
      ) : (
        <Failed error={whole.error} again={() => void whole.refetch()} />
      )}
    </Dialog>
  );
}

const nothingWrong: ReadonlyMap<string, string> = new Map();

type FormProps = ForkProps & { readonly input: Json; readonly schema: Json };

function ForkForm({ input: given, schema, outline: { run }, onClose }: FormProps) {
  const [input, setInput] = useState(given);
  const [isValid, setValid] = useState(true);
  const { problems, isBusy, fork } = useFork(run.id);
  const go = async (): Promise<void> => {
    if (isValid && !isBusy && (await fork(input))) onClose();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    void go();
  };
  return (
    <Dialog
      title={`Run ${run.name} with another input`}
      isOpen
      isWide
      onClose={onClose}
      onKeyDown={press}
      foot={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button look="primary" isBusy={isBusy} disabled={!isValid} title="Ctrl Enter" onClick={() => void go()}>
            Run it
          </Button>
        </>
      }
    >
      <form className="flex flex-col gap-4" onSubmit={(event) => event.preventDefault()} noValidate>
        <InputPart schema={schema} value={input} onChange={setInput} problems={problems} onValidity={setValid} />
        <p className="text-meta text-text2">A new run begins; this one stays as it is.</p>
      </form>
    </Dialog>
  );
}

type InputPartProps = Required<Pick<SchemaFormProps, "schema" | "value" | "onChange" | "problems" | "onValidity">>;

function InputPart({ schema, value, onChange, problems, onValidity }: InputPartProps) {
  const [isJson, setJson] = useState(fieldsOf(schema) === null);
  const [wrong, setWrong] = useState<string | null>(null);
  if (fieldsOf(schema) === null)
    return (
      <JsonField
        label="Input"
        value={value}
        onChange={onChange}
        problem={wrong ?? [...problems.values()][0] ?? null}
        onProblem={(problem) => {
          setWrong(problem);
          onValidity(problem === null);
        }}
      />
    );
  const turn = (): void => {
    setJson(!isJson);
    // What stands for nothing is left behind with the fields that it was typed into.
    onValidity(true);
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <h3 className="font-medium">Input</h3>
        <Button look="quiet" isSmall aria-pressed={isJson} onClick={turn}>
          {isJson ? "As a form" : "As JSON"}
        </Button>
      </div>
      <SchemaForm
        key={String(isJson)}
        schema={schema}
        value={value}
        onChange={onChange}
        problems={problems}
        onValidity={onValidity}
        isJson={isJson}
      />
    </div>
  );
}

type Forking = {
  readonly problems: ReadonlyMap<string, string>;
  readonly isBusy: boolean;
  readonly fork: (input: Json) => Promise<boolean>;
};

function useFork(run: number): Forking {
  const again = useAgain(run);
  const [problems, setProblems] = useState(nothingWrong);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (problems.size > 0) document.querySelector<HTMLElement>('[role="dialog"] [aria-invalid="true"]')?.focus();
  }, [problems]);
  const fork = async (input: Json): Promise<boolean> => {
    setBusy(true);
    setProblems(nothingWrong);
    const isDone = await again("fork", { input }, (error) => {
      const found = inputProblemsIn(error);
      if (found.size === 0) tellProblem(error);
      setProblems(found);
    });
    setBusy(false);
    return isDone;
  };
  return { problems, isBusy, fork };
}
