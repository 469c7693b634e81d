// The dialog that starts a run: which workflow, with what, and when.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { Problem } from "../../api/request.ts";
import { startRun } from "../../api/runs.ts";
import { shownZone } from "../../model/time.ts";
import { workflowQuery, workflowsQuery } from "../../api/workflows.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Failed, Loaded, Skeleton } from "../../components/page.tsx";
import { SchemaForm, type SchemaFormProps } from "../../components/schema-form.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { isObject, type Json } from "../../model/json.ts";
import { defaultsOf, problemsByField, readJson, withoutChanged } from "../../model/schema-form.ts";
import { inputOf, type Wish } from "../../model/start.ts";
import type { WholeWorkflow } from "../../model/workflow.ts";
import { CopyAs } from "./copy-as.tsx";
import { findUnsaved } from "./open-draft.ts";
import { RecentInputs } from "./recent-inputs.tsx";
import { When } from "./when.tsx";
import { WorkflowPicker } from "./workflow-picker.tsx";

type StartDialogProps = { readonly name: string; readonly input: string | null; readonly onClose: () => void };

/** `name`: the workflow; `*`: one is still to be chosen. `input`: JSON to begin with. */
export function StartDialog({ name, input, onClose }: StartDialogProps) {
  const [chosen, setChosen] = useState(name === "*" ? null : name);
  if (chosen === null) return <Choosing onChoose={setChosen} onClose={onClose} />;
  return <Filling key={chosen} name={chosen} input={input} onClose={onClose} />;
}

function Choosing({ onChoose, onClose }: { readonly onChoose: (name: string) => void; readonly onClose: () => void }) {
  const workflows = useQuery(workflowsQuery);
  const navigate = useNavigate();
  return (
    <Dialog title="Run a workflow" isOpen onClose={onClose}>
      <Loaded query={workflows}>
        {(all) => {
          const startable = all.filter((loaded) => loaded.isEnabled);
          if (startable.length === 0)
            return (
              <div className="flex flex-col items-start gap-3">
                <p>No workflow can be started yet.</p>
                <Button look="primary" onClick={() => void navigate({ to: "/new", replace: true })}>
                  Write one
                </Button>
              </div>
            );
          return <WorkflowPicker workflows={startable} onChoose={onChoose} />;
        }}
      </Loaded>
    </Dialog>
  );
}

function Filling({ name, input, onClose }: StartDialogProps) {
  const workflow = useQuery(workflowQuery(name));
  if (workflow.data !== undefined) return <Form workflow={workflow.data} given={input} onClose={onClose} />;
  return (
    <Dialog title={`Run ${name}`} isOpen onClose={onClose}>
      {workflow.error === null ? <Skeleton lines={3} /> : <Failed error={workflow.error} />}
    </Dialog>
  );
}

const nothingWrong: ReadonlyMap<string, string> = new Map();

type FormProps = { readonly workflow: WholeWorkflow; readonly given: string | null; readonly onClose: () => void };

function Form({ workflow, given, onClose }: FormProps) {
  const { schema, defaults } = inputOf(workflow.flow, workflow.input);
  const [input, setInput] = useState<Json>(() => beginWith(given) ?? defaultsOf(schema, defaults));
  const [isValid, setValid] = useState(true);
  const [schedule, setSchedule] = useState("");
  const [key, setKey] = useState("");
  const { problems, isBusy, start, recheck } = useStarting(onClose);
  const change = (next: Json): void => {
    recheck(input, next);
    setInput(next);
  };
  const wish: Wish = { name: workflow.name, input, schedule: schedule.trim(), tz: shownZone(), key };
  const send = (): void => {
    if (isValid) void start(wish);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    send();
  };
  const foot = (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button look="primary" isBusy={isBusy} disabled={!isValid} onClick={send} title="Ctrl Enter" data-testid="start">
        {verbOf(wish)}
      </Button>
    </>
  );
  return (
    <Dialog title={`Run ${workflow.name}`} isOpen onClose={onClose} foot={foot} onKeyDown={press}>
      <form className="flex flex-col gap-5" onSubmit={(event) => event.preventDefault()} noValidate>
        {workflow.description === null ? null : <p className="text-text2">{workflow.description}</p>}
        <InputPart
          name={workflow.name}
          schema={schema}
          value={input}
          onChange={change}
          problems={problems}
          onValidity={setValid}
        />
        <When text={schedule} onChange={setSchedule} />
        <CopyAs wish={wish} keyText={key} onKey={setKey} />
      </form>
    </Dialog>
  );
}

