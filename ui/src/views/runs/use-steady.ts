import { useCallback, useLayoutEffect, useRef } from "react";

/** The same function for ever, which does what the newest one does: what gets it is not drawn anew for its sake. */
export function useSteady<Given extends readonly unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  const newest = useRef(act);
  useLayoutEffect(() => {
    newest.current = act;
  });
  return useCallback((...given) => newest.current(...given), []);
}
