// Tells those who hear the page what has become of the run: politely, and not more often than one can listen; a failure at
// once.

import { useEffect, useRef, useState } from "react";
import type { Shown } from "../../model/status.ts";

const saidEveryMs = 5000;

export function Announcer({ name, shown }: { readonly name: string; readonly shown: Shown }) {
  const said = useAnnounced(shown);
  const sentence = said === null ? "" : `Run of ${name} is ${said.word}`;
  const isFailure = said?.token === "failed";
  return (
    <div className="sr-only">
      <p role="status" aria-live="polite" data-testid="announcement">
        {isFailure ? "" : sentence}
      </p>
      <p role="alert" aria-live="assertive">
        {isFailure ? sentence : ""}
      </p>
    </div>
  );
}

/** What is to be said now; nothing about how the run was found. */
function useAnnounced(shown: Shown): Shown | null {
  const [said, setSaid] = useState<Shown | null>(null);
  const first = useRef(shown.word);
  const last = useRef(0);
  const { word, token } = shown;
  useEffect(() => {
    if (word === first.current) return undefined;
    first.current = "";
    const wait = token === "failed" ? 0 : Math.max(0, last.current + saidEveryMs - Date.now());
    const timer = setTimeout(() => {
      last.current = Date.now();
      setSaid({ word, token });
    }, wait);
    return () => clearTimeout(timer);
  }, [word, token]);
  return said;
}
