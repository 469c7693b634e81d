// All runs, each to be opened, cancelled and let go on: the page that seed 003 names.

import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { runsQuery } from "../api/queries.ts";
import { useMay } from "../api/rights.ts";
import { Button } from "../components/button.tsx";
import { Card, Empty, Loaded, Page } from "../components/page.tsx";
import { joinPages } from "../model/run-list.ts";
import { ActiveRuns } from "./seed/active-runs.tsx";
import { SeedRun } from "./seed/seed-run.tsx";

export function SeedWorkflows() {
  const query = useInfiniteQuery(runsQuery({ limit: 50 }));
  const mayStart = useMay("start");
  return (
    <Page
      page="seed-workflows"
      title="Workflows"
      actions={
        mayStart ? (
          <Link
            to="/workflow"
            className="inline-flex min-h-8 items-center rounded-control border border-strong bg-surface px-3 font-medium hover:bg-sunken"
          >
            + New Workflow
          </Link>
        ) : null
      }
    >
      <Loaded query={query}>
        {({ pages }) => {
          const runs = joinPages(pages.map((page) => page.runs));
          return (
            <>
              <ActiveRuns runs={runs} />
              <Card title="All runs, newest first">
                {runs.length === 0 ? (
                  <Empty title="No runs yet" />
                ) : (
                  runs.map((run) => <SeedRun key={run.id} run={run} />)
                )}
              </Card>
              {query.hasNextPage ? (
                <Button
                  className="self-center"
                  isBusy={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Load older runs
                </Button>
              ) : null}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
