// Whoever comes back from a run finds the focus on its row.

import { useEffect, useRef, type RefObject } from "react";
import { focusRow } from "./use-list-keys.ts";

let left: number | null = null;

/** `active`: the row that has, or had, the focus. */
export function useWayBack(scroller: RefObject<HTMLDivElement | null>, active: number | null): void {
  const newest = useRef(active);
  useEffect(() => {
    newest.current = active;
  });
  useEffect(() => {
    // Whoever has put the focus somewhere else meanwhile, or came by a link, keeps it there.
    if (left !== null && document.activeElement === document.body) focusRow(scroller, left);
    left = null;
    return () => {
      left = newest.current;
    };
  }, [scroller]);
}
