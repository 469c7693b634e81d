// Saved workflows as a table; as cards where the window is narrow.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../api/rights.ts";
import { Switch } from "../../components/field.tsx";
import { HistoryStrip } from "../../components/history-strip.tsx";
import { useIsNarrow } from "../../components/narrow.ts";
import { Ago } from "../../components/time.tsx";
import type { WorkflowFigures } from "../../model/overview.ts";
import { showDuration } from "../../model/time.ts";
import { saySteps, type Workflow } from "../../model/workflow.ts";
import { rowLink, useRowKeys } from "../../shell/row-keys.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { RowActions } from "./row-actions.tsx";
import { useWorkflowActs, type WorkflowActs } from "./use-workflow-acts.ts";

type ListProps = { readonly workflows: readonly Workflow[]; readonly figures: readonly WorkflowFigures[] };
type RowProps = {
  readonly workflow: Workflow;
  readonly figures: WorkflowFigures | undefined;
  readonly acts: WorkflowActs;
  readonly onDelete: (name: string) => void;
};

/** Less would push what one does with a workflow out of sight. */
const tableFrom = 1024;

export function WorkflowList({ workflows, figures }: ListProps) {
  const [deleted, setDeleted] = useState<string | null>(null);
  const isNarrow = useIsNarrow(tableFrom);
  const acts = useWorkflowActs();
  useRowKeys();
  const byName = new Map(figures.map((each) => [each.name, each]));
  const rows = workflows.map((workflow) => {
    const given = { workflow, figures: byName.get(workflow.name), acts, onDelete: setDeleted };
    return isNarrow ? <WorkflowCard key={workflow.id} {...given} /> : <WorkflowRow key={workflow.id} {...given} />;
  });
  return (
    <>
      {isNarrow ? (
        <ul className="grid gap-3 md:grid-cols-2" aria-label="Workflows">
          {rows}
        </ul>
      ) : (
        <WorkflowTable>{rows}</WorkflowTable>
      )}
      <DeleteDialog name={deleted} onClose={() => setDeleted(null)} remove={acts.remove} />
    </>
  );
}

const head = "border-b border-border px-3 py-2 text-meta text-text2";
/** As close together as rows of tables are. */
const cell = "border-b border-border px-3 py-[calc((var(--row-height)-24px)/2)]";

function WorkflowTable({ children }: { readonly children: React.ReactNode }) {
  return (
    <div
      className="overflow-x-auto rounded-card border border-border bg-surface"
      tabIndex={0}
      role="group"
      aria-label="Workflows"
    >
      <table className="w-full border-separate border-spacing-0 text-table [&_tr:last-child_td]:border-b-0">
        <thead>
          <tr>
            <th scope="col" aria-sort="ascending" className={head}>
              Name
            </th>
            <th scope="col" className={`${head} w-40 xl:w-56`}>
              Last runs
            </th>
            <th scope="col" className={`${head} text-end`}>
              Runs
            </th>
            <th scope="col" className={`${head} text-end`}>
              Success
            </th>
            <th
              scope="col"
              className={`${head} hidden text-end xl:table-cell`}
              title="Half of the runs, and 95 of 100, took no longer"
            >
              p50 / p95
            </th>
            <th scope="col" className={`${head} hidden xl:table-cell`}>
              Next
            </th>
            <th scope="col" className={`${head} hidden text-end xl:table-cell`}>
              Steps
            </th>
            <th scope="col" className={head}>
              Enabled
            </th>
            <th scope="col" className={`${head} text-end`}>
              Actions
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function WorkflowRow({ workflow, figures, acts, onDelete }: RowProps) {
  const { name } = workflow;
  return (
    <tr data-testid="workflow-row" data-workflow={name} className="hover:bg-sunken">
      <td className={`${cell} w-full max-w-0 min-w-40`}>
        <NameOf workflow={workflow} />
      </td>
      <td className={`${cell} min-w-40 max-w-40 xl:max-w-60 xl:min-w-60`}>
        {figures === undefined ? <Never /> : <HistoryStrip marks={figures.last} name={name} />}
      </td>
      <td className={`${cell} text-end`}>{figures?.runs ?? 0}</td>
      <td className={`${cell} text-end`}>{percent(figures)}</td>
      <td className={`${cell} hidden text-end whitespace-nowrap xl:table-cell`}>{lasts(figures)}</td>
      <td className={`${cell} hidden xl:table-cell`}>
        <NextTime figures={figures} />
      </td>
      <td className={`${cell} hidden text-end xl:table-cell`}>{workflow.stepCount ?? "–"}</td>
      <td className={cell}>
        <EnabledSwitch workflow={workflow} acts={acts} />
      </td>
      <td className={cell}>
        <RowActions workflow={workflow} acts={acts} onDelete={onDelete} />
      </td>
    </tr>
  );
}

function EnabledSwitch({ workflow: { name, isEnabled }, acts }: Pick<RowProps, "workflow" | "acts">) {
  return (
    <Switch
      label={`${name} is enabled`}
      isOn={isEnabled}
      isDisabled={!useMay("save")}
      onChange={(isOn) => void acts.enable(name, isOn)}
    />
  );
}

function NameOf({ workflow: { name, description } }: { readonly workflow: Workflow }) {
  return (
    <>
      <Link
        to="/library/$name"
        params={{ name }}
        {...rowLink}
        className="block truncate font-medium hover:underline"
        title={name}
      >
        {name}
      </Link>
      {description === null ? null : (
        <p className="truncate text-meta text-text2" title={description}>
          {description}
        </p>
      )}
    </>
  );
}

function Never() {
  return <span className="text-meta text-text3">Never run</span>;
}

const unknown = "–";

function sayRuns(figures: WorkflowFigures | undefined): string {
  if (figures === undefined) return "no runs";
  const told = [`${figures.runs} ${figures.runs === 1 ? "run" : "runs"}`, percent(figures), lasts(figures)];
  return told.filter((each) => each !== unknown).join(" · ");
}

function percent(figures: WorkflowFigures | undefined): string {
  const rate = figures?.successRate ?? null;
  return rate === null ? unknown : `${Math.round(rate * 100)} %`;
}

function lasts(figures: WorkflowFigures | undefined): string {
  if (figures === undefined || figures.p50Ms === null) return unknown;
  return `${showDuration(figures.p50Ms)} / ${figures.p95Ms === null ? unknown : showDuration(figures.p95Ms)}`;
}

function NextTime({ figures }: { readonly figures: WorkflowFigures | undefined }) {
  const at = figures?.nextAt ?? null;
  return at === null ? <span className="text-text3">–</span> : <Ago at={at} />;
}

function WorkflowCard({ workflow, figures, acts, onDelete }: RowProps) {
  const { name } = workflow;
  return (
    <li
      data-testid="workflow-row"
      data-workflow={name}
      className="flex min-w-0 flex-col gap-2 rounded-card border border-border bg-surface p-3"
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <NameOf workflow={workflow} />
        </div>
        <EnabledSwitch workflow={workflow} acts={acts} />
      </div>
      {figures === undefined ? null : <HistoryStrip marks={figures.last} name={name} />}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2">
        <p className="text-meta text-text2">
          {[saySteps(workflow), sayRuns(figures)].filter((said) => said !== null).join(" · ")}
        </p>
        <RowActions workflow={workflow} acts={acts} onDelete={onDelete} />
      </div>
    </li>
  );
}
