import type { ErrorComponentProps } from "@tanstack/react-router";
import { Failed, Page } from "../components/page.tsx";

/** A fault of the page itself: said, not a blank window. */
export function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <Page page="broken" title="This page is broken">
      <Failed error={error instanceof Error ? error : new Error(String(error))} again={reset} />
    </Page>
  );
}
