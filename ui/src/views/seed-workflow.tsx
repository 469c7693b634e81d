// `/workflow`, as seed 003 names it: a form that starts a run, from a template or from what is written here, and below it
// the last run, expanded.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useCommand } from "../api/use-command.ts";
import { useMay } from "../api/rights.ts";
import { listRuns, startRun } from "../api/runs.ts";
import { shownZone } from "../model/time.ts";
import { deleteWorkflow, saveWorkflow, workflowQuery, workflowsQuery } from "../api/workflows.ts";
import { Button } from "../components/button.tsx";
import { Confirm, Dialog } from "../components/dialog.tsx";
import { Field, Input, Select, Textarea } from "../components/field.tsx";
import { Card, Empty, Page } from "../components/page.tsx";
import { tell, tellProblem } from "../components/toasts.tsx";
import { emptyDraft, readDraft, type Draft, type ReadDraft } from "../model/draft.ts";
import type { Json } from "../model/json.ts";
import { SeedRun } from "./seed/seed-run.tsx";
import { When } from "./start/when.tsx";

export function SeedWorkflow() {
  const mayStart = useMay("start");
  const command = useCommand();
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [round, setRound] = useState(0);
  const fill = (next: Draft): void => {
    setDraft(next);
    setRound(round + 1);
  };
  if (!mayStart)
    return (
      <Page page="seed-workflow" title="New workflow">
        <Empty title="You may not start workflows here.">
          Your user lacks the right "start". Whoever runs this installation can grant it: {command("user grant")}.
        </Empty>
      </Page>
    );
  return (
    <Page
      page="seed-workflow"
      title="New workflow"
      actions={
        <Button icon={Plus} onClick={() => fill(emptyDraft)}>
          New workflow
        </Button>
      }
    >
      <Card title="Start">
        <DraftForm key={round} draft={draft} onChange={setDraft} onFill={fill} />
      </Card>
      <LastRun />
    </Page>
  );
}

type DraftFormProps = {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly onFill: (draft: Draft) => void;
};

function DraftForm({ draft, onChange, onFill }: DraftFormProps) {
  const [asked, setAsked] = useState(false);
  const [dialog, setDialog] = useState<"save" | "delete" | null>(null);
  const { isBusy, create } = useCreating();
  const maySave = useMay("save");
  const read = readDraft(draft);
  const send = (): void => {
    setAsked(true);
    if (read.ok) void create(draft, read);
  };
  const close = (): void => setDialog(null);
  return (
    <div className="flex flex-col gap-4 p-4">
      <TemplatePicker draft={draft} onFill={onFill} onDelete={() => setDialog("delete")} />
      <DraftFields draft={draft} onChange={onChange} problem={asked && !read.ok ? read : null} />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" isBusy={isBusy} onClick={send}>
          Create
        </Button>
        {maySave ? (
          <Button disabled={!read.ok} onClick={() => setDialog("save")}>
            Save as template
          </Button>
        ) : null}
      </div>
      {dialog === "save" && read.ok ? (
        <SaveDialog draft={draft} flow={draft.flow} input={read.input} onClose={close} />
      ) : null}
      <DeleteDialog
        name={draft.template}
        isOpen={dialog === "delete"}
        onClose={close}
        onDone={() => onFill(emptyDraft)}
      />
    </div>
  );
}

type FieldsProps = Pick<DraftFormProps, "draft" | "onChange"> & {
  readonly problem: Extract<ReadDraft, { readonly ok: false }> | null;
};

function DraftFields({ draft, onChange, problem }: FieldsProps) {
  const wrong = (field: "flow" | "input"): string | null => (problem?.field === field ? problem.problem : null);
  const write =
    (field: "name" | "flow" | "input") =>
    ({ target }: { readonly target: { readonly value: string } }): void =>
      onChange({ ...draft, [field]: target.value });
  const code = { className: "mono", spellCheck: false };
  return (
    <>
      <Field label="Name">
        {(given) => <Input {...given} name="name" value={draft.name} onChange={write("name")} />}
      </Field>
      <Field label="Flow" help="In JSON or YAML." problem={wrong("flow")} isRequired>
        {(given) => <Textarea {...given} {...code} name="flow" rows={10} value={draft.flow} onChange={write("flow")} />}
      </Field>
      <Field label="Input" help="In JSON." problem={wrong("input")}>
        {(given) => (
          <Textarea {...given} {...code} name="input" rows={3} value={draft.input} onChange={write("input")} />
        )}
      </Field>
      <When text={draft.schedule} onChange={(schedule) => onChange({ ...draft, schedule })} />
    </>
  );
}

