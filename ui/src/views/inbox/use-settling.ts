// The next question comes up where the last one was answered, under the same pointer: what is pressed there at once was
// meant for the last one. So it takes no answer for a moment, and then only from somebody who has moved or pressed anew.

import { useEffect, useRef, useState } from "react";

/** Longer than a double click, and than the time to see that it is another question. */
const settlesAfterMs = 700;

type Settling = { readonly isSettling: boolean; readonly isMeant: () => boolean };

export function useSettling(isFollowing: boolean): Settling {
  const [isSettling, setSettling] = useState(isFollowing);
  const hasStirred = useRef(!isFollowing);
  useEffect(() => {
    if (!isFollowing) return undefined;
    const leaving = new AbortController();
    const stir = (): void => {
      hasStirred.current = true;
    };
    const listening = { capture: true, passive: true, signal: leaving.signal };
    addEventListener("pointermove", stir, listening);
    addEventListener("keydown", (event) => (event.repeat ? undefined : stir()), listening);
    // A finger does not rest on the page: each touch is a new one.
    addEventListener("pointerdown", ({ pointerType }) => (pointerType === "touch" ? stir() : undefined), listening);
    const timer = setTimeout(() => setSettling(false), settlesAfterMs);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [isFollowing]);
  return { isSettling, isMeant: () => !isSettling && hasStirred.current };
}
