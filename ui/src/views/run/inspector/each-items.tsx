// The items of an each: how many are how, and each of them, a page at a time.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { itemsQuery } from "../../../api/run-values.ts";
import { Button } from "../../../components/button.tsx";
import { Choice } from "../../../components/choice.tsx";
import { Failed, Skeleton } from "../../../components/page.tsx";
import { StatusPill } from "../../../components/status.tsx";
import { runRoute, useShow } from "../route.ts";
import { Ticking } from "../ticking.tsx";
import type { Outline, Step } from "../../../model/run.ts";
import { nodeOf, showRow } from "../../../model/run-view.ts";
import { sayItems } from "../../../model/steps.ts";
import { ItemValues } from "./item-values.tsx";

type EachProps = { readonly outline: Outline; readonly row: Step };

export function EachItems({ outline, row }: EachProps) {
  const counts = outline.items[String(row.id)];
  const isFailedOnly = runRoute.useSearch().items === "failed";
  const show = useShow();
  if (counts === undefined || nodeOf(outline, row.key)?.isEach === false) return null;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-table font-medium">{sayItems(counts)}</h3>
        <span className="ms-auto">
          <Choice
            label="Which items"
            choices={[
              { id: "all", word: "All" },
              { id: "failed", word: `Failed ${(counts.statuses["failed"] ?? 0).toLocaleString("en")}` },
            ]}
            chosen={isFailedOnly ? "failed" : "all"}
            onChoose={(id) => show({ items: id === "failed" ? id : undefined })}
          />
        </span>
      </div>
      <ItemList outline={outline} row={row} status={isFailedOnly ? "failed" : null} />
    </div>
  );
}

function ItemList({ outline, row, status }: EachProps & { readonly status: string | null }) {
  const query = useInfiniteQuery(itemsQuery(outline.run.id, row.id, status));
  if (query.error !== null) return <Failed error={query.error} again={() => void query.refetch()} />;
  if (query.data === undefined) return <Skeleton lines={3} height={28} />;
  const items = query.data.pages.flatMap((loaded) => loaded.steps);
  if (items.length === 0)
    return <p className="text-table text-text2">{status === null ? "None has begun yet." : "None has failed."}</p>;
  return (
    <>
      <ol className="flex flex-col divide-y divide-border rounded-card border border-border">
        {items.map((item) => (
          <Item key={item.id} outline={outline} item={item} />
        ))}
      </ol>
      {query.hasNextPage ? (
        <Button isSmall isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more items
        </Button>
      ) : null}
    </>
  );
}

function Item({ outline, item }: { readonly outline: Outline; readonly item: Step }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li data-testid="item" data-status={item.status}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-8 w-full min-w-0 flex-wrap items-center gap-2 px-2 py-1 text-start text-table hover:bg-sunken"
      >
        <span className="w-10 text-text2">#{((item.item ?? 0) + 1).toLocaleString("en")}</span>
        <StatusPill shown={showRow(item, outline)} {...(item.attempt > 1 ? { note: `attempt ${item.attempt}` } : {})} />
        {item.startedAt === null ? null : <Ticking from={item.startedAt} to={item.completedAt} />}
        {item.error === null ? null : (
          <span className="min-w-0 flex-1 basis-full truncate text-danger">{item.error.message}</span>
        )}
      </button>
      {isOpen ? <ItemValues run={outline.run.id} item={item} /> : null}
    </li>
  );
}
