// Home: what is true today, what needs somebody, what runs, what failed, what comes next.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { inboxQuery } from "../api/inbox.ts";
import { demoQuery, overviewQuery } from "../api/overview.ts";
import { useInboxCounts, useMay, useMaySettle } from "../api/rights.ts";
import { Ago, Countdown, Ticking } from "../components/time.tsx";
import { Card, Loaded, Page } from "../components/page.tsx";
import { HistoryStrip } from "../components/history-strip.tsx";
import { StatusPill } from "../components/status.tsx";
import { StepBar } from "../components/step-bar.tsx";
import { inOrder, itemId } from "../model/inbox.ts";
import { greet, namesCompleted, sayAlarm, sayRuns, showMark, sumOf, type Overview } from "../model/overview.ts";
import { isToolCall } from "../model/seed.ts";
import { showDuration } from "../model/time.ts";
import { usePreference } from "../preferences.ts";
import { HourBars } from "./home/hour-bars.tsx";
import { useWaiting } from "./runs/use-waiting.ts";
import { Welcome } from "./welcome/welcome.tsx";

export function Home() {
  const overview = useQuery(overviewQuery);
  const demo = useQuery(demoQuery);
  const isWelcomed = usePreference("welcome", "open") === "closed";
  // It is about starting something.
  const mayStart = useMay("start");
  const { others } = useInboxCounts();
  const hasDemos = (demo.data?.demos.length ?? 0) > 0;
  return (
    <Page
      page="home"
      title="Home"
      beside={overview.data === undefined ? null : <p className="text-text2">{greet(overview.data.today, others)}</p>}
    >
      {demo.data !== undefined && hasDemos && mayStart && !isWelcomed ? (
        <Welcome demo={demo.data} completed={namesCompleted(overview.data)} />
      ) : null}
      <Loaded query={overview}>{(found) => <Boards overview={found} />}</Loaded>
    </Page>
  );
}

function Boards({ overview }: { readonly overview: Overview }) {
  return (
    <>
      <Card
        title="Last 24 hours"
        actions={<span className="text-meta text-text2">{sayRuns(sumOf(overview.hours))}</span>}
      >
        <HourBars hours={overview.hours} />
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        <NeedsYou />
        <RunningNow running={overview.running} />
        <Failures failures={overview.failures} />
        <NextUp upcoming={overview.upcoming} />
      </div>
      <Workflows workflows={overview.workflows} />
      {overview.isComplete ? null : (
        <p className="text-meta text-text2">There were so many runs that only the newest 5,000 were looked at.</p>
      )}
    </>
  );
}

const rowLook = "flex min-h-9 min-w-0 items-center gap-3 px-4 py-1";

function Nothing({ children }: { readonly children: string }) {
  return <p className="px-4 py-4 text-text2">{children}</p>;
}

