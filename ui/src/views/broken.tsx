import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { ask } from "../api/request.ts";
import { useLive } from "../components/live.tsx";
import { Failed, Page } from "../components/page.tsx";
import { tellProblem } from "../components/toasts.tsx";
import { NotLoaded } from "../lazy-view.ts";

/** A fault of the page itself, or a page that did not come: said, not a blank window. */
export function Broken({ error, reset }: ErrorComponentProps) {
  if (error instanceof NotLoaded) return <Missing error={error} />;
  return (
    <Page page="broken" title="This page is broken">
      <Failed error={error instanceof Error ? error : new Error(String(error))} again={reset} />
    </Page>
  );
}

/** Comes by itself when the server was away and is back. Where it was there all the time, the same would be missing again:
 *  that is for people to try. */
function Missing({ error }: { readonly error: NotLoaded }) {
  const { line } = useLive();
  const wasAway = useRef(false);
  useEffect(() => {
    if (line === "reconnecting" || line === "offline") wasAway.current = true;
    else if (line === "live" && wasAway.current) location.reload();
  }, [line]);
  return (
    <Page page="broken" title="Not loaded">
      <Failed error={error} again={() => void loadAnew()} />
    </Page>
  );
}

/** Only once there is somebody who answers: until then this here is more than the browser would show. */
async function loadAnew(): Promise<void> {
  try {
    await ask("/api/me");
    location.reload();
  } catch (error) {
    tellProblem(error);
  }
}