type Creating = {
  readonly isBusy: boolean;
  readonly create: (draft: Draft, read: Extract<ReadDraft, { readonly ok: true }>) => Promise<void>;
};

function useCreating(): Creating {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const create: Creating["create"] = async ({ name, schedule }, { flow, input }) => {
    setBusy(true);
    try {
      const when = schedule.trim() === "" ? {} : { schedule, tz: shownZone() };
      const { id } = await startRun({ ...(name === "" ? {} : { name }), flow, input, ...when });
      tell(`Run ${id} has started.`);
      await client.invalidateQueries({ queryKey: ["runs"] });
    } catch (error) {
      tellProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, create };
}

type DeleteProps = {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function DeleteDialog({ name, isOpen, onClose, onDone }: DeleteProps) {
  const client = useQueryClient();
  const remove = async (): Promise<void> => {
    await deleteWorkflow(name);
    await client.invalidateQueries({ queryKey: ["workflows"] });
    onDone();
  };
  return (
    <Confirm title={`Delete the template ${name}?`} verb="Delete" isOpen={isOpen} onClose={onClose} act={remove}>
      Its versions and its runs stay; it is no longer in the list.
    </Confirm>
  );
}

type PickerProps = { readonly draft: Draft; readonly onFill: (draft: Draft) => void; readonly onDelete: () => void };

function TemplatePicker({ draft, onFill, onDelete }: PickerProps) {
  const workflows = useQuery(workflowsQuery);
  const maySave = useMay("save");
  const client = useQueryClient();
  const choose = async (name: string): Promise<void> => {
    if (name === "") {
      onFill(emptyDraft);
      return;
    }
    try {
      const { flow, text, input } = await client.fetchQuery(workflowQuery(name));
      onFill({
        template: name,
        name,
        flow: text ?? JSON.stringify(flow, null, 2),
        input: JSON.stringify(input ?? {}),
        schedule: draft.schedule,
      });
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Field label="Template">
          {(given) => (
            <Select
              {...given}
              name="template"
              value={draft.template}
              onChange={({ target }) => void choose(target.value)}
            >
              <option value="">(none)</option>
              {(workflows.data ?? []).map(({ name, description }) => (
                <option key={name} value={name}>
                  {description === null ? name : `${name}: ${description}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {maySave ? (
        <Button look="danger" disabled={draft.template === ""} onClick={onDelete}>
          Delete
        </Button>
      ) : null}
    </div>
  );
}

type SaveDialogProps = {
  readonly draft: Draft;
  readonly flow: string;
  readonly input: Json;
  readonly onClose: () => void;
};

function SaveDialog({ draft, flow, input, onClose }: SaveDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState(draft.name);
  const [description, setDescription] = useState("");
  const save = async (): Promise<void> => {
    try {
      const saved = await saveWorkflow({ name, flow, input, ...(description === "" ? {} : { description }) });
      tell(`${saved.name} is saved, version ${saved.version}.`);
      await client.invalidateQueries({ queryKey: ["workflows"] });
      onClose();
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <Dialog
      title="Save as template"
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" disabled={name === ""} onClick={() => void save()}>
          Save
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Name" isRequired>
          {(given) => <Input {...given} value={name} onChange={({ target }) => setName(target.value)} />}
        </Field>
        <Field label="Description">
          {(given) => <Input {...given} value={description} onChange={({ target }) => setDescription(target.value)} />}
        </Field>
      </div>
    </Dialog>
  );
}

function LastRun() {
  const last = useQuery({
    queryKey: ["runs", "last"],
    queryFn: async () => (await listRuns({ limit: 1 })).runs[0] ?? null,
  });
  if (last.data === undefined || last.data === null) return null;
  return (
    <Card title="Last run">
      <SeedRun run={last.data} isOpen />
    </Card>
  );
}
