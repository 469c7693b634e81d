// The lines that are in sight, and the reading of those that will be.

import { useElementScrollRestoration } from "@tanstack/react-router";
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useEffect, type RefObject } from "react";
import type { Run } from "../../model/run.ts";
import { usePreference } from "../../preferences.ts";

/** By which the router knows how far the list was scrolled. */
export const restoreId = "runs";
const cardHeight = 64;

export type Lines = Virtualizer<HTMLDivElement, Element>;
export type More = { readonly has: boolean; readonly isReading: boolean; readonly read: () => void };

export function useLineHeight(isNarrow: boolean): number {
  const density = usePreference("density", "comfortable");
  return isNarrow ? cardHeight : density === "compact" ? 28 : 36;
}

export function useLines(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Run[],
  { height, isNarrow }: { readonly height: number; readonly isNarrow: boolean },
) {
  const restored = useElementScrollRestoration({ id: restoreId });
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 10,
    initialOffset: restored?.scrollY ?? 0,
    scrollPaddingStart: isNarrow ? 0 : 36,
    scrollPaddingEnd: isNarrow ? 0 : 36,
    getItemKey: (at) => rows[at]?.id ?? at,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  return virtual;
}

export function useReadingAhead(isNear: boolean, { has, isReading, read }: More): void {
  const isDue = isNear && has && !isReading;
  useEffect(() => {
    if (isDue) read();
    // `read` is made anew each time, and does the same.
  }, [isDue]);
}
