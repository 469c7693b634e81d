// One run: a row of the table, or a card in a narrow window; drawn anew only when something of it has changed.

import { Link } from "@tanstack/react-router";
import { memo, type MouseEvent as ReactMouseEvent, type ReactNode } from "react";
import { StatusPill } from "../../components/status.tsx";
import { StepBar } from "../../components/step-bar.tsx";
import { Ago, Ticking } from "../../components/time.tsx";
import { TriggerIcon } from "../../components/trigger-icon.tsx";
import { conditionOf, keyOf, spanOf } from "../../model/run-row.ts";
import type { Run } from "../../model/run.ts";
import { triggerOf } from "../../model/trigger.ts";

export type LineProps = {
  readonly run: Run;
  readonly waiting: ReadonlySet<number>;
  readonly isSelected: boolean;
  /** The one that keys are about. */
  readonly isActive: boolean;
  readonly onSelect: (run: number, isRange: boolean) => void;
  readonly onActive: (run: number) => void;
  readonly onOpen: (run: number) => void;
  readonly height: number;
  /** From 1. */
  readonly place: number;
};

const cell = "border-b border-border px-2 py-0 overflow-hidden";

export const RunRow = memo(function RunRow({
  run,
  waiting,
  isSelected,
  isActive,
  onSelect,
  onActive,
  onOpen,
  height,
  place,
}: LineProps) {
  return (
    <tr
      data-testid="run-row"
      data-run-id={run.id}
      data-status={run.status}
      aria-rowindex={place + 1}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      style={{ height }}
      onFocus={() => onActive(run.id)}
      onClick={(event) => openUnlessControl(event, () => onOpen(run.id))}
      className={`cursor-pointer outline-offset-[-2px] hover:bg-sunken ${isSelected ? "bg-sunken" : ""}`}
    >
      <td className="border-b border-border ps-3">
        <SelectBox run={run} isSelected={isSelected} onSelect={onSelect} />
      </td>
      <td className={cell}>
        <StatusPill shown={conditionOf(run, waiting)} />
      </td>
      <td className={`${cell} truncate font-medium`}>
        <RunLink run={run} />
      </td>
      <td className={`${cell} hidden truncate text-text2 min-[1150px]:table-cell`} title={keyOf(run.input)}>
        {keyOf(run.input)}
      </td>
      <td className={`${cell} text-text2`}>
        <Ago at={run.status === "scheduled" ? (run.scheduledAt ?? run.createdAt) : (run.startedAt ?? run.createdAt)} />
      </td>
      <td className={`${cell} text-end`}>
        <Duration run={run} />
      </td>
      <td className={cell}>{run.steps === null ? null : <StepBar steps={run.steps} status={run.status} isBrief />}</td>
      <td className={`${cell} hidden truncate text-text2 lg:table-cell`} title={run.createdBy}>
        {run.createdBy}
      </td>
      <td className={`${cell} hidden truncate text-text2 min-[1150px]:table-cell`}>
        <TriggerMark run={run} />
      </td>
      <td className={`${cell} hidden pe-4 text-end text-text2 min-[1440px]:table-cell`} data-testid="attempt">
        {run.origin?.attempt ?? ""}
      </td>
    </tr>
  );
});

export const RunCard = memo(function RunCard({
  run,
  waiting,
  isSelected,
  isActive,
  onSelect,
  onActive,
  onOpen,
  height,
  place,
}: LineProps) {
  return (
    <div
      role="listitem"
      data-testid="run-row"
      data-run-id={run.id}
      data-status={run.status}
      aria-posinset={place}
      aria-setsize={-1}
      tabIndex={isActive ? 0 : -1}
      style={{ height }}
      onFocus={() => onActive(run.id)}
      onClick={(event) => openUnlessControl(event, () => onOpen(run.id))}
      className={`flex cursor-pointer items-center gap-2 border-b border-border px-2 outline-offset-[-2px] ${isSelected ? "bg-sunken" : ""}`}
    >
      <SelectBox run={run} isSelected={isSelected} onSelect={onSelect} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex min-w-0 items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">
            <RunLink run={run} />
          </span>
          <StatusPill shown={conditionOf(run, waiting)} />
        </div>
        <div className="flex min-w-0 items-center gap-2 text-meta text-text2">
          <span className="min-w-0 flex-1 truncate">{keyOf(run.input)}</span>
          {run.steps === null ? null : <StepBar steps={run.steps} status={run.status} />}
          <Ago at={run.startedAt ?? run.scheduledAt ?? run.createdAt} />
        </div>
      </div>
    </div>
  );
});

function RunLink({ run }: { readonly run: Run }) {
  return (
    <Link
      to="/runs/$id"
      params={{ id: String(run.id) }}
      tabIndex={-1}
      title={`${run.name}, run ${run.id}`}
      className="hover:underline"
    >
      {run.name}
    </Link>
  );
}

function Duration({ run }: { readonly run: Run }): ReactNode {
  const span = spanOf(run);
  return span === null ? <span className="text-text3">-</span> : <Ticking from={span.from} to={span.to} />;
}

/** The icon alone where there is no room for its word. */
function TriggerMark({ run }: { readonly run: Run }) {
  const { kind, word } = triggerOf(run);
  return (
    <span className="flex min-w-0 items-center gap-1 text-meta" title={word} data-testid="trigger">
      <TriggerIcon kind={kind} />
      <span className="min-w-0 truncate max-xl:sr-only">{word}</span>
    </span>
  );
}

function SelectBox({ run, isSelected, onSelect }: Pick<LineProps, "run" | "isSelected" | "onSelect">) {
  return (
    <label className="grid size-6 place-items-center">
      <input
        type="checkbox"
        checked={isSelected}
        tabIndex={-1}
        aria-label={`Select run ${run.id} of ${run.name}`}
        onChange={(event) => onSelect(run.id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
        className="size-4 accent-accent"
      />
    </label>
  );
}

/** A click on a link or a box in it is theirs; and one that marks text is nobody's. */
function openUnlessControl(event: ReactMouseEvent<HTMLElement>, open: () => void): void {
  const target = event.target instanceof Element ? event.target.closest("a, button, input, label") : null;
  if (target === null && getSelection()?.isCollapsed !== false) open();
}