function verbOf({ name, schedule }: Wish): string {
  if (findUnsaved(name) !== undefined) return schedule === "" ? "Save and run" : "Save and schedule";
  return schedule === "" ? "Run now" : "Schedule";
}

type InputPartProps = Required<Pick<SchemaFormProps, "schema" | "value" | "onChange" | "problems" | "onValidity">> & {
  readonly name: string;
};

function InputPart({ name, ...form }: InputPartProps) {
  const [isJson, setJson] = useState(form.schema === null);
  // Fields keep what was typed: another input to begin with needs new ones.
  const [round, setRound] = useState(0);
  const choose = (recent: Json): void => {
    form.onChange(recent);
    setRound(round + 1);
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <h3 className="font-medium">Input</h3>
        {form.schema === null ? null : (
          <Button look="quiet" isSmall aria-pressed={isJson} onClick={() => setJson(!isJson)}>
            {isJson ? "As a form" : "As JSON"}
          </Button>
        )}
        <RecentInputs name={name} onChoose={choose} />
      </div>
      <SchemaForm key={`${round}/${isJson}`} {...form} isJson={isJson} />
    </div>
  );
}

function beginWith(given: string | null): Json | undefined {
  if (given === null) return undefined;
  const read = readJson(given);
  return read.ok ? read.value : undefined;
}

type Starting = {
  readonly problems: ReadonlyMap<string, string>;
  readonly isBusy: boolean;
  readonly start: (wish: Wish) => Promise<void>;
  /** What was wrong with a field says nothing of what stands there now. */
  readonly recheck: (before: Json, after: Json) => void;
};

function useStarting(onClose: () => void): Starting {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [problems, setProblems] = useState(nothingWrong);
  const [isBusy, setBusy] = useState(false);
  // Keys are faster than what is drawn.
  const isUnderWay = useRef(false);
  // Counted by itself: whoever mends one field stays there while others are still wrong.
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) focusFirstWrong();
  }, [refusals]);
  const recheck = (before: Json, after: Json): void => setProblems(withoutChanged(problems, before, after));
  const start = async ({ name, input, schedule, tz, key }: Wish): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setProblems(nothingWrong);
    try {
      const unsaved = findUnsaved(name);
      if (unsaved !== undefined && !(await unsaved.save())) {
        onClose();
        return;
      }
      const started = await startRun({
        name,
        input,
        ...(schedule === "" ? {} : { schedule, tz }),
        ...(key === "" ? {} : { key }),
      });
      for (const warning of started.warnings) tell(warning);
      void client.invalidateQueries({ queryKey: ["runs"] });
      // Closed first: who is asked below whether to leave, and stays, is not to start it again.
      await navigate({ to: ".", search: (old) => ({ ...old, start: undefined, input: undefined }), replace: true });
      void navigate({ to: "/runs/$id", params: { id: String(started.id) }, search: {}, replace: true });
    } catch (error) {
      const found = problemsIn(error);
      if (found.size === 0) tellProblem(error);
      setProblems(found);
      if (found.size > 0) setRefusals((count) => count + 1);
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { problems, isBusy, start, recheck };
}

/** What the server finds wrong with the input, by field. */
function problemsIn(error: unknown): ReadonlyMap<string, string> {
  const told = error instanceof Problem ? error.details["problems"] : undefined;
  if (!Array.isArray(told)) return nothingWrong;
  const listed = (told as readonly Json[]).filter(isObject);
  return problemsByField(
    listed.map(({ pointer, message }) => ({ pointer: textOf(pointer), message: textOf(message) })),
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function focusFirstWrong(): void {
  document.querySelector<HTMLElement>('[role="dialog"] [aria-invalid="true"]')?.focus();
}
