import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onStranger, Problem } from "./api/request.ts";
import { LiveDesk } from "./live-desk.ts";
import { LiveContext } from "./components/live.tsx";
import { applyTimes } from "./components/shown-times.ts";
import { preloadViews } from "./lazy-view.ts";
import { createPageRouter } from "./router.tsx";
import { loadGraph } from "./views/run/graph/load-graph.ts";
import "./styles.css";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream tells when something has changed.
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (count, error) => error instanceof Problem && error.status === 0 && count < 2,
    },
  },
});
const live = new LiveDesk(client);
const router = createPageRouter();
onStranger(() => {
  const { pathname, href } = router.latestLocation;
  if (pathname !== "/login") void router.navigate({ to: "/login", search: { to: href }, replace: true });
});
applyTimes();
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <LiveContext value={live}>
        <RouterProvider router={router} />
      </LiveContext>
    </QueryClientProvider>
  </StrictMode>,
);
// From then on every page can be gone to, also when the server does not answer. Who has asked the browser to save data is
// given what they look at, and nothing ahead of it.
if (!savesData()) whenIdle(() => void preloadViews(loadGraph, () => import("./components/open-menu.tsx")));

/** Not every browser tells. */
function savesData(): boolean {
  const told: unknown = "connection" in navigator ? navigator.connection : null;
  return typeof told === "object" && told !== null && "saveData" in told && told.saveData === true;
}

function whenIdle(act: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(act, { timeout: 10_000 });
  else setTimeout(act, 3000);
}
