// What begins when, and what else is due by itself.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Play, X } from "lucide-react";
import { useState } from "react";
import { useRefused } from "../api/rights.ts";
import { makeReady, readOutline } from "../api/runs.ts";
import { alarmsQuery, schedulesQuery, unschedule, type Alarm, type Scheduled } from "../api/schedules.ts";
import { Button } from "../components/button.tsx";
import { Confirm } from "../components/dialog.tsx";
import { Card, Empty, Loaded, Page } from "../components/page.tsx";
import { Table } from "../components/table.tsx";
import { Countdown, useNow } from "../components/time.tsx";
import { tell, tellProblem } from "../components/toasts.tsx";
import { daysAhead, showWeekday } from "../model/calendar.ts";
import { sayAlarm } from "../model/overview.ts";
import { showAbsolute, showDay } from "../model/time.ts";
import { keyOf } from "../model/run-row.ts";
import { rowLink, useRowKeys } from "../shell/row-keys.ts";
import { useStart } from "../shell/use-start.ts";

export function Schedules() {
  const schedules = useQuery(schedulesQuery);
  const alarms = useQuery(alarmsQuery);
  const start = useStart();
  useRowKeys();
  const refused = useRefused("start");
  return (
    <Page
      page="schedules"
      title="Schedules"
      actions={
        <Button look="primary" icon={Play} disabled={refused !== undefined} title={refused} onClick={() => start("*")}>
          Schedule a run
        </Button>
      }
    >
      <Loaded query={schedules}>
        {(runs) => (
          <>
            <Card title="The next seven days">
              <Week times={runs.flatMap(({ scheduledAt }) => (scheduledAt === null ? [] : [scheduledAt]))} />
            </Card>
            <Card title="Runs that have a time to begin">
              {runs.length === 0 ? (
                <Empty
                  title="No run is scheduled."
                  docs={{ page: "time", word: "How times are written" }}
                  action={refused === undefined ? <Button onClick={() => start("*")}>Schedule one</Button> : null}
                >
                  Start a workflow with a time in words, such as "tomorrow at 9am".
                </Empty>
              ) : (
                <ScheduleTable
                  runs={runs.toSorted((one, other) => (one.scheduledAt ?? 0) - (other.scheduledAt ?? 0))}
                />
              )}
            </Card>
          </>
        )}
      </Loaded>
      <Card title="What else is due">
        <Loaded query={alarms}>{(all) => <AlarmList alarms={all.filter(({ kind }) => kind !== "start")} />}</Loaded>
      </Card>
    </Page>
  );
}

function Week({ times }: { readonly times: readonly number[] }) {
  const now = useNow(60_000);
  return (
    <ol className="grid grid-cols-7 gap-px overflow-hidden rounded-b-card bg-border">
      {daysAhead(now, 7, times).map((day) => (
        <li key={day.key} className="flex min-h-16 flex-col items-center justify-center bg-surface">
          <span className="text-center text-meta text-text2 max-sm:w-min">{showWeekday(day)}</span>
          <span className={day.count === 0 ? "text-text3" : "font-semibold"}>
            {day.count}
            <span className="sr-only"> {day.count === 1 ? "run begins" : "runs begin"}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function ScheduleTable({ runs }: { readonly runs: readonly Scheduled[] }) {
  return (
    <Table
      label="Scheduled runs"
      testId="schedule-row"
      rows={runs}
      keyOf={({ id }) => id}
      marksOf={({ id }) => ({ "data-run-id": id })}
      columns={[
        { name: "Workflow", cell: (run) => <RunLink run={run} /> },
        {
          name: "Input",
          cell: ({ input }) => {
            const key = keyOf(input);
            return key === "" ? null : <span className="mono block max-w-48 truncate text-text2">{key}</span>;
          },
        },
        {
          name: "Begins",
          onCard: "text",
          cell: ({ scheduledAt }) => (scheduledAt === null ? null : <Begins at={scheduledAt} />),
        },
        { name: "By", cell: ({ createdBy }) => createdBy },
        { name: "Actions", isHidden: true, cell: (run) => <ScheduleActions run={run} /> },
      ]}
    />
  );
}

function RunLink({ run: { id, name } }: { readonly run: Scheduled }) {
  return (
    <Link to="/runs/$id" params={{ id: String(id) }} {...rowLink} className="break-words hover:underline">
      {name}
    </Link>
  );
}

function ScheduleActions({ run }: { readonly run: Scheduled }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const notBegin = useRefused("answer", run.createdBy);
  const notCancel = useRefused("cancel", run.createdBy);
  const runNow = async (): Promise<void> => {
    try {
      const [first] = (await readOutline(run.id)).steps;
      if (first !== undefined) await makeReady(first.id);
      tell(`Run ${run.id} begins now.`);
      await client.invalidateQueries({ queryKey: ["schedules"] });
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <>
      <div className="flex justify-end gap-1">
        <Button
          isSmall
          icon={Play}
          disabled={notBegin !== undefined}
          title={notBegin === undefined ? undefined : "You may not let it begin."}
          onClick={() => void runNow()}
        >
          Run now
        </Button>
        <Button
          isSmall
          look="quiet"
          icon={X}
          disabled={notCancel !== undefined}
          title={notCancel}
          aria-label={`Never begin run ${run.id} of ${run.name}`}
          onClick={() => setAsking(true)}
        />
      </div>
      <Confirm
        title={`Never begin run ${run.id} of ${run.name}?`}
        verb="Take it off"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        act={async () => {
          await unschedule(run.id);
          await client.invalidateQueries({ queryKey: ["schedules"] });
        }}
      >
        It is cancelled before it has begun.
      </Confirm>
    </>
  );
}

const soonMs = 10 * 60_000;

/** In the words of the page of a run. */
function Begins({ at }: { readonly at: number }) {
  const isSoon = at - useNow(1000) <= soonMs;
  return (
    <span className="flex flex-wrap items-center gap-x-1 whitespace-nowrap">
      <time dateTime={new Date(at).toISOString()} title={showAbsolute(at)}>
        {showDay(at)}
      </time>
      <span aria-hidden className="text-text3">
        ·
      </span>
      <span data-token={isSoon ? "waiting" : "pending"} className={isSoon ? "status rounded-full px-2" : "text-text2"}>
        <Countdown to={at} />
      </span>
    </span>
  );
}

function AlarmList({ alarms }: { readonly alarms: readonly Alarm[] }) {
  if (alarms.length === 0) return <p className="px-4 py-4 text-text2">Nothing else is due.</p>;
  return (
    <ul>
      {alarms.slice(0, 50).map((alarm) => (
        <li key={`${alarm.run}/${alarm.step}/${alarm.kind}`} className="flex min-h-row items-center gap-3 px-4">
          <Link
            to="/runs/$id"
            params={{ id: String(alarm.run) }}
            {...rowLink}
            className="min-w-0 flex-1 truncate hover:underline"
          >
            {alarm.workflow} <span className="text-text2">{sayAlarm(alarm)}</span>
          </Link>
          <span className="text-meta text-text2" title={showAbsolute(alarm.dueAt)}>
            <Countdown to={alarm.dueAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
