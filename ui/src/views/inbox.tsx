// What waits for a person: a list, and beside it the one that is looked at; in a narrow window one after the other.

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { decidedQuery } from "../api/decided.ts";
import { inboxQuery } from "../api/inbox.ts";
import { Button } from "../components/button.tsx";
import { useIsNarrow } from "../components/narrow.ts";
import { useNow } from "../components/time.tsx";
import { Empty, Loaded, Page, Skeleton } from "../components/page.tsx";
import { answerTo, inOrder, itemId, nextAfter, showAlready } from "../model/inbox.ts";
import type { InboxItem } from "../model/run.ts";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { DoneList } from "./inbox/done-list.tsx";
import { ItemDetail } from "./inbox/item-detail.tsx";
import { ItemList } from "./inbox/item-list.tsx";

export function Inbox() {
  const { tab = "open" } = useSearch({ from: "/inbox" });
  const query = useQuery(inboxQuery);
  const items = useMemo(() => (query.data === undefined ? undefined : inOrder(query.data)), [query.data]);
  return (
    <Page page="inbox" title="Inbox" isFull beside={<InboxTabs tab={tab} count={items?.length ?? 0} />}>
      {tab === "done" ? (
        <div className="min-h-0 flex-1 overflow-auto bg-surface" tabIndex={0} role="region" aria-label="Answered">
          <DoneList />
        </div>
      ) : (
        <Loaded query={{ data: items, error: query.error, refetch: query.refetch }}>
          {(found) => <Open items={found} />}
        </Loaded>
      )}
    </Page>
  );
}

/** The router marks a link by itself as where one is, unless it is told to look at all of the address. */
const exactly = { exact: true, includeSearch: true };

function InboxTabs({ tab, count }: { readonly tab: string; readonly count: number }) {
  const look =
    "flex min-h-7 items-center gap-1.5 rounded-control px-2 text-table text-text2 hover:bg-sunken hover:text-text aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-text";
  return (
    <nav aria-label="Open or done" className="flex gap-0.5">
      <Link
        to="/inbox"
        search={{}}
        activeOptions={exactly}
        aria-current={tab === "done" ? undefined : "true"}
        className={look}
        data-testid="tab-open"
      >
        Open <span className="text-meta">{count}</span>
      </Link>
      <Link
        to="/inbox"
        search={{ tab: "done" }}
        activeOptions={exactly}
        aria-current={tab === "done" ? "true" : undefined}
        className={look}
        data-testid="tab-done"
      >
        Done
      </Link>
    </nav>
  );
}

/** With less room, what is decided would be narrower than the list beside it. The classes below say the same: `lg`. */
const besideFrom = 1024;

function Open({ items }: { readonly items: readonly InboxItem[] }) {
  const { item: wanted } = useSearch({ from: "/inbox" });
  const isNarrow = useIsNarrow(besideFrom);
  const navigate = useNavigate();
  // Stays with whom it was shown to: what comes or goes meanwhile must not put another question under the pointer.
  const [pinned, setPinned] = useState<string | null>(null);
  // What came up where something else was answered, and not because somebody chose it.
  const [following, setFollowing] = useState<string | null>(null);
  // What was just done may still be in what was read before: it is not the next.
  const [done, setDone] = useState<string | null>(null);
  const ids = items.map(itemId);
  const first = ids.find((id) => id !== done) ?? null;
  // It may come again.
  if (done !== null && !ids.includes(done)) setDone(null);
  if (pinned === null && first !== null && wanted === undefined && !isNarrow) {
    setPinned(first);
    if (done !== null) setFollowing(first);
  }
  const selected = wanted ?? (isNarrow ? null : pinned);
  const item = items.find((each) => itemId(each) === selected);
  const show = (id: string | null): void => {
    setPinned(id);
    void navigate({ to: "/inbox", search: id === null ? {} : { item: id }, replace: true });
  };
  const looked = useLooked(selected);
  /** Whoever has gone on to something else meanwhile stays there. */
  const follow = (id: string | null): void => {
    if (looked.current !== selected) return;
    setDone(selected);
    setFollowing(id);
    show(id);
    if (id === null) document.getElementById("main")?.focus();
  };
  useMoving(items, selected, (id) => {
    setFollowing(null);
    show(id);
  });
  if (items.length === 0 && wanted === undefined) return <Nothing />;
  const detail =
    item !== undefined ? (
      <ItemDetail
        key={itemId(item)}
        item={item}
        isFollowing={following === itemId(item)}
        onDone={() => follow(nextAfter(items, itemId(item)))}
      />
    ) : selected === null ? null : (
      <Gone id={selected} onNext={() => follow(first)} hasNext={first !== null} />
    );
  if (isNarrow && selected !== null) return <Side label="What is decided">{detail}</Side>;
  return (
    <div className="grid min-h-0 flex-1 lg:grid-cols-[minmax(260px,340px)_1fr]">
      <div
        className="min-h-0 overflow-auto border-border bg-surface lg:border-e"
        tabIndex={0}
        role="region"
        aria-label="List of what waits"
      >
        <ItemList items={items} selected={selected} />
      </div>
      {isNarrow ? null : <Side label="What is decided">{detail}</Side>}
    </div>
  );
}

/** What is looked at now; null when nobody looks any more. */
function useLooked(selected: string | null): { readonly current: string | null } {
  const looked = useRef<string | null>(selected);
  useEffect(() => {
    looked.current = selected;
    return () => {
      looked.current = null;
    };
  }, [selected]);
  return looked;
}

function Side({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div className="min-h-0 min-w-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

function Nothing() {
  return (
    <Empty
      title="Nothing waits for you."
      action={
        <Link to="/library" className="text-accent underline">
          Run a workflow that asks
        </Link>
      }
      docs={{ page: "flow-language", hash: "people", word: "How workflows ask people" }}
    >
      Gates, steps of which nobody knows the end, and tools that have changed stand here.
    </Empty>
  );
}

type GoneProps = { readonly id: string; readonly onNext: () => void; readonly hasNext: boolean };

/** It was answered while somebody looked at it: by whom, and when, is what they want to know. */
function Gone({ id, onNext, hasNext }: GoneProps) {
  // What was read of answers before this one was given does not tell of it.
  const { data, isFetching } = useQuery({ ...decidedQuery, refetchOnMount: "always" });
  const now = useNow(1000);
  const found = answerTo(data ?? [], id);
  if (found === null && isFetching) return <Skeleton lines={3} />;
  return (
    <Empty
      title={found === null ? "This does not wait any more." : showAlready(found, now)}
      action={<Button onClick={onNext}>{hasNext ? "Look at the next" : "Back to the inbox"}</Button>}
    >
      {found === null ? (
        "Somebody has answered it, or its run went on without an answer."
      ) : (
        <>
          {found.title ?? found.stepName}
          {found.comment === null ? "" : `: ${found.comment}`}{" "}
          <Link to="/runs/$id" params={{ id: String(found.run) }} className="text-accent underline">
            Look at its run
          </Link>
        </>
      )}
    </Empty>
  );
}

function useMoving(items: readonly InboxItem[], selected: string | null, show: (id: string) => void): void {
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const at = items.findIndex((item) => itemId(item) === selected);
    const go = (to: number): void => {
      const item = items[Math.min(Math.max(to, 0), items.length - 1)];
      if (item !== undefined) show(itemId(item));
    };
    return [
      { keys: "j", about: "Down", act: () => go(at + 1) },
      { keys: "k", about: "Up", act: () => go(at - 1) },
    ];
    // `show` is made anew each time, and does the same.
  }, [items, selected]);
  useShortcuts(shortcuts);
}
