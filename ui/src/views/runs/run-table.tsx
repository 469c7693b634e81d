// The table around the rows that are in sight: those above and below are room that is left free.

import type { VirtualItem } from "@tanstack/react-virtual";
import type { ReactNode } from "react";

type TableProps = {
  readonly items: readonly VirtualItem[];
  /** Of all rows together. */
  readonly height: number;
  /** How many there are; -1: nobody knows yet. */
  readonly count: number;
  readonly selectAll: ReactNode;
  readonly children: ReactNode;
};

const head = "sticky top-0 z-10 border-b border-border bg-bg px-2 text-meta text-text2";

export function RunTable({ items, height, count, selectAll, children }: TableProps) {
  const before = items[0]?.start ?? 0;
  const after = height - (items.at(-1)?.end ?? 0);
  return (
    <table
      role="grid"
      aria-label="Runs"
      aria-rowcount={count}
      aria-multiselectable
      className="w-full table-fixed border-separate border-spacing-0 text-table"
    >
      <thead>
        <tr className="h-8" aria-rowindex={1}>
          <th scope="col" className={`${head} w-11 ps-3`}>
            {selectAll}
          </th>
          <th scope="col" className={`${head} w-32`}>
            Status
          </th>
          <th scope="col" className={`${head} min-[1150px]:w-[20%]`}>
            Workflow
          </th>
          <th scope="col" className={`${head} hidden min-[1150px]:table-cell`}>
            Key
          </th>
          <th scope="col" aria-sort="descending" className={`${head} w-20 lg:w-24`}>
            Started
          </th>
          <th scope="col" className={`${head} w-20 text-end lg:w-24`}>
            Duration
          </th>
          <th scope="col" className={`${head} w-16 lg:w-44`}>
            Steps
          </th>
          <th scope="col" className={`${head} hidden w-24 lg:table-cell`}>
            By
          </th>
          <th scope="col" className={`${head} hidden w-16 min-[1150px]:table-cell xl:w-28`}>
            Trigger
          </th>
          <th scope="col" className={`${head} hidden w-20 pe-4 text-end min-[1440px]:table-cell`}>
            Attempt
          </th>
        </tr>
      </thead>
      <tbody>
        <Room height={before} />
        {children}
        <Room height={after} />
      </tbody>
    </table>
  );
}

function Room({ height }: { readonly height: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden role="presentation">
      <td colSpan={10} style={{ height, padding: 0 }} />
    </tr>
  );
}