function NeedsYou() {
  const inbox = useQuery(inboxQuery);
  const maySettle = useMaySettle();
  const items = inOrder(inbox.data ?? []);
  const isForOthers = items.length > 0 && !items.some(maySettle);
  return (
    <Card
      title={isForOthers ? "Waits for an answer" : "Needs you"}
      actions={
        <Link to="/inbox" className="text-meta text-accent hover:underline">
          Inbox
        </Link>
      }
    >
      {items.length === 0 ? <Nothing>Nothing waits for you.</Nothing> : null}
      <ul>
        {items.slice(0, 3).map((item) => (
          <li key={itemId(item)} className={rowLook}>
            <Link to="/inbox" search={{ item: itemId(item) }} className="min-w-0 flex-1 truncate hover:underline">
              {item.title}
            </Link>
            <span className="hidden text-meta whitespace-nowrap text-text2 sm:inline">
              {item.workflow} · <Ago at={item.since} />
            </span>
            {maySettle(item) ? (
              <Link
                to="/inbox"
                search={{ item: itemId(item) }}
                aria-label={`Decide: ${item.title}`}
                className="inline-flex min-h-7 shrink-0 items-center rounded-control border border-strong bg-surface px-2 text-meta font-medium hover:bg-sunken"
              >
                Decide
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RunningNow({ running }: { readonly running: Overview["running"] }) {
  const waiting = useWaiting();
  const maySettle = useMaySettle();
  const { data: items = [] } = useQuery(inboxQuery);
  const yours = new Set(items.filter(maySettle).map((loaded) => loaded.run));
  return (
    <Card
      title="Running now"
      actions={
        <Link to="/runs" search={{ status: "running" }} className="text-meta text-accent hover:underline">
          All
        </Link>
      }
    >
      {running.length === 0 ? <Nothing>Nothing runs.</Nothing> : null}
      <ul>
        {running.slice(0, 6).map(({ id, name, status, startedAt, steps, doing }) => {
          const isAsking = waiting.has(id) || doing === "person";
          const shown = showMark({ status, doing });
          return (
            <li key={id} className={rowLook} data-testid="running-now">
              <Link to="/runs/$id" params={{ id: String(id) }} className="min-w-0 flex-1 truncate hover:underline">
                {name}
              </Link>
              {isAsking ? (
                <StatusPill
                  shown={{ token: "waiting", word: yours.has(id) ? "waiting for you" : "waiting for an answer" }}
                />
              ) : shown.word === "running" ? (
                <StepBar steps={steps} status={status} />
              ) : (
                <StatusPill shown={shown} />
              )}
              {startedAt === null ? null : <Ticking from={startedAt} to={null} />}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Failures({ failures }: { readonly failures: Overview["failures"] }) {
  return (
    <Card
      title="Failures of the last day"
      actions={
        <Link to="/runs" search={{ status: "failed" }} className="text-meta text-accent hover:underline">
          All
        </Link>
      }
    >
      {failures.length === 0 ? <Nothing>Nothing has failed.</Nothing> : null}
      <ul>
        {failures.slice(0, 6).map(({ message, code, workflow, count, lastId, lastAt }) => (
          <li key={`${workflow}/${code}/${message}`} className={rowLook}>
            <span data-token="failed" className="status min-w-6 rounded-full px-1.5 text-center text-meta font-medium">
              {count}
            </span>
            <Link
              to="/runs/$id"
              params={{ id: String(lastId) }}
              className="min-w-0 flex-1 truncate hover:underline"
              title={message}
            >
              {message}
            </Link>
            <span className="text-meta whitespace-nowrap text-text2">
              {workflow} · <Ago at={lastAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function NextUp({ upcoming }: { readonly upcoming: Overview["upcoming"] }) {
  return (
    <Card
      title="Next"
      actions={
        <Link to="/schedules" className="text-meta text-accent hover:underline">
          Schedules
        </Link>
      }
    >
      {upcoming.length === 0 ? <Nothing>Nothing is due.</Nothing> : null}
      <ul>
        {upcoming.map((alarm) => (
          <li key={`${alarm.run}/${alarm.kind}/${alarm.dueAt}`} className={rowLook}>
            <Link to="/runs/$id" params={{ id: String(alarm.run) }} className="min-w-0 flex-1 truncate hover:underline">
              {alarm.workflow} <span className="text-text2">{sayAlarm(alarm)}</span>
            </Link>
            <span className="text-meta text-text2">
              <Countdown to={alarm.dueAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Workflows({ workflows }: { readonly workflows: Overview["workflows"] }) {
  const known = workflows.filter(({ name }) => !isToolCall({ name, parent: null }));
  if (known.length === 0) return null;
  return (
    <Card title="Workflows">
      <ul>
        {known.slice(0, 12).map(({ name, last, runs, successRate, p50Ms }) => (
          <li key={name} className="flex min-h-12 min-w-0 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1">
            <Link to="/library/$name" params={{ name }} className="w-40 min-w-0 truncate hover:underline" title={name}>
              {name}
            </Link>
            <HistoryStrip marks={last} name={name} />
            <span className="ms-auto text-meta text-text2">
              {sayRuns(runs)}
              {successRate === null ? "" : ` · ${Math.round(successRate * 100)} % succeeded`}
              {p50Ms === null ? "" : ` · ${showDuration(p50Ms)}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
