// All runs, each to be opened, cancelled and let go on: the page that seed 003 names.

import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { runsQuery } from "../api/queries.ts";
import { useMay } from "../api/rights.ts";
import { Button } from "../components/button.tsx";
import { Card, Empty, Loaded, Page } from "../components/page.tsx";
import { joinPages } from "../model/run-list.ts";
import { isToolCall } from "../model/seed.ts";
import { ActiveRuns } from "./seed/active-runs.tsx";
import { SeedRun } from "./seed/seed-run.tsx";

export function SeedWorkflows() {
  const query = useInfiniteQuery(runsQuery({ limit: 50 }));
  const mayStart = useMay("start");
  // Tools that somebody has tried are runs too, but not what one looks for here.
  const [withCalls, setWithCalls] = useState(false);
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
          const all = joinPages(pages.map((page) => page.runs));
          const calls = all.filter(isToolCall).length;
          const runs = withCalls ? all : all.filter((run) => !isToolCall(run));
          return (
            <>
              <ActiveRuns runs={runs} />
              <Card
                title="All runs, newest first"
                actions={
                  calls === 0 ? null : (
                    <Button isSmall look="quiet" aria-pressed={withCalls} onClick={() => setWithCalls(!withCalls)}>
                      {withCalls ? "Hide" : "Show"} {calls === 1 ? "the call of a tool" : `${calls} calls of tools`}
                    </Button>
                  )
                }
              >
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
