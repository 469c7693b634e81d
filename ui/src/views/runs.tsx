// All runs: looked for by words that stand in the address, as long a list as there is.

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "../components/lazy-part.ts";
import { meQuery } from "../api/queries.ts";
import { readMatching } from "../api/run-list.ts";
import { useMay } from "../api/rights.ts";
import { startRun, type RunQuery } from "../api/runs.ts";
import { workflowsQuery } from "../api/workflows.ts";
import { Button } from "../components/button.tsx";
import { Empty, Page, type DocsPlace } from "../components/page.tsx";
import { tellProblem } from "../components/toasts.tsx";
import { filterExamples, isEmptyFilter, readAddress, viewOf, views, type RunFilter } from "../model/run-filter.ts";
import { needsPerson } from "../model/run-row.ts";
import { nothing, type Selection } from "../model/selection.ts";
import { FilterBar } from "./runs/filter-bar.tsx";
import { RunList } from "./runs/run-list.tsx";
import { DensityButton, ExportMenu } from "./runs/run-tools.tsx";
import { useWaiting } from "./runs/use-waiting.ts";

/** Needed only once something is chosen. */
const SelectionBar = lazyPart(
  () => import("./runs/selection-bar.tsx"),
  (loaded) => loaded.SelectionBar,
);

export function Runs() {
  const search = useSearch({ from: "/runs" });
  const navigate = useNavigate();
  const me = useQuery(meQuery).data?.user;
  const workflows = useQuery(workflowsQuery).data ?? [];
  const [selection, setSelection] = useState<Selection>(nothing);
  const filter = readAddress(search);
  const waiting = useWaiting();
  const look = (next: RunFilter): void => {
    setSelection(nothing);
    void navigate({ to: "/runs", search: next });
  };
  const query = toQuery(filter, me);
  const view = viewOf(filter);
  const label = views.find(({ id }) => id === view)?.label;
  return (
    <Page
      page="runs"
      title="Runs"
      titles={label === undefined || view === "all" ? ["Runs"] : [label, "Runs"]}
      isFull
      beside={<Views view={view} onChange={look} />}
    >
      <div className="flex items-start gap-1 border-b border-border bg-surface px-4 py-2">
        <FilterBar
          filter={filter}
          onChange={look}
          workflows={workflows.map((loaded) => loaded.name)}
          users={me === undefined ? [] : [me]}
        />
        <span className="hidden md:block">
          <DensityButton />
        </span>
        <ExportMenu
          read={() => readMatching(query, (run) => filter.status !== "waiting" || needsPerson(run, waiting))}
          what="all that match"
        />
      </div>
      {filter.by === "me" && me === undefined ? null : (
        <RunList
          key={JSON.stringify(filter)}
          query={query}
          onlyWaiting={filter.status === "waiting"}
          selection={selection}
          onSelection={setSelection}
          unreadable={(message) => <Unreadable message={message} onClear={() => look({})} />}
          empty={isEmptyFilter(filter) ? <NoRuns /> : <NoMatch onClear={() => look({})} />}
          over={(rows) => (
            <Suspense fallback={null}>
              {selection.size === 0 ? null : (
                <SelectionBar rows={rows} selection={selection} onClear={() => setSelection(nothing)} />
              )}
            </Suspense>
          )}
        />
      )}
    </Page>
  );
}

/** A filter as the server takes it; who waits for a person is found among all that have not ended. */
function toQuery({ by, status, ...rest }: RunFilter, me: string | undefined): RunQuery {
  return {
    ...rest,
    ...(status === undefined ? {} : { status: status === "waiting" ? "live" : status }),
    ...(by === undefined ? {} : { createdBy: by === "me" && me !== undefined ? me : by }),
  };
}

function Views({ view, onChange }: { readonly view: string | null; readonly onChange: (filter: RunFilter) => void }) {
  return (
    <div role="group" aria-label="Views" className="flex min-w-0 flex-wrap gap-0.5">
      {views.map(({ id, label, filter }) => (
        <button
          key={id}
          type="button"
          aria-pressed={view === id}
          data-testid={`view-${id}`}
          onClick={() => onChange(filter)}
          className="min-h-7 rounded-control px-2 text-table text-text2 hover:bg-sunken hover:text-text aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-text"
        >
          {label}
        </button>
      ))}
    </div>
  );
}

const searching: DocsPlace = { page: "rest", hash: "searching", word: "What runs can be looked for by" };

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty title="No runs match" action={<Button onClick={onClear}>Clear filters</Button>} docs={searching}>
      Try fewer words, or a longer time.
    </Empty>
  );
}

function Unreadable({ message, onClear }: { readonly message: string; readonly onClear: () => void }) {
  return (
    <Empty title={message} action={<Button onClick={onClear}>Clear filters</Button>} docs={searching}>
      Such words are understood: {filterExamples.join(", ")}.
    </Empty>
  );
}

/** The one of the demos that shows most: branches, two jobs at once, and a person who decides. */
const demo = "publish-digest";

function NoRuns() {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const mayStart = useMay("start");
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      const { id } = await startRun({ name: demo });
      await navigate({ to: "/runs/$id", params: { id: String(id) } });
    } catch (error) {
      tellProblem(error);
      setBusy(false);
    }
  };
  return (
    <Empty
      title="No runs yet"
      docs={{ page: "page", word: "What can be done on this page" }}
      action={
        mayStart ? (
          <Button look="primary" icon={Play} isBusy={isBusy} onClick={() => void run()}>
            Run the demo
          </Button>
        ) : null
      }
    >
      Every run stands here from its start on, and can be looked at while it goes.
    </Empty>
  );
}
