// One step, as closely as somebody wants to look: how it is, what it was given, what it gave.

import { Suspense, type ReactNode } from "react";
import { lazyPart } from "../../../components/lazy-part.ts";
import { Skeleton } from "../../../components/page.tsx";
import { Tabs, type Tab } from "../../../components/tabs.tsx";
import { StatusPill } from "../../../components/status.tsx";
import type { Outline, Step } from "../../../model/run.ts";
import { nodeOf, showRow } from "../../../model/run-view.ts";
import { sayUnreached } from "../../../model/sentence.ts";
import { runRoute, useShow } from "../route.ts";
import type { Selection } from "../use-selection.ts";
import { Overview } from "./overview.tsx";
import { Said } from "./said.tsx";

/** Values are shown in many ways: what does that is loaded for whoever looks at one. */
const RunSummary = lazyPart(
  () => import("./run-summary.tsx"),
  (loaded) => loaded.RunSummary,
);
const parts = () => import("./parts.tsx");
const InputPart = lazyPart(parts, (loaded) => loaded.InputPart);
const OutputPart = lazyPart(parts, (loaded) => loaded.OutputPart);
const ErrorPart = lazyPart(parts, (loaded) => loaded.ErrorPart);
const LogsPart = lazyPart(parts, (loaded) => loaded.LogsPart);
const RawPart = lazyPart(parts, (loaded) => loaded.RawPart);

type InspectorProps = {
  readonly outline: Outline;
  readonly selection: Selection;
  /** Its name stands above it already. */
  readonly isInSheet?: boolean;
};

export function Inspector({ outline, selection, isInSheet = false }: InspectorProps) {
  const { key, row } = selection;
  if (key === null)
    return (
      <Suspense fallback={<Skeleton lines={5} />}>
        <RunSummary outline={outline} />
      </Suspense>
    );
  return (
    <section aria-label="Inspector" data-testid="inspector" data-step={key} className="flex min-h-0 flex-1 flex-col">
      <InspectorHead outline={outline} stepKey={key} row={row} isNamed={!isInSheet} />
      {row === null ? (
        <div className="p-4">
          <Said sentence={sayUnreached(outline)} />
        </div>
      ) : (
        <Parts outline={outline} selection={selection} row={row} isInSheet={isInSheet} />
      )}
    </section>
  );
}

type HeadProps = {
  readonly outline: Outline;
  readonly stepKey: string;
  readonly row: Step | null;
  readonly isNamed: boolean;
};

function InspectorHead({ outline, stepKey, row, isNamed }: HeadProps) {
  const node = nodeOf(outline, stepKey);
  const name = row?.name ?? node?.name ?? stepKey;
  const tool = row?.tool ?? node?.tool ?? null;
  const tries =
    row !== null && row.attemptsMax !== null && row.attemptsMax > 1 && row.attempt > 1
      ? `${row.attempt} of ${row.attemptsMax}`
      : undefined;
  return (
    <header className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 px-4 pt-3 pb-1">
      {isNamed ? (
        <h2 className="line-clamp-2 min-w-0 break-all" title={name}>
          {name}
        </h2>
      ) : null}
      {row === null ? null : (
        <StatusPill shown={showRow(row, outline)} {...(tries === undefined ? {} : { note: tries })} />
      )}
      <span className="mono min-w-0 basis-full truncate text-text2">{tool ?? node?.detail ?? ""}</span>
    </header>
  );
}

function Parts({ outline, selection, row, isInSheet = false }: InspectorProps & { readonly row: Step }) {
  const { part } = runRoute.useSearch();
  const show = useShow();
  const run = outline.run.id;
  const tabs: readonly Tab[] = [
    tab("Overview", () => <Overview outline={outline} selection={selection} row={row} />),
    tab("Input", () => <InputPart key={row.id} outline={outline} row={row} isInSheet={isInSheet} />),
    tab("Output", () => <OutputPart key={row.id} run={run} row={row} />),
    tab("Error", () => <ErrorPart key={row.id} run={run} row={row} rows={selection.rows} />),
    tab("Logs", () => <LogsPart run={run} row={row} />),
    tab("Raw", () => <RawPart key={row.id} run={run} row={row} />),
  ];
  // Whoever looks closer at a step stays with it, also when the run goes on.
  const choose = (id: string): void =>
    show({
      step: row.key,
      row: selection.rows.at(-1) === row ? undefined : String(row.id),
      part: id === "overview" ? undefined : id,
    });
  // Six tabs, all of them in sight where it is narrow too.
  return (
    <div className="flex min-h-0 flex-1 flex-col [&_[role=tab]]:px-[7px] [&_[role=tab]]:text-table [&_[role=tablist]]:gap-0 [&_[role=tablist]]:px-2">
      <Tabs label="Parts of the step" tabs={tabs} value={part ?? "overview"} onChange={choose} isFull />
    </div>
  );
}

function tab(label: string, content: () => ReactNode): Tab {
  return { id: label.toLowerCase(), label, content: () => <Body>{content()}</Body> };
}

function Body({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-4 p-4">
      <Suspense fallback={<Skeleton lines={4} />}>{children}</Suspense>
    </div>
  );
}
