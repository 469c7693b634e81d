import { useEffect } from "react";
import { useDebounced } from "../../../components/debounced.ts";

/** So long after the last letter the text has it, too. */
const pauseMs = 300;

/** When somebody has stopped typing for a moment, and is still in the field. */
export function usePause(typed: unknown, act: () => void): void {
  const settled = useDebounced(typed, pauseMs);
  useEffect(() => {
    if (Object.is(settled, typed)) act();
    // Only by a pause: whatever else changes was not typed.
  }, [settled]);
}
