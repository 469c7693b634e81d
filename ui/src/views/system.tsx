// How the service is: this process, its store, what waits and what is under way.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { overviewQuery } from "../api/overview.ts";
import { systemQuery } from "../api/system.ts";
import { breakersQuery, serversQuery } from "../api/tools.ts";
import { Button } from "../components/button.tsx";
import { saveFile } from "../components/save-file.ts";
import { Ago } from "../components/time.tsx";
import { Card, Loaded, Page } from "../components/page.tsx";
import { StatusPill } from "../components/status.tsx";
import { tellProblem } from "../components/toasts.tsx";
import { diagnosticsName, sayLive, showQuick, toDiagnostics, type System as Found } from "../model/system.ts";
import { showBytes } from "../model/time.ts";
import { Load } from "./system/load.tsx";
import { Throughput } from "./system/throughput.tsx";
import { BreakerLine } from "./tools/breaker-line.tsx";

export function System() {
  const system = useQuery(systemQuery);
  return (
    <Page
      page="system"
      title="System"
      beside={
        system.data === undefined ? null : (
          <StatusPill
            shown={system.data.isOk ? { token: "done", word: "ok" } : { token: "failed", word: "degraded" }}
          />
        )
      }
      actions={
        <>
          <a href="/metrics" className="px-2 text-accent hover:underline">
            Metrics
          </a>
          <a href="/health" className="px-2 text-accent hover:underline">
            Health
          </a>
          {system.data === undefined ? null : <Diagnostics system={system.data} />}
        </>
      }
    >
      <Loaded query={system}>{(found) => <Parts system={found} />}</Loaded>
    </Page>
  );
}

function Parts({ system }: { readonly system: Found }) {
  const told = [...system.reasons, ...system.warnings];
  return (
    <>
      {told.length === 0 ? null : (
        <ul data-token="waiting" className="status rounded-card p-4">
          {told.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
      {system.stepsEnded === null ? null : <Throughput ended={system.stepsEnded} />}
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <UnderWay system={system} />
        <ThisProcess system={system} />
        <TheStore system={system} />
        <Breakers />
      </div>
    </>
  );
}

function UnderWay({ system }: { readonly system: Found }) {
  const { data: overview } = useQuery(overviewQuery);
  const { runs, runningCalls, callsMax, ready, streams } = system;
  return (
    <Card title="Under way">
      <Load system={system} />
      <Facts
        facts={[
          ["Runs", sayLive(runs, overview?.running ?? [])],
          ["Calls", runningCalls === null ? "another process knows" : `${runningCalls} of at most ${callsMax ?? ""}`],
          [
            "Steps that wait for a call",
            ready === null ? "another process knows" : <Ready key="ready" ready={ready} />,
          ],
          ["Pages that listen", String(streams)],
        ]}
      />
    </Card>
  );
}

function ThisProcess({ system }: { readonly system: Found }) {
  const { version, pid, host, startedAt, memoryBytes, isOwner, owner } = system;
  return (
    <Card title="This process">
      <Facts
        facts={[
          ["Version", <code key="version">{version}</code>],
          ["Process", <code key="pid">{`${pid} on ${host}`}</code>],
          ["Since", <Ago key="since" at={startedAt} />],
          ["Memory", showBytes(memoryBytes)],
          ["Its part", isOwner ? "owns the store and does the work" : "a guest: another process does the work"],
          [
            "Owner",
            owner === null ? "none" : <code key="owner">{`${owner.pid} on ${owner.host} (${owner.role})`}</code>,
          ],
        ]}
      />
    </Card>
  );
}

function TheStore({ system: { store, durability, commitMs } }: { readonly system: Found }) {
  return (
    <Card title="Store">
      <Facts
        facts={[
          ["Kind", store.kind],
          [
            "Place",
            <code key="place" className="break-all">
              {store.place}
            </code>,
          ],
          ["Size", showBytes(store.bytes)],
          ["Log not yet merged", store.walBytes === null ? "none" : showBytes(store.walBytes)],
          ["A commit takes", commitMs === null ? "none was made here yet" : `${showQuick(commitMs)} of late`],
          ["Durability", durability === "full" ? "full: on disk before anything is answered" : durability],
        ]}
      />
    </Card>
  );
}

/** Tools that have failed so often that they are not called for a while. */
function Breakers() {
  const { data: breakers = [] } = useQuery(breakersQuery);
  const open = breakers.filter(({ state }) => state !== "closed");
  return (
    <Card title="Breakers">
      {open.length === 0 ? (
        <p className="p-4 text-text2">None is open: every tool is called.</p>
      ) : (
        <ul className="divide-y divide-border">
          {open.map((breaker) => (
            <li key={breaker.tool} className="px-4 py-3">
              <BreakerLine breaker={breaker} isNamed />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Diagnostics({ system }: { readonly system: Found }) {
  const client = useQueryClient();
  const save = async (): Promise<void> => {
    try {
      const [servers, breakers] = await Promise.all([
        client.fetchQuery({ ...serversQuery, staleTime: 0 }),
        client.fetchQuery({ ...breakersQuery, staleTime: 0 }),
      ]);
      const at = Date.now();
      const told = toDiagnostics({ system, servers, breakers, at, browser: navigator.userAgent });
      saveFile(diagnosticsName(at), "application/json", `${JSON.stringify(told, null, 2)}\n`);
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <Button look="quiet" icon={Download} onClick={() => void save()}>
      Download diagnostics
    </Button>
  );
}

function Ready({ ready }: { readonly ready: NonNullable<Found["ready"]> }) {
  return (
    <>
      {ready.count}
      {ready.oldestAt === null ? null : (
        <>
          , the oldest <Ago at={ready.oldestAt} />
        </>
      )}
    </>
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(8rem,auto)_1fr] gap-x-4 gap-y-1.5 p-4 text-table">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-text2">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
