import type { ErrorComponentProps } from "@tanstack/react-router";
import { ask } from "../api/request.ts";
import { Failed, Page } from "../components/page.tsx";
import { tellProblem } from "../components/toasts.tsx";
import { NotLoaded } from "../lazy-view.ts";

/** A fault of the page itself, or a page that did not come: said, not a blank window. */
export function Broken({ error, reset }: ErrorComponentProps) {
  if (error instanceof NotLoaded)
    return (
      <Page page="broken" title="Not loaded">
        <Failed error={error} again={() => void loadAnew()} />
      </Page>
    );
  return (
    <Page page="broken" title="This page is broken">
      <Failed error={error instanceof Error ? error : new Error(String(error))} again={reset} />
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
