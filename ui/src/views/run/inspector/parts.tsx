// The values of a step, fetched when somebody looks at them.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { stepQuery } from "../../../api/queries.ts";
import { definitionQuery, partOfStep, rawStepQuery } from "../../../api/run-values.ts";
import { Loaded, Skeleton } from "../../../components/page.tsx";
import { Choice } from "../../../components/choice.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import type { Json } from "../../../model/json.ts";
import { rootOfResult } from "../../../model/json-path.ts";
import type { Outline, Step, WholeStep } from "../../../model/run.ts";
import { nodeOf, visitsOf } from "../../../model/run-view.ts";
import { sayEarlier } from "../../../model/sentence.ts";
import { argsTemplateOf } from "../../../model/template.ts";
import { hasStepEnded } from "../../../model/status.ts";
import { LogList } from "../tabs/log-list.tsx";
import { ToRun } from "../run-facts.tsx";
import { useHistory } from "../use-history.ts";
import { ValuePanel } from "../value-panel.tsx";
import { ErrorText } from "./attempts.tsx";
import { Words } from "./said.tsx";
import { Sources } from "./sources.tsx";

type PartProps = { readonly run: number; readonly row: Step };

function useStep(run: number, row: Step) {
  return useQuery(stepQuery(run, row.id));
}

type StepValueProps = PartProps & {
  readonly step: WholeStep;
  readonly part: "args" | "result";
  readonly label: string;
  readonly root: string | null;
};

function StepValue({ run, row, step, part, label, root }: StepValueProps) {
  return <ValuePanel label={label} value={step[part]} root={root} part={partOfStep(run, row.id, part)} />;
}

type InputProps = { readonly outline: Outline; readonly row: Step; readonly isInSheet: boolean };

export function InputPart({ outline, row, isInSheet }: InputProps) {
  const [isTemplate, setTemplate] = useState(false);
  return (
    <>
      <Choice
        label="Which input"
        choices={[
          { id: "resolved", word: "Resolved" },
          { id: "template", word: "Template" },
        ]}
        chosen={isTemplate ? "template" : "resolved"}
        onChoose={(id) => setTemplate(id === "template")}
      />
      {isTemplate ? <Template outline={outline} row={row} /> : <Resolved run={outline.run.id} row={row} />}
      <Sources outline={outline} row={row} isInSheet={isInSheet} />
    </>
  );
}

function Resolved({ run, row }: PartProps) {
  const query = useStep(run, row);
  return (
    <Loaded query={query} skeleton={<Skeleton lines={3} />}>
      {(step) =>
        step.args === null ? (
          <p className="text-text2">It is given nothing, or nothing yet.</p>
        ) : (
          <StepValue run={run} row={row} step={step} part="args" label="Input" root={null} />
        )
      }
    </Loaded>
  );
}

/** As the flow has it, before anything was put in. */
function Template({ outline, row }: { readonly outline: Outline; readonly row: Step }) {
  const query = useQuery(definitionQuery(outline));
  return (
    <Loaded query={query} skeleton={<Skeleton lines={3} />}>
      {({ flow }) => {
        const template = argsTemplateOf(flow, row.key, nodeOf(outline, row.key)?.pointer ?? null);
        return template === null ? (
          <p className="text-text2">The flow says nothing about what it is given.</p>
        ) : (
          <JsonView value={template} root={null} label="Template of the input" />
        );
      }}
    </Loaded>
  );
}

export function OutputPart({ run, row }: PartProps) {
  const query = useStep(run, row);
  if (row.status !== "done" && row.status !== "skipped" && row.status !== "failed")
    return <p className="text-text2">It has given nothing yet.</p>;
  return (
    <Loaded query={query} skeleton={<Skeleton lines={3} />}>
      {(step) =>
        step.result === null ? (
          <p className="text-text2">It gave nothing.</p>
        ) : (
          <StepValue run={run} row={row} step={step} part="result" label="Output" root={rootOfResult(row.name)} />
        )
      }
    </Loaded>
  );
}

type ErrorProps = PartProps & {
  /** All of this step. */
  readonly rows: readonly Step[];
};

export function ErrorPart({ run, row, rows }: ErrorProps) {
  const [isRaw, setRaw] = useState(false);
  const query = useStep(run, row);
  // What comes with the run is cut where it is long.
  const error = query.data?.error ?? row.error;
  const errors = query.data?.errors ?? null;
  if (error === null && (errors === null || isEmptyList(errors))) return <EarlierError row={row} rows={rows} />;
  return (
    <>
      <Choice
        label="Which error"
        choices={[
          { id: "message", word: "Message" },
          { id: "raw", word: "Raw" },
        ]}
        chosen={isRaw ? "raw" : "message"}
        onChoose={(id) => setRaw(id === "raw")}
      />
      {isRaw ? (
        <ValuePanel label="Raw error" value={error} root={null} part={partOfStep(run, row.id, "error")} />
      ) : error === null ? null : (
        <ErrorText error={error} />
      )}
      {row.child === null ? null : (
        <p className="text-text2">
          It went wrong in <ToRun id={row.child}>{`run ${row.child}`}</ToRun>.
        </p>
      )}
      {errors === null || isEmptyList(errors) ? null : (
        <>
          <h3 className="text-table font-medium">Errors of its items</h3>
          <ValuePanel label="Errors" value={errors} root={null} part={partOfStep(run, row.id, "errors")} />
        </>
      )}
    </>
  );
}

/** A try that waits for its time, or went well, has no error; the one before has. */
function EarlierError({ row, rows }: Pick<ErrorProps, "row" | "rows">) {
  const tries = visitsOf(rows).find(({ visit }) => visit === row.visit)?.tries ?? [];
  const earlier = sayEarlier(row, tries);
  if (earlier === null) return <p className="text-text2">Nothing went wrong with it.</p>;
  return (
    <>
      <p data-testid="earlier-error">
        <Words sentence={earlier.sentence} />
      </p>
      <ErrorText error={earlier.error} />
    </>
  );
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

export function LogsPart({ run, row }: PartProps) {
  const query = useHistory(run, !hasStepEnded(row.status));
  return (
    <Loaded query={query}>
      {(entries) => <LogList entries={entries.filter(({ step }) => step === row.id)} nameOf={() => null} />}
    </Loaded>
  );
}

export function RawPart({ run, row }: PartProps) {
  const query = useQuery(rawStepQuery(run, row.id));
  return (
    <Loaded query={query} skeleton={<Skeleton lines={6} />}>
      {(step) => <JsonView value={step} root={null} label="Raw" />}
    </Loaded>
  );
}
