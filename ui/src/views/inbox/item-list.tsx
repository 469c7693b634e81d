// What waits, one under the other; the one that is looked at is marked.

import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { StatusPill } from "../../components/status.tsx";
import { Ago } from "../../components/time.tsx";
import { deadlineOf, itemId, showKind, tellApart, type Apart } from "../../model/inbox.ts";
import type { InboxItem } from "../../model/run.ts";

export function ItemList({
  items,
  selected,
}: {
  readonly items: readonly InboxItem[];
  readonly selected: string | null;
}) {
  const apart = useMemo(() => tellApart(items), [items]);
  return (
    <ul aria-label="What waits">
      {items.map((item) => (
        <ItemLine
          key={itemId(item)}
          item={item}
          apart={apart.get(itemId(item)) ?? null}
          isSelected={itemId(item) === selected}
        />
      ))}
    </ul>
  );
}

type LineProps = { readonly item: InboxItem; readonly apart: Apart | null; readonly isSelected: boolean };

function ItemLine({ item, apart, isSelected }: LineProps) {
  const id = itemId(item);
  const deadline = deadlineOf(item);
  return (
    <li>
      <Link
        to="/inbox"
        search={{ item: id }}
        data-testid="inbox-item"
        data-item={id}
        data-kind={item.kind}
        aria-current={isSelected ? "true" : undefined}
        className={`flex min-h-16 flex-col justify-center gap-1 border-b border-border border-s-2 px-4 py-2 outline-offset-[-2px] hover:bg-sunken ${isSelected ? "border-s-accent bg-sunken" : "border-s-transparent"}`}
      >
        <span className="line-clamp-2 font-medium break-words">{item.title}</span>
        {apart === null ? null : <ApartLine apart={apart} />}
        <span className="flex min-w-0 items-center gap-2 text-meta text-text2">
          <StatusPill shown={showKind(item.kind)} />
          <span className="min-w-0 flex-1 truncate">{item.workflow ?? item.change?.server ?? ""}</span>
          <Ago at={item.since} />
        </span>
        {deadline === null ? null : (
          <span className="text-meta text-warn" data-testid="deadline">
            {deadline.word} <Ago at={deadline.at} />
          </span>
        )}
      </Link>
    </li>
  );
}

/** What it is about gives way: numbers of runs differ at their ends. */
function ApartLine({ apart: { about, place } }: { readonly apart: Apart }) {
  return (
    <span className="flex min-w-0 text-meta text-text2" data-testid="apart">
      {about === null ? null : <span className="min-w-0 truncate">{about}</span>}
      <span className="shrink-0 whitespace-pre">{about === null ? place : ` · ${place}`}</span>
    </span>
  );
}
