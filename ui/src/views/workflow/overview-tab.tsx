// The drawing of the definition, and how its runs went.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyPart } from "../../components/lazy-part.ts";
import { overviewQuery } from "../../api/overview.ts";
import { callFiguresQuery } from "../../api/versions.ts";
import { validationQuery } from "../../api/writing.ts";
import { HistoryStrip } from "../../components/history-strip.tsx";
import { Card, Empty, Loaded, Skeleton } from "../../components/page.tsx";
import { Ago } from "../../components/time.tsx";
import type { WorkflowFigures } from "../../model/overview.ts";
import { showDuration } from "../../model/time.ts";
import { flakiest, meanMs, slowest, type CallFigures, type WholeWorkflow } from "../../model/workflow.ts";

const FlowGraph = lazyPart(
  () => import("../run/graph/flow-graph.tsx"),
  (loaded) => loaded.FlowGraph,
);

const route = getRouteApi("/library/$name");

type TabProps = { readonly workflow: WholeWorkflow };

export function OverviewTab({ workflow }: TabProps) {
  const overview = useQuery(overviewQuery);
  const figures = overview.data?.workflows.find(({ name }) => name === workflow.name);
  return (
    <div className="grid items-start gap-4 p-4 md:p-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card title="Steps" className="overflow-hidden">
        <div className="h-[28rem] lg:h-[calc(100dvh-17rem)] lg:min-h-96">
          <Drawing workflow={workflow} />
        </div>
      </Card>
      <div className="flex min-w-0 flex-col gap-4">
        <Figures figures={figures} name={workflow.name} />
        <Calls name={workflow.name} />
      </div>
    </div>
  );
}

function Drawing({ workflow: { flow, name } }: TabProps) {
  const { step = null } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({ ...validationQuery(flow), placeholderData: keepPreviousData });
  const select = (key: string | null): void =>
    void navigate({ search: (old) => ({ ...old, step: key ?? undefined }), replace: true });
  return (
    <Loaded query={query}>
      {({ graph }) =>
        graph === null ? (
          <Empty title="It cannot be drawn.">Something in it is wrong; the editor says what.</Empty>
        ) : (
          <Suspense fallback={<Skeleton />}>
            <FlowGraph graph={graph} selected={step} onSelect={select} label={`Steps of ${name}`} />
          </Suspense>
        )
      }
    </Loaded>
  );
}

function Figures({ figures, name }: { readonly figures: WorkflowFigures | undefined; readonly name: string }) {
  if (figures === undefined)
    return (
      <Card title="Figures">
        <p className="p-4 text-text2">It has not run yet.</p>
      </Card>
    );
  const { runs, successRate, p50Ms, p95Ms, nextAt, last } = figures;
  return (
    <Card title="Figures">
      <div className="flex flex-col gap-3 p-4">
        <HistoryStrip marks={last} name={name} />
        <dl className="grid grid-cols-2 gap-3">
          <Figure term="Runs" value={String(runs)} />
          <Figure term="Success" value={successRate === null ? "–" : `${Math.round(successRate * 100)} %`} />
          <Figure term="Median" value={p50Ms === null ? "–" : showDuration(p50Ms)} />
          <Figure term="95th percentile" value={p95Ms === null ? "–" : showDuration(p95Ms)} />
        </dl>
        {nextAt === null ? null : (
          <p className="text-text2">
            Next <Ago at={nextAt} />
          </p>
        )}
      </div>
    </Card>
  );
}

function Figure({ term, value }: { readonly term: string; readonly value: string }) {
  return (
    <div>
      <dt className="text-meta text-text2">{term}</dt>
      <dd className="text-title">{value}</dd>
    </div>
  );
}

const shownMax = 4;

function Calls({ name }: { readonly name: string }) {
  const { data } = useQuery(callFiguresQuery(name));
  if (data === undefined || data.length === 0) return null;
  const failing = flakiest(data, shownMax);
  return (
    <>
      <CallList title="Slowest steps" calls={slowest(data, shownMax)} say={(call) => showDuration(meanMs(call))} />
      {failing.length === 0 ? null : (
        <CallList
          title="Steps that fail most"
          calls={failing}
          say={({ failed, total }) => `${failed} of ${total} ${total === 1 ? "call" : "calls"}`}
        />
      )}
    </>
  );
}

type CallListProps = {
  readonly title: string;
  readonly calls: readonly CallFigures[];
  readonly say: (call: CallFigures) => string;
};

function CallList({ title, calls, say }: CallListProps) {
  return (
    <Card title={title}>
      <ul className="py-1">
        {calls.map((call) => (
          <li key={`${call.step} ${call.tool}`} className="flex min-h-8 items-center gap-3 px-4">
            <Link
              from="/library/$name"
              to="/library/$name"
              params={(same) => same}
              search={(old) => ({ ...old, step: call.step })}
              replace
              resetScroll={false}
              className="inline-flex min-h-6 max-w-[60%] items-center underline"
              title={call.step}
            >
              <span className="truncate">{call.step}</span>
            </Link>
            <span className="mono min-w-0 flex-1 truncate text-text2" title={call.tool}>
              {call.tool}
            </span>
            <span className="shrink-0 text-text2">{say(call)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
