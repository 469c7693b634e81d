// Below the graph: when what ran, all that happened, what went in and out, by which definition, what was logged.

import { Suspense, type ReactNode } from "react";
import { lazyPart } from "../../../components/lazy-part.ts";
import { Skeleton } from "../../../components/page.tsx";
import { Tabs, type Tab } from "../../../components/tabs.tsx";
import type { Outline } from "../../../model/run.ts";
import { runRoute, useShow } from "../route.ts";
import { Timeline } from "../timeline/timeline.tsx";
import type { Selection } from "../use-selection.ts";

/** What is looked at less often is loaded when it is. */
const HistoryTab = lazyPart(
  () => import("./history-tab.tsx"),
  (loaded) => loaded.HistoryTab,
);
const ValuesTab = lazyPart(
  () => import("./values-tab.tsx"),
  (loaded) => loaded.ValuesTab,
);
const DefinitionTab = lazyPart(
  () => import("./definition-tab.tsx"),
  (loaded) => loaded.DefinitionTab,
);
const LogsTab = lazyPart(
  () => import("./logs-tab.tsx"),
  (loaded) => loaded.LogsTab,
);

function later(content: ReactNode): ReactNode {
  return <Suspense fallback={<Skeleton lines={4} height={24} />}>{content}</Suspense>;
}

export function RunTabs({ outline, selection }: { readonly outline: Outline; readonly selection: Selection }) {
  const { tab } = runRoute.useSearch();
  const show = useShow();
  const { key, select, hovered, hover } = selection;
  const tabs: readonly Tab[] = [
    {
      id: "timeline",
      label: "Timeline",
      content: () => <Timeline outline={outline} selected={key} hovered={hovered} onSelect={select} onHover={hover} />,
    },
    { id: "history", label: "History", content: () => later(<HistoryTab outline={outline} selection={selection} />) },
    { id: "values", label: "Input & output", content: () => later(<ValuesTab outline={outline} />) },
    { id: "definition", label: "Definition", content: () => later(<DefinitionTab outline={outline} />) },
    { id: "logs", label: "Logs", content: () => later(<LogsTab outline={outline} />) },
  ];
  // Where there is room, what the timeline's bars mean stands on the line of the tabs.
  return (
    <div className="@container/tabs relative flex min-h-0 min-w-0 flex-1 flex-col">
      <Tabs
        label="About the run"
        tabs={tabs}
        value={tab ?? "timeline"}
        onChange={(id) => show({ tab: id === "timeline" ? undefined : id })}
        isFull
      />
    </div>
  );
}
